import { createEmbeddings } from '../../outside/embed/create-embeddings.ts';
import type { EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import type { ProviderSettings } from '../setup/places.ts';
import { type Finding, failed, inWords, ok } from './check.ts';

interface Options {
  /** REDPEN_EMBEDDINGS. */
  choice: string;
  providers: ProviderSettings;
  signal: AbortSignal;
}

/** Embeds a few words, with the local model in a process of its own or at the provider. */
export async function checkEmbeddings({ choice, providers, signal }: Options): Promise<Finding> {
  const embeddings = createEmbeddings({ choice, providers });
  const began = performance.now();
  try {
    const vector = await embeddings.current.embedQuery('A red pen marks what is wrong.', { signal });
    const ms = inWords(performance.now() - began);
    return choice === 'local'
      ? ok(`The bundled model was started and returned ${vector.length} numbers in ${ms}.`)
      : ok(`${choice} returned ${vector.length} numbers in ${ms}.`);
  } catch (error) {
    return embeddingsFailure(error as EmbedFailure, choice);
  } finally {
    await embeddings.close();
  }
}

/** The finding for a failed embedding. */
export function embeddingsFailure({ kind, message }: EmbedFailure, choice: string): Finding {
  const advice =
    choice === 'local'
      ? 'Its process needs about 300 MB at first and 150 MB then; npm ci restores its files.'
      : 'Set the key or address of the provider, or REDPEN_EMBEDDINGS=local. Until then, search by meaning does not find new texts.';
  const why =
    kind === 'not-configured' ? message : `Texts cannot be turned into vectors (REDPEN_EMBEDDINGS): ${kind}.`;
  return failed(`${choice}: ${message}`, advice, why);
}
