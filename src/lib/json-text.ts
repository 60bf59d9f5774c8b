import { randomUUID } from 'node:crypto';

/** Drawn for each process, so that no content can hold it. */
const MARK = `json-text ${randomUUID()}`;

let met: JsonText[] = [];

/** A part of an answer that is JSON already, in UTF-8. Only `writeJson` can write it. */
export class JsonText {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  toJSON(): string {
    met.push(this);
    return MARK;
  }
}

/** A value as JSON, with the parts that are JSON already as they are; bytes, where there are any. */
export function writeJson(value: unknown): string | Buffer {
  met = [];
  const text = JSON.stringify(value);
  if (met.length === 0) return text;
  const [first, ...rest] = text.split(`"${MARK}"`);
  return Buffer.concat([
    Buffer.from(first!),
    ...rest.flatMap((piece, index) => [met[index]!.bytes, Buffer.from(piece)]),
  ]);
}
