import { type Issue, invalidArgument } from '../../lib/errors.ts';
import { FORBIDDEN_KEYS } from '../../lib/text/storable-json.ts';

/** Limits on the contents of a body, beyond its size. */
export interface JsonLimits {
  keysPerObject: number;
  /** Keys of all objects. */
  keys: number;
  /** Members of all arrays and objects. */
  values: number;
}

export const MAX_DEPTH = 64;
const MAX_ISSUES = 20;
/** A longer number may not fit a double. */
const LONG_NUMBER = 300;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Scans JSON in UTF-8 before it is parsed. Throws INVALID_ARGUMENT if it would be too expensive to parse: nested too
 * deeply, or too many keys or values. Finds duplicate keys, of which `JSON.parse` would silently use the last, and
 * determines whether the parsed value must be checked further. Invalid JSON is left to the parser.
 */
export class JsonScan {
  /** Duplicate keys of objects. */
  readonly issues: Issue[] = [];
  /** True if everything can be stored: no escape for NUL or a lone surrogate, no forbidden key, no huge number. */
  isPlain = true;
  readonly #bytes: Buffer;
  readonly #limits: JsonLimits;
  #at = 0;
  #depth = 0;
  #keys = 0;
  #values = 0;
  /** By depth: true for an object and false for a list; keys seen in it; the member that is being read. */
  readonly #isObject: boolean[] = [];
  readonly #seen: (Set<string> | undefined)[] = [];
  readonly #member: (string | number)[] = [];
  #expectsKey = false;
  #contentFrom = 0;
  #contentTo = 0;

  constructor(bytes: Buffer, limits: JsonLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Byte range of the value of `data.data` with the colon before it; undefined if there is none. */
  get content(): [from: number, to: number] | undefined {
    return this.#contentTo > 0 ? [this.#contentFrom, this.#contentTo] : undefined;
  }

  /** Scans about `count` more bytes. */
  advance(count: number): void {
    const bytes = this.#bytes;
    const until = Math.min(bytes.length, this.#at + count);
    while (this.#at < until) {
      const byte = bytes[this.#at++]!;
      switch (byte) {
        case QUOTE:
          this.#readString();
          break;
        case COMMA:
          this.#nextMember();
          break;
        case COLON:
          this.#expectsKey = false;
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          this.#open(byte === OPEN_OBJECT);
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          this.#endContent();
          this.#depth = Math.max(0, this.#depth - 1);
          this.#expectsKey = false;
          break;
        default:
          if (byte >= 0x30 && byte <= 0x39) this.#readNumber();
      }
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth === MAX_DEPTH) {
      throw invalidArgument(`The request body is nested deeper than ${MAX_DEPTH} levels.`);
    }
    this.#depth += 1;
    this.#isObject[this.#depth] = isObject;
    this.#member[this.#depth] = isObject ? '' : 0;
    const seen = this.#seen[this.#depth];
    if (isObject && seen !== undefined && seen.size > 0) this.#seen[this.#depth] = undefined;
    this.#expectsKey = isObject;
  }

  /** Called at the end of a member or of its parent. */
  #endContent(): void {
    if (this.#depth === 2 && this.#contentFrom > 0 && this.#contentTo === 0) this.#contentTo = this.#at - 1;
  }

  #nextMember(): void {
    this.#endContent();
    this.#values += 1;
    if (this.#values > this.#limits.values) {
      throw invalidArgument(`The request body contains more than ${this.#limits.values} values.`);
    }
    if (this.#isObject[this.#depth]) this.#expectsKey = true;
    else this.#member[this.#depth] = Number(this.#member[this.#depth] ?? 0) + 1;
  }

  #readString(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let hasEscape = false;
    for (let byte = bytes[at]; byte !== QUOTE && byte !== undefined; byte = bytes[at]) {
      if (byte === BACKSLASH) {
        hasEscape = true;
        at = this.#readEscape(at);
      } else at += 1;
    }
    this.#at = at + 1;
    if (this.#expectsKey && this.#isObject[this.#depth]) this.#readKey(start, at, hasEscape);
  }

  /** Skips the escape at a position, or the surrogate pair. NUL and lone surrogates are not plain. */
  #readEscape(at: number): number {
    const unit = this.#escapedAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const low = this.#escapedAt(at + 6);
      if (low >= 0xdc00 && low <= 0xdfff) return at + 12;
    }
    if (unit === 0 || (unit >= 0xd800 && unit <= 0xdfff)) this.isPlain = false;
    return at + 2;
  }

  /** Code unit of a `\u` escape at a position; NaN if there is none. Computed from bytes, which is faster than a string. */
  #escapedAt(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return Number.NaN;
    let unit = 0;
    for (let digit = at + 2; digit < at + 6; digit++) unit = unit * 16 + hexadecimal(bytes[digit]);
    return unit;
  }

  #readKey(start: number, end: number, hasEscape: boolean): void {
    this.#expectsKey = false;
    this.#keys += 1;
    const { keys, keysPerObject } = this.#limits;
    if (this.#keys > keys) throw invalidArgument(`The request body contains more than ${keys} keys.`);
    // One character per byte of UTF-8: equal if the keys are equal, and faster to decode.
    let key = this.#bytes.toString('latin1', start, end);
    if (hasEscape) key = withoutEscapes(this.#bytes.toString('utf8', start, end));
    if (FORBIDDEN_KEYS.has(key)) this.isPlain = false;
    let seen = this.#seen[this.#depth];
    if (!seen) {
      seen = new Set();
      this.#seen[this.#depth] = seen;
    }
    const before = seen.size;
    seen.add(key);
    this.#member[this.#depth] = key;
    if (this.#depth === 2 && key === 'data' && this.#member[1] === 'data') this.#contentFrom = end + 1;
    if (seen.size === before) this.#addIssue();
    if (seen.size > keysPerObject) {
      throw invalidArgument(`An object of the request body has more than ${keysPerObject} keys.`);
    }
  }

  #readNumber(): void {
    const bytes = this.#bytes;
    const start = this.#at - 1;
    let at = this.#at;
    let hasExponent = false;
    for (let byte = bytes[at]; byte !== undefined; byte = bytes[++at]) {
      if (byte === 0x65 || byte === 0x45) hasExponent = true;
      else if ((byte < 0x30 || byte > 0x39) && byte !== 0x2e && byte !== 0x2b && byte !== 0x2d) break;
    }
    const isLong = at - start > LONG_NUMBER;
    if (isLong || (hasExponent && !Number.isFinite(Number(bytes.toString('latin1', start, at)))))
      this.isPlain = false;
    this.#at = at;
  }

  #addIssue(): void {
    if (this.issues.length === MAX_ISSUES) return;
    const whole = this.#member
      .slice(1, this.#depth + 1)
      .map((part) => (typeof part === 'string' ? decode(part) : part));
    const path = whole[0] === 'data' ? whole.slice(1) : whole;
    const key = JSON.stringify(whole.at(-1));
    this.issues.push({ path, code: 'duplicate_key', message: `The key ${key} stands twice in an object.` });
  }
}

function hexadecimal(digit = 0): number {
  if (digit >= 0x30 && digit <= 0x39) return digit - 0x30;
  const letter = digit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

const decode = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');

/** The key in the form that it has without escapes, so that both forms are recognized as equal. */
function withoutEscapes(inner: string): string {
  try {
    return Buffer.from(JSON.parse(`"${inner}"`) as string, 'utf8').toString('latin1');
  } catch {
    return inner;
  }
}
