import { applyUpdate, Doc, encodeStateAsUpdate, parseUpdateMeta } from 'yjs';
import { unpackUpdates } from '../../lib/update-list.ts';
import type { StoredEditor } from '../../store/live/crdt-log.ts';

export type Stored = Pick<StoredEditor, 'snapshot' | 'updates'>;

/** All stored updates of an editor, in order. */
export const updatesOf = ({ snapshot, updates }: Stored): Uint8Array[] => [
  ...(snapshot ? [snapshot] : []),
  ...(updates ? unpackUpdates(updates) : []),
];

/** The stored content as a private document. */
export function openStored(stored: Stored): Doc {
  const document = new Doc();
  document.transact(() => {
    for (const update of updatesOf(stored)) applyUpdate(document, update);
  });
  return document;
}

/** A document as one update, pending updates included. */
export const stateOf = (document: Doc): Uint8Array => encodeStateAsUpdate(document);

/** Ids of all Yjs clients that wrote in an editor. */
export const writersOf = (stored: Stored): number[] => [
  ...new Set(updatesOf(stored).flatMap((update) => [...parseUpdateMeta(update).to.keys()])),
];
