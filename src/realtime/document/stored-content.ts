import { applyUpdate, Doc, encodeStateAsUpdate, parseUpdateMeta } from 'yjs';
import { unpackUpdates } from '../../lib/update-list.ts';
import type { StoredEditor } from '../../store/live/crdt-log.ts';

export type Stored = Pick<StoredEditor, 'snapshot' | 'updates'>;

/** All that is stored of an editor, in its order. */
export const updatesOf = ({ snapshot, updates }: Stored): Uint8Array[] => [
  ...(snapshot ? [snapshot] : []),
  ...(updates ? unpackUpdates(updates) : []),
];

/** What is stored of an editor as a document that nobody else sees. */
export function openStored(stored: Stored): Doc {
  const document = new Doc();
  document.transact(() => {
    for (const update of updatesOf(stored)) applyUpdate(document, update);
  });
  return document;
}

/** All of a document as one update; what waits for updates that never came is in it. */
export const stateOf = (document: Doc): Uint8Array => encodeStateAsUpdate(document);

/** Yjs client ids of everybody who wrote in an editor. */
export const writersOf = (stored: Stored): number[] => [
  ...new Set(updatesOf(stored).flatMap((update) => [...parseUpdateMeta(update).to.keys()])),
];
