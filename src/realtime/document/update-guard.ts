import { createDecoder, hasContent, readVarUint } from 'lib0/decoding';
import {
  type AbstractType,
  ContentDoc,
  ContentType,
  type Doc,
  decodeUpdate,
  encodeStateAsUpdate,
  encodeStateVector,
  getItem,
  type ID,
  Item,
} from 'yjs';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/realtime-limits.ts';
import type { OpenEditor } from './open-editor.ts';

type Decoded = ReturnType<typeof decodeUpdate>;
type Struct = Decoded['structs'][number];

/** Clocks count characters; no honest client comes near this. */
const MAX_CLOCK = 2 ** 40;

/**
 * Validates an update (Yjs, V1) right before it is applied, against the document's present state. Returns the cause to
 * close the connection with, or undefined if the update is acceptable.
 */
export function checkUpdate(
  { document, deletedClients }: Pick<OpenEditor, 'document' | 'deletedClients'>,
  update: Uint8Array,
  limits: Limits,
): Cause | undefined {
  let structs: Struct[];
  let ds: Decoded['ds'];
  try {
    // Yjs reads an update of its second encoding as an empty one.
    if (onlyDeletes(update) && !endsWithDeletions(update)) return 'malformed';
    ({ structs, ds } = decodeUpdate(update));
  } catch {
    return 'malformed';
  }
  const nested: Item[] = [];
  let subdocuments = 0;
  for (const struct of structs) {
    if (struct.length <= 0 || struct.id.clock + struct.length > MAX_CLOCK) return 'malformed';
    if (deletedClients.size > 0 && deletedClients.has(struct.id.client)) return 'deleted';
    if (!(struct instanceof Item)) continue;
    if (pointsAhead(struct)) return 'malformed';
    if (struct.content instanceof ContentType) nested.push(struct);
    else if (struct.content instanceof ContentDoc) subdocuments += 1;
  }
  for (const deletions of ds.clients.values()) if (!areApart(deletions)) return 'malformed';
  if (subdocuments > 0 && subdocuments + document.subdocs.size > limits.subdocuments) return 'nestedTooDeep';
  return nested.length > 0 ? checkNesting(document, structs, nested, limits.nesting) : undefined;
}

/**
 * True if ranges ascend and do not overlap, as Yjs writes them. Yjs walks the structs of each range, so overlapping
 * ranges would block the process for hours.
 */
function areApart(ranges: readonly { clock: number; len: number }[]): boolean {
  let end = 0;
  for (const { clock, len } of ranges) {
    if (len <= 0 || clock < end) return false;
    end = clock + len;
  }
  return true;
}

/** True if an item depends on a later item of its own client, at which Yjs would throw. */
function pointsAhead({ id, origin, rightOrigin, parent }: Item): boolean {
  const container = parent as AbstractType<unknown> | ID | string | null;
  return [
    origin,
    rightOrigin,
    container !== null && typeof container === 'object' && 'clock' in container ? container : null,
  ].some((other) => other?.client === id.client && other.clock >= id.clock);
}

/** True if an update contains only deletions, so that it cannot enlarge a document. */
export function onlyDeletes(update: Uint8Array): boolean {
  // The first byte is the number of clients with structs.
  return update[0] === 0;
}

/** True if an update without structs ends after its deletions (per client: its id, then clock and length of each). */
function endsWithDeletions(update: Uint8Array): boolean {
  const decoder = createDecoder(update);
  readVarUint(decoder);
  for (let clients = readVarUint(decoder); clients > 0; clients--) {
    readVarUint(decoder);
    for (let deletions = readVarUint(decoder); deletions > 0; deletions--) {
      readVarUint(decoder);
      readVarUint(decoder);
    }
  }
  return !hasContent(decoder);
}

function checkNesting(document: Doc, structs: Struct[], nested: Item[], limit: number): Cause | undefined {
  const byClient = Map.groupBy(structs, (struct) => struct.id.client);
  const depths = new Map<Item, number>();

  const find = (id: ID): Struct | undefined => {
    const own = findByClock(byClient.get(id.client) ?? [], id.clock);
    if (own) return own;
    const known = document.store.clients.get(id.client)?.at(-1);
    return known && id.clock < known.id.clock + known.length ? getItem(document.store, id) : undefined;
  };

  /** Nesting depth of an item's container; undefined if it is unknown. */
  const depthAround = (item: Item): number | undefined => {
    const passed: [Item, number][] = [];
    let at = item;
    let depth: number;
    for (;;) {
      const before = depths.get(at);
      if (before !== undefined) {
        depth = before;
        break;
      }
      const parent = at.parent as AbstractType<unknown> | ID | string | null;
      if (typeof parent === 'string') {
        depth = 0;
        break;
      }
      if (parent !== null && '_item' in parent) {
        depth = depthOf(parent, limit);
        break;
      }
      // An item without a parent has the parent of its neighbor.
      const id = parent ?? at.origin ?? at.rightOrigin;
      const next = id ? find(id) : undefined;
      if (!next || passed.length > structs.length) return undefined;
      passed.push([at, parent ? 1 : 0]);
      if (!(next instanceof Item)) {
        // Its container was deleted meanwhile, so the item will be, too.
        depth = 0;
        break;
      }
      at = next;
    }
    depths.set(at, depth);
    for (const [one, step] of passed.reverse()) {
      depth += step;
      depths.set(one, depth);
    }
    return depth;
  };

  for (const item of nested) {
    const depth = depthAround(item);
    // Its depth would be decided later. No honest client sends such an item.
    if (depth === undefined) return 'strandedUpdates';
    if (depth + 1 > limit) return 'nestedTooDeep';
  }
  return undefined;
}

/** Binary search for the struct that contains a clock, among the ordered structs of one client. */
function findByClock(structs: readonly Struct[], clock: number): Struct | undefined {
  let low = 0;
  let high = structs.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const struct = structs[middle]!;
    if (clock < struct.id.clock) high = middle - 1;
    else if (clock >= struct.id.clock + struct.length) low = middle + 1;
    else return struct;
  }
  return undefined;
}

/** Number of nested types down to this one, itself included; 0 for a root type. */
function depthOf(type: AbstractType<unknown>, limit: number): number {
  let depth = 0;
  for (let at: AbstractType<unknown> | null = type; at?._item && depth <= limit; depth++) {
    at = at._item.parent as AbstractType<unknown> | null;
  }
  return depth;
}

/**
 * Yjs keeps updates that depend on missing ones as pending, and tries them again with every update, so there may be
 * only few. Returns an update with the pending ones, which must be stored, too, if there are new ones, undefined if
 * there are none, and `false` if there are too many.
 */
export function takePending(
  editor: OpenEditor,
  limits: Pick<Limits, 'pendingUpdates' | 'pendingBytes'>,
): Uint8Array | undefined | false {
  const { document } = editor;
  const { pendingStructs, pendingDs } = document.store;
  const bytes = (pendingStructs?.update.length ?? 0) + (pendingDs?.length ?? 0);
  const isMore = bytes > editor.pendingBytes;
  editor.pendingBytes = bytes;
  if (bytes === 0) editor.pendingUpdates = 0;
  if (!isMore) return undefined;
  editor.pendingUpdates += 1;
  if (editor.pendingUpdates > limits.pendingUpdates || bytes > limits.pendingBytes) return false;
  return encodeStateAsUpdate(document, encodeStateVector(document));
}
