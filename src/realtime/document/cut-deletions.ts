import { type Doc, decodeUpdate, findIndexSS, getState } from 'yjs';
import { encodeUpdate } from './slice-update.ts';

/** Structs per update. For each, Yjs may move all structs of its client: milliseconds in a document of 100,000s. */
const MAX_STRUCTS = 20;

/**
 * Cuts an update of deletions into updates that each delete few structs of the document. They are cut lazily, because
 * each application changes the structs.
 */
export function* cutDeletions(document: Doc, update: Uint8Array): Generator<Uint8Array> {
  for (const [client, ranges] of decodeUpdate(update).ds.clients) {
    for (const { clock, len } of ranges) {
      const end = clock + len;
      for (let from = clock; from < end; ) {
        const until = Math.min(end, endOfFew(document, client, from));
        yield encodeUpdate(new Map(), new Map([[client, [{ clock: from, len: until - from }]]]));
        from = until;
      }
    }
  }
}

/** The clock at the end of a few structs from a clock on. */
function endOfFew({ store }: Doc, client: number, clock: number): number {
  // Yjs only notes deletions of unknown structs, which costs nothing now.
  if (clock >= getState(store, client)) return Number.POSITIVE_INFINITY;
  const structs = store.clients.get(client)!;
  const last = structs[Math.min(structs.length, findIndexSS(structs, clock) + MAX_STRUCTS) - 1]!;
  return last.id.clock + last.length;
}

/** Deleting more structs of a large document takes tens of milliseconds. */
const MANY_STRUCTS = 100;

/** True if an update deletes many structs that are not deleted yet. */
export function deletesMany({ store }: Doc, update: Uint8Array): boolean {
  let count = 0;
  for (const [client, ranges] of decodeUpdate(update).ds.clients) {
    const structs = store.clients.get(client) ?? [];
    const known = getState(store, client);
    for (const { clock, len } of ranges) {
      if (clock >= known) continue;
      for (let at = findIndexSS(structs, clock); at < structs.length; at++) {
        const struct = structs[at]!;
        if (struct.id.clock >= clock + len) break;
        if (!struct.deleted) count += 1;
        if (count > MANY_STRUCTS) return true;
      }
    }
  }
  return false;
}

/** True if an update contains structs that the document lacks. */
export const addsContent = ({ store }: Doc, update: Uint8Array): boolean =>
  decodeUpdate(update).structs.some(({ id, length }) => id.clock + length > getState(store, id.client));
