import { writeVarUint } from 'lib0/encoding';
import { decodeUpdate, type ID, Item, Skip, UpdateEncoderV1 } from 'yjs';

type Decoded = ReturnType<typeof decodeUpdate>;
type Struct = Decoded['structs'][number];

/** The ordered structs of one client, and the position up to which they are taken. */
interface ClientStructs {
  structs: Struct[];
  at: number;
  isOnStack: boolean;
}

/** Limits of one slice. */
interface SliceLimits {
  structs: number;
  /** Characters and values of all structs together. */
  length: number;
  /** Each deleted range may split a struct, which moves all later structs of its client. */
  ranges: number;
}

const LIMITS: SliceLimits = { structs: 400, length: 131_072, ranges: 50 };

/**
 * Cuts an update (Yjs, V1) into updates that have the same effect when applied in order, each within a few milliseconds.
 * Content comes before deletions, so that nothing is missing in between that exists before and after.
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
    // The structs of one client in an update must be contiguous.
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

/** Structs in topological order: each after its dependencies. */
function* inOrder(structs: readonly Struct[]): Generator<Struct> {
  const lines = new Map<number, ClientStructs>();
  for (const struct of structs) {
    // Skips are gaps without content.
    if (struct instanceof Skip) continue;
    const line = lines.get(struct.id.client);
    if (line) line.structs.push(struct);
    else lines.set(struct.id.client, { structs: [struct], at: 0, isOnStack: false });
  }
  // Like Yjs, which takes higher ids first to have fewer conflicts.
  for (const client of [...lines.keys()].sort((a, b) => b - a)) {
    yield* takeUntil(lines, lines.get(client)!);
  }
}

function* takeUntil(lines: Map<number, ClientStructs>, first: ClientStructs): Generator<Struct> {
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

/** A dependency of a struct that is not taken yet. */
function missingOf(
  struct: Struct,
  lines: Map<number, ClientStructs>,
): { line: ClientStructs; until: number } | undefined {
  if (!(struct instanceof Item)) return undefined;
  const parent = struct.parent as unknown;
  for (const id of [struct.origin, struct.rightOrigin, isId(parent) ? parent : null]) {
    if (!id || id.client === struct.id.client) continue;
    const line = lines.get(id.client);
    const next = line?.structs[line.at];
    // A cycle, which only a broken client writes, is cut here.
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
