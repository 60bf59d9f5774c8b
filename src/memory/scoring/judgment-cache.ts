import { wordsOf } from '../../lib/text/search-words.ts';
import { magnitude } from '../../lib/vectors.ts';
import type { SearchRow } from '../../store/memory/search-rows.ts';
import { componentsOf } from '../../store/memory/stored-vectors.ts';
import { searchableText } from '../embedding/searchable-text.ts';
import { DotProducts } from './dot-products.ts';
import { Column, PackedTexts, wordNumbers } from './vector-columns.ts';

/** Vectors of one model and length. */
export interface VectorSet {
  model: number;
  dimensions: number;
  dots: DotProducts;
  /** By row: length of the stored vector; 1 if it is all zeros. */
  length: Column<Float64Array>;
  /** By row: largest error of a cosine that quantization causes. */
  radius: Column<Float32Array>;
  /** Rows in use. */
  used: number;
  /** Stored components by row, from which cosines are exact; undefined once they take more than `EXACT_BYTES`. */
  exact: Column<Int16Array> | undefined;
}

/** Vectors of a judgment with their lengths, as they are stored. */
export interface ExactVectors {
  model: string;
  vectors: { vector: Int16Array; length: number }[];
}

/** Limit of the exact vectors of a set. Larger sets take them from the database, for the contenders of a search alone. */
const EXACT_BYTES = 16 * 1024 * 1024;

const u32 = (capacity: number) => new Column((length) => new Uint32Array(length), capacity);
const u16 = (capacity: number) => new Column((length) => new Uint16Array(length), capacity);

/**
 * In-memory column store of all that a search reads about an API key's judgments, with the vectors of one kind: about
 * 500 bytes per judgment of 384 dimensions. A judgment keeps its number for the life of the cache, even if it is
 * removed and comes back.
 */
export class JudgmentCache {
  /** Judgment ids by number. */
  readonly ids = new PackedTexts();
  /** Interned ids and names that filters compare. */
  readonly names = new PackedTexts();
  readonly isPresent: Column<Uint8Array>;
  readonly createdAt: Column<Float64Array>;
  readonly changed: Column<Float64Array>;
  readonly organization: Column<Uint32Array>;
  readonly document: Column<Uint32Array>;
  readonly reviewer: Column<Uint32Array>;
  /** Judgments without a content type have the number of the empty name, which no content type has. */
  readonly contentType: Column<Uint32Array>;
  readonly decision: Column<Uint32Array>;
  readonly judgeType: Column<Uint8Array>;
  readonly isOfAssistant: Column<Uint8Array>;
  readonly model: Column<Uint32Array>;
  readonly firstWord: Column<Uint32Array>;
  readonly wordCount: Column<Uint16Array>;
  readonly words: Column<Uint32Array>;
  /** Location of its vectors: set, first row, number of rows. */
  readonly set: Column<Uint16Array>;
  readonly row: Column<Uint32Array>;
  readonly rows: Column<Uint16Array>;
  readonly sets: (VectorSet | undefined)[] = [];
  #scratch = new Uint32Array(0);
  #presentCount = 0;
  #unusedWords = 0;

  constructor(expected: number) {
    this.isPresent = new Column((length) => new Uint8Array(length), expected);
    this.judgeType = new Column((length) => new Uint8Array(length), expected);
    this.isOfAssistant = new Column((length) => new Uint8Array(length), expected);
    this.createdAt = new Column((length) => new Float64Array(length), expected);
    this.changed = new Column((length) => new Float64Array(length), expected);
    [this.organization, this.document, this.reviewer] = [u32(expected), u32(expected), u32(expected)];
    [this.contentType, this.decision, this.model] = [u32(expected), u32(expected), u32(expected)];
    [this.firstWord, this.words, this.row] = [u32(expected), u32(16 * expected), u32(expected)];
    [this.wordCount, this.set, this.rows] = [u16(expected), u16(expected), u16(expected)];
    this.names.intern('');
  }

  /** Numbers assigned so far, those of removed judgments included. */
  get length(): number {
    return this.ids.length;
  }

  get bytes(): number {
    const columns = this.#columns().reduce((sum, column) => sum + column.bytes, 0);
    const vectors = this.sets.reduce(
      (sum, set) =>
        sum + (set ? set.dots.bytes + set.length.bytes + set.radius.bytes + (set.exact?.bytes ?? 0) : 0),
      0,
    );
    return columns + vectors + this.words.bytes + this.ids.bytes + this.names.bytes + 4 * this.length;
  }

  /** A scratch buffer of one number per judgment, reused by every scan. */
  scratch(): Uint32Array<ArrayBuffer> {
    if (this.#scratch.length !== this.length) this.#scratch = new Uint32Array(this.length);
    return this.#scratch;
  }

  /** True if, beyond some slack, more than half of the numbers, words or vector rows are unused. */
  get needsRebuild(): boolean {
    const rows = this.sets.reduce((sum, set) => sum + (set ? set.dots.rows - set.used : 0), 0);
    return (
      2 * this.#presentCount + 1_000 < this.length ||
      2 * this.#unusedWords > this.words.length + 10_000 ||
      2 * rows > this.sets.reduce((sum, set) => sum + (set?.dots.rows ?? 0), 0) + 1_000
    );
  }

  /** Transaction of the cached version of a judgment; undefined if it is not cached. */
  changedAt(judgmentId: string): number | undefined {
    const number = this.ids.find(judgmentId);
    return number !== undefined && this.isPresent.values[number] === 1
      ? this.changed.values[number]
      : undefined;
  }

  put(copy: SearchRow): void {
    const number = this.ids.intern(copy.judgmentId);
    if (number === this.createdAt.length) for (const column of this.#columns()) column.extend(1);
    this.#presentCount += 1 - this.isPresent.values[number]!;
    this.isPresent.values[number] = 1;
    this.createdAt.values[number] = copy.createdAt;
    this.changed.values[number] = copy.changed;
    this.organization.values[number] = this.names.intern(copy.organizationId);
    this.document.values[number] = this.names.intern(copy.documentId);
    this.reviewer.values[number] = this.names.intern(copy.reviewerId);
    this.contentType.values[number] = this.names.intern(copy.contentType ?? '');
    this.decision.values[number] = this.names.intern(copy.decision);
    this.judgeType.values[number] = copy.judgeType === 'agent' ? 1 : 0;
    this.isOfAssistant.values[number] = copy.isOfAssistant ? 1 : 0;
    this.model.values[number] = this.names.intern(copy.model);
    this.#putWords(number, copy);
    this.#putVectors(number, copy);
  }

  remove(judgmentId: string): void {
    const number = this.ids.find(judgmentId);
    if (number === undefined || this.isPresent.values[number] === 0) return;
    this.#presentCount -= 1;
    this.isPresent.values[number] = 0;
    this.#unusedWords += this.wordCount.values[number]!;
    this.wordCount.values[number] = 0;
    this.#releaseRows(number);
  }

  /** Releases spare capacity. */
  trim(): void {
    for (const column of [...this.#columns(), this.words, this.ids, this.names]) column.trim();
    for (const set of this.sets)
      for (const column of set ? [set.length, set.radius, set.exact] : []) column?.trim();
  }

  /** False if only the database has the exact vectors of some judgments. */
  get hasExactVectors(): boolean {
    return this.sets.every((set) => !set || set.exact !== undefined);
  }

  /** Exact vectors of a judgment; undefined if only the database has them. None if it has no vectors. */
  exactVectors(number: number): ExactVectors | undefined {
    const rows = this.rows.values[number]!;
    if (rows === 0 || this.isPresent.values[number] === 0) return { model: '', vectors: [] };
    const { exact, length, model, dimensions } = this.sets[this.set.values[number]!]!;
    if (!exact) return undefined;
    const first = this.row.values[number]!;
    const vectors = Array.from({ length: rows }, (_, window) => {
      const row = first + window;
      return {
        vector: exact.values.subarray(row * dimensions, (row + 1) * dimensions),
        length: length.values[row]!,
      };
    });
    return { model: this.names.text(model), vectors };
  }

  #columns() {
    return [
      ...[this.isPresent, this.judgeType, this.createdAt, this.changed, this.organization, this.document],
      ...[this.reviewer, this.contentType, this.decision, this.model, this.firstWord, this.wordCount],
      ...[this.set, this.row, this.rows, this.isOfAssistant],
    ];
  }

  #putWords(number: number, { words, decision, reasoning, content }: SearchRow): void {
    // Words that are not stored yet are computed from the texts.
    const text =
      words ??
      (['review', 'content'] as const)
        .flatMap((kind) =>
          wordsOf(searchableText({ decision, reasoning: reasoning ?? '', content }, kind) ?? ''),
        )
        .join(' ');
    const numbers = wordNumbers(text);
    const before = this.wordCount.values[number]!;
    this.#unusedWords += before;
    const from =
      before > 0 && numbers.length <= before
        ? this.firstWord.values[number]!
        : this.words.extend(numbers.length);
    if (before > 0 && numbers.length <= before) this.#unusedWords -= numbers.length;
    this.words.values.set(numbers, from);
    this.firstWord.values[number] = from;
    this.wordCount.values[number] = numbers.length;
  }

  #putVectors(number: number, { directions, windows }: SearchRow): void {
    if (directions === null || windows === 0) {
      this.#releaseRows(number);
      return;
    }
    const bytes = directions.length / windows;
    const model = this.model.values[number]!;
    const before = this.sets[this.set.values[number]!];
    const isInPlace =
      this.rows.values[number]! >= windows && before?.model === model && before.dimensions === bytes / 2;
    const first = isInPlace ? this.row.values[number]! : undefined;
    if (isInPlace) before.used -= this.rows.values[number]!;
    else this.#releaseRows(number);
    const place = isInPlace ? this.set.values[number]! : this.#setOf(model, bytes / 2);
    const set = this.sets[place]!;
    set.used += windows;
    for (let window = 0; window < windows; window++) {
      const direction = componentsOf(directions.subarray(window * bytes, (window + 1) * bytes));
      const row = writeRow(set, first === undefined ? undefined : first + window, direction);
      if (window === 0) this.row.values[number] = row;
    }
    this.set.values[number] = place;
    this.rows.values[number] = windows;
  }

  #setOf(model: number, dimensions: number): number {
    const known = this.sets.findIndex((set) => set?.model === model && set.dimensions === dimensions);
    if (known >= 0) return known;
    const free = this.sets.indexOf(undefined);
    const place = free >= 0 ? free : this.sets.length;
    this.sets[place] = {
      model,
      dimensions,
      dots: new DotProducts(dimensions),
      length: new Column((length) => new Float64Array(length), 64),
      radius: new Column((length) => new Float32Array(length), 64),
      used: 0,
      exact: new Column((length) => new Int16Array(length), 64 * dimensions),
    };
    return place;
  }

  #releaseRows(number: number): void {
    const rows = this.rows.values[number]!;
    if (rows === 0) return;
    this.rows.values[number] = 0;
    const place = this.set.values[number]!;
    const set = this.sets[place]!;
    set.used -= rows;
    // All vectors have gone over to another model.
    if (set.used === 0) this.sets[place] = undefined;
  }
}

/** Quantizes stored 16-bit components to 8 bits: 32,767 becomes 127. */
export const REDUCTION = 127 / 32_767;

/** Writes a direction into a row, or into a new row if `place` is undefined. Returns the row. */
function writeRow(set: VectorSet, place: number | undefined, direction: Int16Array): number {
  const codes = new Int8Array(direction.length);
  let lost = 0;
  for (let at = 0; at < direction.length; at++) {
    const exact = direction[at]! * REDUCTION;
    const code = Math.round(exact);
    codes[at] = code;
    lost += (exact - code) ** 2;
  }
  const length = magnitude(direction);
  const row = place ?? set.dots.add(codes);
  if (place === undefined) {
    set.length.extend(1);
    set.radius.extend(1);
  } else set.dots.row(row).set(codes);
  if (set.exact) {
    if (place === undefined) set.exact.extend(direction.length);
    if (set.exact.bytes > EXACT_BYTES) set.exact = undefined;
    else set.exact.values.set(direction, row * direction.length);
  }
  set.length.values[row] = length || 1;
  set.radius.values[row] = length === 0 ? 0 : Math.sqrt(lost) / (REDUCTION * length);
  return row;
}
