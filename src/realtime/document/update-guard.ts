import { createDecoder, hasContent, readVarUint } from 'lib0/decoding';
import {
  type AbstractType,
  ContentDoc,
  ContentType,
  type Doc,
  decodeUpdate,
  getItem,
  type ID,
  Item,
} from 'yjs';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/limits.ts';
import type { OpenEditor } from './open-editor.ts';

type Decoded = ReturnType<typeof decodeUpdate>;
type Struct = Decoded['structs'][number];

/** Clocks count characters; none that is honest comes near to this. */
const MAX_CLOCK = 2 ** 40;

/**
 * Judges an update (Yjs, V1) before it is applied; answers what is wrong with it. What it names must be looked for
 * in the document as it is in that very moment.
 */
export function judgeUpdate(
  { document, deletedClients }: Pick<OpenEditor, 'document' | 'deletedClients'>,
  update: Uint8Array,
  limits: Limits,
): Cause | undefined {
  let structs: Struct[];
  let ds: Decoded['ds'];
  try {
    // Yjs reads an update of the second encoding as one that says nothing.
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
  return nested.length > 0 ? judgeNesting(document, structs, nested, limits.nesting) : undefined;
}

/**
 * Whether ranges ascend and none overlaps another, as Yjs writes them. It walks the structs in each, so ranges that
 * repeat each other would hold the process for hours.
 */
function areApart(ranges: readonly { clock: number; len: number }[]): boolean {
  let end = 0;
  for (const { clock, len } of ranges) {
    if (len <= 0 || clock < end) return false;
    end = clock + len;
  }
  return true;
}

/** Whether an item builds upon something that its client was to write only later, at which Yjs would throw. */
function pointsAhead({ id, origin, rightOrigin, parent }: Item): boolean {
  const within = parent as AbstractType<unknown> | ID | string | null;
  return [
    origin,
    rightOrigin,
    within !== null && typeof within === 'object' && 'clock' in within ? within : null,
  ].some((other) => other?.client === id.client && other.clock >= id.clock);
}

/** An update that only deletes makes a document no larger. */
export function onlyDeletes(update: Uint8Array): boolean {
  // It begins with how many clients wrote something.
  return update[0] === 0;
}

/** Whether an update without content holds deletions (per client: its id, and clock and length of each) and no more. */
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

function judgeNesting(document: Doc, structs: Struct[], nested: Item[], limit: number): Cause | undefined {
  const byClient = Map.groupBy(structs, (struct) => struct.id.client);
  const depths = new Map<Item, number>();

  const find = (id: ID): Struct | undefined => {
    const own = findByClock(byClient.get(id.client) ?? [], id.clock);
    if (own) return own;
    const known = document.store.clients.get(id.client)?.at(-1);
    return known && id.clock < known.id.clock + known.length ? getItem(document.store, id) : undefined;
  };

  /** How many types lie around an item; undefined where that cannot be told. */
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
      // One that names no parent lies beside its neighbour.
      const id = parent ?? at.origin ?? at.rightOrigin;
      const next = id ? find(id) : undefined;
      if (!next || passed.length > structs.length) return undefined;
      passed.push([at, parent ? 1 : 0]);
      if (!(next instanceof Item)) {
        // Its place was deleted meanwhile, and so will it be.
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
    // Later it might come to lie anywhere; nobody who works on a document sends such a thing.
    if (depth === undefined) return 'strandedUpdates';
    if (depth + 1 > limit) return 'nestedTooDeep';
  }
  return undefined;
}

/** The struct that a clock falls into, among those of one client in their order. */
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

/** How many types lie within each other down to this one, itself included; a root lies in none. */
function depthOf(type: AbstractType<unknown>, limit: number): number {
  let depth = 0;
  for (let at: AbstractType<unknown> | null = type; at?._item && depth <= limit; depth++) {
    at = at._item.parent as AbstractType<unknown> | null;
  }
  return depth;
}
