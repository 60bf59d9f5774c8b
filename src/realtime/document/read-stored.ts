import { JsonText } from '../../lib/text/json-text.ts';
import { readContent } from '../edit/read-content.ts';
import { isSmall, sharedContentPool } from './content-pool.ts';
import type { Declared } from './content-tasks.ts';
import { openStored, type Stored, stateOf, writersOf } from './stored-content.ts';

/**
 * The content of an editor as it is stored, for an answer: of a large one as JSON, which a thread writes. `onBegin` is
 * called when that begins, and not while it waits: what is stored is held meanwhile.
 */
export async function storedJson(
  owner: string,
  stored: Stored,
  declared: Declared,
  onBegin?: () => void,
): Promise<unknown> {
  if (isSmall(stored)) return readContent(openStored(stored), declared);
  const { snapshot, updates } = stored;
  const { type, contentKey } = declared;
  const { json } = await sharedContentPool().run<'read'>(owner, () => {
    onBegin?.();
    return { name: 'read', stored: { snapshot, updates }, declared: { type, contentKey } };
  });
  return new JsonText(json);
}

/** All that is stored of an editor as one update; see `storedJson`. */
export async function foldedState(owner: string, stored: Stored, onBegin: () => void): Promise<Uint8Array> {
  if (isSmall(stored)) return stateOf(openStored(stored));
  const { snapshot, updates } = stored;
  const { state } = await sharedContentPool().run<'fold'>(owner, () => {
    onBegin();
    return { name: 'fold', stored: { snapshot, updates }, declared: undefined, mostBytes: 0 };
  });
  return state;
}

/** Yjs client ids of all who wrote in an editor. It is asked for under locks, so it does not wait behind changes. */
export async function writersIn(apiKeyId: string, stored: Stored): Promise<number[]> {
  if (isSmall(stored)) return writersOf(stored);
  const { snapshot, updates } = stored;
  const { clientIds } = await sharedContentPool().run<'writers'>(`delete ${apiKeyId}`, () => ({
    name: 'writers',
    stored: { snapshot, updates },
  }));
  return clientIds;
}
