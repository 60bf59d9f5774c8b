import { randomUUID } from 'node:crypto';
import type { Fields } from '../json.ts';
import { mapInSlices } from '../threads/in-slices.ts';

/** Drawn for each process, so that no content can hold it. */
const MARK = `json-text ${randomUUID()}`;

/** While `writeJson` writes: the parts that it has met. */
let met: JsonText[] | undefined;

/** A part of an answer that is JSON already, in UTF-8. Only `writeJson` can write it. */
export class JsonText {
  /** Its bytes, in order. */
  readonly pieces: readonly Uint8Array[];

  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
  }

  toJSON(): string {
    if (!met) throw new Error('Only writeJson can write a JsonText.');
    met.push(this);
    return MARK;
  }
}

/** A value as JSON, with the parts that are JSON already as they are; bytes, where there are any. */
export function writeJson(value: unknown): string | Buffer {
  const parts: JsonText[] = [];
  let text: string;
  met = parts;
  try {
    text = JSON.stringify(value);
  } finally {
    met = undefined;
  }
  if (parts.length === 0) return text;
  const [first, ...rest] = text.split(`"${MARK}"`);
  return Buffer.concat([
    Buffer.from(first!),
    ...rest.flatMap((piece, index) => [...parts[index]!.pieces, Buffer.from(piece)]),
  ]);
}

/** A list that is shorter is written at once. */
const LONG_LIST = 100;
/** Items are gathered to pieces of about so many characters, since many small ones take long to put together. */
const PIECE_CHARS = 65_536;
/** In an answer, lists stand no deeper. */
const LEVELS = 4;

const isLong = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null || levels === 0 || value instanceof JsonText) return false;
  if (Array.isArray(value)) return value.length > LONG_LIST;
  for (const key in value) if (isLong((value as Fields)[key], levels - 1)) return true;
  return false;
};

/** A value whose long lists are JSON already: they are written in slices, and others are answered in between. */
export function withLongListsWritten(value: unknown): unknown {
  return isLong(value, LEVELS) ? written(value, LEVELS) : value;
}

async function written(value: unknown, levels: number): Promise<unknown> {
  if (!isLong(value, levels)) return value;
  if (Array.isArray(value)) return await writtenList(value);
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value as object))
    entries.push([key, await written(inner, levels - 1)]);
  return Object.fromEntries(entries);
}

async function writtenList(items: readonly unknown[]): Promise<JsonText> {
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
