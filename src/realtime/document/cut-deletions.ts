import { type Doc, decodeUpdate, findIndexSS, getState } from 'yjs';
import { encodeUpdate } from './slice-update.ts';

/** For each, Yjs may move all structs of its client: some milliseconds together in a document of hundreds of thousands. */
const MOST_STRUCTS = 20;

/**
 * Cuts an update that only deletes into updates that each delete few structs of the document. Each is cut when it is
 * asked for, since what was applied before changes what there is.
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

/** Where the last of a few structs ends that begin with the one at a clock. */
function endOfFew({ store }: Doc, client: number, clock: number): number {
  // What is not there yet is noted by Yjs, and costs nothing now.
  if (clock >= getState(store, client)) return Number.POSITIVE_INFINITY;
  const structs = store.clients.get(client)!;
  const last = structs[Math.min(structs.length, findIndexSS(structs, clock) + MOST_STRUCTS) - 1]!;
  return last.id.clock + last.length;
}

/** Above this, deleting so many structs of a large document takes tens of milliseconds. */
const MUCH = 100;

/** True if an update deletes many structs that are not deleted yet. */
export function deletesMuch({ store }: Doc, update: Uint8Array): boolean {
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
        if (count > MUCH) return true;
      }
    }
  }
  return false;
}

/** True if an update holds something that the document does not. */
export const writesAnew = ({ store }: Doc, update: Uint8Array): boolean =>
  decodeUpdate(update).structs.some(({ id, length }) => id.clock + length > getState(store, id.client));
