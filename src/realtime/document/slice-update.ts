import { writeVarUint } from 'lib0/encoding';
import { decodeUpdate, type ID, Item, Skip, UpdateEncoderV1 } from 'yjs';

type Decoded = ReturnType<typeof decodeUpdate>;
type Struct = Decoded['structs'][number];

/** Structs of one client, in their order, and how far they have been taken. */
interface Line {
  structs: Struct[];
  at: number;
  isOnStack: boolean;
}

/** What one slice may hold. */
interface SliceLimits {
  structs: number;
  /** Characters and values of all structs together. */
  length: number;
  /** Each range may split a struct, which moves all that follow it in its client's list. */
  ranges: number;
}

const LIMITS: SliceLimits = { structs: 400, length: 131_072, ranges: 50 };

/**
 * Cuts an update (Yjs, V1) into updates that together do the same when applied in their order, each within a few
 * milliseconds. Content comes before deletions, so that in between nothing is missing that is there before and after.
 */
export function sliceUpdate(update: Uint8Array, limits: SliceLimits = LIMITS): Uint8Array[] {
  const { structs, ds } = decodeUpdate(update);
  return [...sliceStructs(structs, limits), ...sliceDeletions(ds, limits)];
}

function* sliceStructs(structs: readonly Struct[], limits: SliceLimits): Generator<Uint8Array> {
  let slice = new Map<number, Struct[]>();
  let count = 0;
  let length = 0;
  for (const struct of inOrder(structs)) {
    const own = slice.get(struct.id.client);
    const last = own?.at(-1);
    // An update cannot hold structs of one client that do not follow each other.
    const isApart = last !== undefined && last.id.clock + last.length !== struct.id.clock;
    if (isApart || count >= limits.structs || length >= limits.length) {
      yield encodeUpdate(slice, new Map());
      slice = new Map();
      count = 0;
      length = 0;
    }
    const line = slice.get(struct.id.client);
    if (line) line.push(struct);
    else slice.set(struct.id.client, [struct]);
    count += 1;
    length += struct.length;
  }
  if (count > 0) yield encodeUpdate(slice, new Map());
}

/** Structs in an order in which each comes after those that it builds upon. */
function* inOrder(structs: readonly Struct[]): Generator<Struct> {
  const lines = new Map<number, Line>();
  for (const struct of structs) {
    // What is skipped is not there.
    if (struct instanceof Skip) continue;
    const line = lines.get(struct.id.client);
    if (line) line.structs.push(struct);
    else lines.set(struct.id.client, { structs: [struct], at: 0, isOnStack: false });
  }
  // Yjs takes higher ids first, since that makes for fewer conflicts.
  for (const client of [...lines.keys()].sort((a, b) => b - a)) {
    yield* takeUntil(lines, lines.get(client)!);
  }
}

function* takeUntil(lines: Map<number, Line>, first: Line): Generator<Struct> {
  const stack = [{ line: first, until: Number.POSITIVE_INFINITY }];
  first.isOnStack = true;
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { line, until } = top;
    const struct = line.structs[line.at];
    if (!struct || struct.id.clock > until) {
      line.isOnStack = false;
      stack.pop();
      continue;
    }
    const missing = missingOf(struct, lines);
    if (missing) {
      missing.line.isOnStack = true;
      stack.push(missing);
      continue;
    }
    line.at += 1;
    yield struct;
  }
}

/** What has to come before a struct and has not come yet. */
function missingOf(struct: Struct, lines: Map<number, Line>): { line: Line; until: number } | undefined {
  if (!(struct instanceof Item)) return undefined;
  const parent = struct.parent as unknown;
  for (const id of [struct.origin, struct.rightOrigin, isId(parent) ? parent : null]) {
    if (!id || id.client === struct.id.client) continue;
    const line = lines.get(id.client);
    const next = line?.structs[line.at];
    // On the stack already: only a broken client makes two that wait for each other.
    if (line && next && next.id.clock <= id.clock && !line.isOnStack) return { line, until: id.clock };
  }
  return undefined;
}

const isId = (value: unknown): value is ID => typeof value === 'object' && value !== null && 'clock' in value;

function* sliceDeletions({ clients }: Decoded['ds'], limits: SliceLimits): Generator<Uint8Array> {
  for (const [client, ranges] of clients) {
    for (let at = 0; at < ranges.length; at += limits.ranges) {
      yield encodeUpdate(new Map(), new Map([[client, ranges.slice(at, at + limits.ranges)]]));
    }
  }
}

export function encodeUpdate(
  structs: Map<number, Struct[]>,
  deletions: Map<number, readonly { clock: number; len: number }[]>,
): Uint8Array {
  const encoder = new UpdateEncoderV1();
  const { restEncoder } = encoder;
  writeVarUint(restEncoder, structs.size);
  for (const [client, line] of structs) {
    writeVarUint(restEncoder, line.length);
    encoder.writeClient(client);
    writeVarUint(restEncoder, line[0]!.id.clock);
    for (const struct of line) struct.write(encoder, 0);
  }
  writeVarUint(restEncoder, deletions.size);
  for (const [client, ranges] of deletions) {
    writeVarUint(restEncoder, client);
    writeVarUint(restEncoder, ranges.length);
    for (const { clock, len } of ranges) {
      writeVarUint(restEncoder, clock);
      writeVarUint(restEncoder, len);
    }
  }
  return encoder.toUint8Array();
}
