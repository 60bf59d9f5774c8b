import { parentPort } from 'node:worker_threads';
import { type Dictionary, loadDictionary } from './dictionaries.ts';
import type { SpellerRequest } from './speller.ts';

/* Worker thread of `speller.ts`: loads dictionaries, looks words up and identifies languages. */

/** Dictionaries in memory; the one that was not used for the longest time makes room. */
const MAX_LOADED = 4;
const loaded = new Map<string, Promise<Dictionary>>();
let detector: Promise<typeof import('eld/extrasmall')> | undefined;

function dictionaryOf(tag: string): Promise<Dictionary> {
  const dictionary = loaded.get(tag) ?? loadDictionary(tag);
  loaded.delete(tag);
  loaded.set(tag, dictionary);
  dictionary.catch(() => loaded.delete(tag));
  for (const oldest of loaded.keys()) {
    if (loaded.size <= MAX_LOADED) break;
    loaded.delete(oldest);
  }
  return dictionary;
}

async function answer(request: SpellerRequest): Promise<unknown> {
  if ('texts' in request) {
    detector ??= import('eld/extrasmall');
    const { eld } = await detector;
    return request.texts.map((text) => {
      const found = eld.detect(text);
      return found.isReliable() ? found.language : '';
    });
  }
  const dictionary = await dictionaryOf(request.language);
  return request.words.map((word) => dictionary.lookUp(word));
}

parentPort!.on('message', async ({ id, request }: { id: number; request: SpellerRequest }) => {
  try {
    parentPort!.postMessage({ id, answer: await answer(request) });
  } catch (error) {
    parentPort!.postMessage({ id, error: `The dictionary lookup failed: ${(error as Error).message}` });
  }
});
