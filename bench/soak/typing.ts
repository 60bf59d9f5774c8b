import { setTimeout as sleep } from 'node:timers/promises';
import { newTypist, type Typist } from '../../test/service/live-tenant.ts';
import type { Any, Caller } from './caller.ts';
import type { Member } from './deployment.ts';
import { HOME } from './loads.ts';

/** A text is typed by four people for this long; then the next one begins, so that the load stays the same. */
const EPOCH_MS = 45_000;
const WORD_EVERY_MS = 400;

interface Person {
  name: string;
  typist: Typist;
  typed: string[];
  /** Words that were acknowledged before the connection first broke. */
  surely: string[] | undefined;
}

interface Epoch {
  editorId: string;
  /** They stay until all that they typed is stored. */
  loyal: Person[];
  /** They close their tab in the middle of a word. */
  leaving: Person[];
  /** Everything was stored, and all have left. */
  isOver: boolean;
}

export interface LiveVerdict {
  texts: number;
  typed: number;
  problems: string[];
}

/** Types into live texts over both API processes until `isOn` is false; the result checks them. */
export async function typeTexts({
  apis,
  token,
  isOn,
}: {
  apis: Member[];
  token: string;
  isOn: () => boolean;
}): Promise<{ verify(caller: Caller, withinMs: number): Promise<LiveVerdict> }> {
  const epochs: Epoch[] = [];
  for (let number = 0; isOn(); number++) {
    const editorId = `text-${number}`;
    const person = (api: Member, name: string): Person => {
      const typist = newTypist(api.url, token, name, editorId);
      const one: Person = { name, typist, typed: [], surely: undefined };
      typist.provider.on('disconnect', () => {
        one.surely ??= typist.acknowledged();
      });
      return one;
    };
    const loyal = apis.map((api, index) => person(api, `loyal-${index}`));
    const leaving = apis.map((api, index) => person(api, `leaving-${index}`));
    epochs.push({ editorId, loyal, leaving, isOver: false });
    const until = performance.now() + EPOCH_MS;
    for (let n = 0; performance.now() < until && isOn(); n++) {
      for (const one of [...loyal, ...leaving]) {
        one.typist.type();
        one.typed.push(`[${one.name}:${n}]`);
      }
      await sleep(WORD_EVERY_MS);
    }
    for (const one of leaving) {
      one.surely ??= one.typist.acknowledged();
      one.typist.close();
    }
    // Whoever has stored everything leaves, so that the number of connections stays the same.
    for (const epoch of epochs) if (isSettled(epoch)) closeLoyal(epoch);
  }
  return { verify: (caller, withinMs) => verify(epochs, caller, withinMs) };
}

const textOf = ({ typist }: Person): string => typist.document.getText('content').toString();

const isSettled = ({ loyal, isOver }: Epoch): boolean =>
  isOver ||
  (loyal.every(({ typist }) => typist.provider.isSynced && !typist.provider.hasUnsyncedChanges) &&
    new Set(loyal.map(textOf)).size === 1);

const stateOf = ({ name, typist: { provider, document } }: Person): string =>
  `${name} is ${provider.isSynced ? 'synced' : 'not synced'} with ${provider.unsyncedChanges} changes to send and ${document.getText('content').length} characters`;

function closeLoyal(epoch: Epoch): void {
  if (epoch.isOver) return;
  epoch.isOver = true;
  for (const { typist } of epoch.loyal) typist.close();
}

async function verify(epochs: Epoch[], caller: Caller, withinMs: number): Promise<LiveVerdict> {
  const deadline = performance.now() + withinMs;
  const problems: string[] = [];
  let typed = 0;
  for (const epoch of epochs) {
    while (!isSettled(epoch) && performance.now() < deadline) await sleep(200);
    if (!isSettled(epoch))
      problems.push(`${epoch.editorId} does not converge: ${epoch.loyal.map(stateOf).join(', ')}`);
    const [stored] = (await caller.read('/v2/crdt/get', { ...HOME, editorId: epoch.editorId })) as Any[];
    problems.push(...compare(epoch, String(stored?.data ?? '')));
    typed += [...epoch.loyal, ...epoch.leaving].reduce((sum, one) => sum + one.typed.length, 0);
    closeLoyal(epoch);
  }
  return { texts: epochs.length, typed, problems };
}

/** Compares what was typed and acknowledged with the stored text. */
function compare({ editorId, loyal, leaving }: Epoch, text: string): string[] {
  const words = text.match(/\[[^\]]+\]/g) ?? [];
  const found = new Set(words);
  const wanted = [...loyal.flatMap(({ typed }) => typed), ...leaving.flatMap(({ surely }) => surely ?? [])];
  const lost = wanted.filter((word) => !found.has(word));
  const differing = loyal.filter((one) => textOf(one) !== text);
  return [
    ...(lost.length > 0 ? [`${editorId} lacks ${lost.length} words, such as ${lost[0]}`] : []),
    ...(words.length > found.size ? [`${editorId} has ${words.length - found.size} words twice`] : []),
    ...differing.map(({ name }) => `${name} sees another ${editorId} than the service stores`),
  ];
}
