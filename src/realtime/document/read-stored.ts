import { JsonText } from '../../lib/text/json-text.ts';
import { readContent } from '../edit/read-content.ts';
import { isSmall, sharedContentPool } from './content-pool.ts';
import type { Declared } from './content-tasks.ts';
import { openStored, type Stored, stateOf, writersOf } from './stored-content.ts';

/**
 * The stored content of an editor for a response; that of a large editor is serialized in a thread. `onBegin` is called
 * when a thread starts, so that its memory can be accounted from then on.
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
export async function compactedState(
  owner: string,
  stored: Stored,
  onBegin: () => void,
): Promise<Uint8Array> {
  if (isSmall(stored)) return stateOf(openStored(stored));
  const { snapshot, updates } = stored;
  const { state } = await sharedContentPool().run<'compact'>(owner, () => {
    onBegin();
    return { name: 'compact', stored: { snapshot, updates }, declared: undefined, maxBytes: 0 };
  });
  return state;
}

/** Ids of all Yjs clients that wrote in an editor. Called under locks, so it does not queue behind changes. */
export async function writersIn(apiKeyId: string, stored: Stored): Promise<number[]> {
  if (isSmall(stored)) return writersOf(stored);
  const { snapshot, updates } = stored;
  const { clientIds } = await sharedContentPool().run<'writers'>(`delete ${apiKeyId}`, () => ({
    name: 'writers',
    stored: { snapshot, updates },
  }));
  return clientIds;
}
