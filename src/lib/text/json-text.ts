import { randomUUID } from 'node:crypto';
import type { Fields } from '../json.ts';
import { mapInSlices } from '../threads/in-slices.ts';

/** Random per process, so that no content can contain it. */
const MARK = `json-text ${randomUUID()}`;

/** The parts that the running `writeJson` has found. */
let foundParts: JsonText[] | undefined;

/** A part of a response that is already serialized as JSON in UTF-8. Only `writeJson` can write it. */
export class JsonText {
  /** The serialized bytes, in order. */
  readonly pieces: readonly Uint8Array[];

  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
  }

  toJSON(): string {
    if (!foundParts) throw new Error('Only writeJson can write a JsonText.');
    foundParts.push(this);
    return MARK;
  }
}

/** Serializes a value and inserts the parts that are already JSON. Returns bytes if there are such parts. */
export function writeJson(value: unknown): string | Buffer {
  const parts: JsonText[] = [];
  let text: string;
  foundParts = parts;
  try {
    text = JSON.stringify(value);
  } finally {
    foundParts = undefined;
  }
  if (parts.length === 0) return text;
  const [first, ...rest] = text.split(`"${MARK}"`);
  return Buffer.concat([
    Buffer.from(first!),
    ...rest.flatMap((piece, index) => [...parts[index]!.pieces, Buffer.from(piece)]),
  ]);
}

/** Shorter lists are serialized at once. */
const LONG_LIST = 100;
/** Items are joined into pieces of about this size, because concatenating many small pieces is slow. */
const PIECE_CHARS = 65_536;
/** Depth up to which long lists are searched for in a response. */
const LEVELS = 4;

const hasLongList = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null || levels === 0 || value instanceof JsonText) return false;
  if (Array.isArray(value)) return value.length > LONG_LIST;
  for (const key in value) if (hasLongList((value as Fields)[key], levels - 1)) return true;
  return false;
};

/** Serializes the long lists of a value in slices of the event loop, so that other requests are served in between. */
export function serializeLongLists(value: unknown): unknown {
  return hasLongList(value, LEVELS) ? serialized(value, LEVELS) : value;
}

async function serialized(value: unknown, levels: number): Promise<unknown> {
  if (!hasLongList(value, levels)) return value;
  if (Array.isArray(value)) return await serializeList(value);
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value as object))
    entries.push([key, await serialized(inner, levels - 1)]);
  return Object.fromEntries(entries);
}

async function serializeList(items: readonly unknown[]): Promise<JsonText> {
  const pieces: Uint8Array[] = [];
  let gathered = '[';
  await mapInSlices(items, (item, index) => {
    const json = item === undefined ? 'null' : writeJson(item);
    if (index > 0) gathered += ',';
    if (typeof json === 'string') gathered += json;
    if (typeof json === 'string' && gathered.length < PIECE_CHARS) return;
    pieces.push(Buffer.from(gathered));
    if (typeof json !== 'string') pieces.push(json);
    gathered = '';
  });
  pieces.push(Buffer.from(`${gathered}]`));
  return new JsonText(...pieces);
}
