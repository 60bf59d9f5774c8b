/**
 * Dot products of one vector of 16-bit numbers with many of 8 bits, as a WebAssembly module: its vector instructions
 * are eight times as fast as JavaScript. In its text format the function is
 *
 *     (func (export "score") (param $query i32) (param $rows i32) (param $count i32)
 *         (param $codes i32) (param $stride i32) (param $out i32)
 *       (local $at i32) (local $from i32) (local $end i32) (local $sum v128)
 *       (loop $row
 *         (local.set $at (i32.add (local.get $codes) (i32.mul (i32.load (local.get $rows)) (local.get $stride))))
 *         (local.set $from (local.get $query))
 *         (local.set $end (i32.add (local.get $from) (i32.shl (local.get $stride) (i32.const 1))))
 *         (local.set $sum (v128.const i64x2 0 0))
 *         (loop $part
 *           (local.set $sum (i32x4.add (local.get $sum)
 *             (i32x4.dot_i16x8_s (v128.load (local.get $from)) (v128.load8x8_s (local.get $at)))))
 *           (local.set $from (i32.add (local.get $from) (i32.const 16)))
 *           (local.set $at (i32.add (local.get $at) (i32.const 8)))
 *           (br_if $part (i32.lt_u (local.get $from) (local.get $end))))
 *         (i32.store (local.get $out) (sum of the four lanes of $sum))
 *         (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
 *         (local.set $out (i32.add (local.get $out) (i32.const 4)))
 *         (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
 */
const [QUERY, ROWS, COUNT, CODES, STRIDE, OUT, AT, FROM, END, SUM] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const constant = (value: number) => [0x41, value];
const ADD = [0x6a];
/** Opcode of the SIMD extension; values above 127 take two bytes (LEB128). */
const vector = (code: number) => [0xfd, ...(code < 128 ? [code] : [(code & 127) | 128, code >> 7])];
const lane = (index: number) => [...get(SUM), ...vector(0x1b), index];
const LOOP = [0x03, 0x40];
const END_OF_BLOCK = [0x0b];
const repeatIf = [0x0d, 0];

const body = [
  // Declares three i32 locals and one v128 local.
  ...[2, 3, 0x7f, 1, 0x7b],
  ...LOOP,
  ...[...get(CODES), ...get(ROWS), 0x28, 2, 0, ...get(STRIDE), 0x6c, ...ADD, ...set(AT)],
  ...[...get(QUERY), ...set(FROM)],
  ...[...get(FROM), ...get(STRIDE), ...constant(1), 0x74, ...ADD, ...set(END)],
  ...[...vector(0x0c), ...Array<number>(16).fill(0), ...set(SUM)],
  ...LOOP,
  ...[...get(SUM), ...get(FROM), ...vector(0x00), 3, 0, ...get(AT), ...vector(0x01), 3, 0],
  ...[...vector(0xba), ...vector(0xae), ...set(SUM)],
  ...[...get(FROM), ...constant(16), ...ADD, ...set(FROM)],
  ...[...get(AT), ...constant(8), ...ADD, ...set(AT)],
  ...[...get(FROM), ...get(END), 0x49, ...repeatIf],
  ...END_OF_BLOCK,
  ...[...get(OUT), ...lane(0), ...lane(1), ...ADD, ...lane(2), ...ADD, ...lane(3), ...ADD, 0x36, 2, 0],
  ...[...get(ROWS), ...constant(4), ...ADD, ...set(ROWS)],
  ...[...get(OUT), ...constant(4), ...ADD, ...set(OUT)],
  ...[...get(COUNT), ...constant(1), 0x6b, 0x22, COUNT, ...repeatIf],
  ...END_OF_BLOCK,
  ...END_OF_BLOCK,
];

const text = (value: string) => [value.length, ...Buffer.from(value)];
/** LEB128 of up to 14 bits. */
const long = (value: number) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
const section = (id: number, content: number[]) => [id, ...long(content.length), ...content];
const code = [...long(body.length), ...body];

const module = new WebAssembly.Module(
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // One function type (six i32, no result); the memory is imported.
    ...section(1, [1, 0x60, 6, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
    ...section(2, [1, ...text('js'), ...text('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('score'), 0, 0]),
    ...section(10, [1, ...code]),
  ]),
);

type Score = (query: number, rows: number, count: number, codes: number, stride: number, out: number) => void;

const PAGE = 65_536;
/** Rows scored by one call. */
const BLOCK = 4_096;
/** Pages by which the memory grows; growing copies nothing. */
const GROWTH = 16;

/** An append-only matrix of 8-bit vectors, and their dot products with a query. */
export class DotProducts {
  readonly #memory: WebAssembly.Memory;
  readonly #score: Score;
  readonly #stride: number;
  readonly #rowsAt: number;
  readonly #outAt: number;
  readonly #codesAt: number;
  #rows = 0;

  constructor(dimensions: number) {
    this.#stride = Math.ceil(dimensions / 8) * 8;
    this.#rowsAt = 2 * this.#stride;
    this.#outAt = this.#rowsAt + 4 * BLOCK;
    this.#codesAt = this.#outAt + 4 * BLOCK;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#codesAt / PAGE) });
    const { exports } = new WebAssembly.Instance(module, { js: { memory: this.#memory } });
    this.#score = exports.score as Score;
  }

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Appends a vector of integers from -127 to 127. Returns its row. */
  add(codes: ArrayLike<number>): number {
    const at = this.#codesAt + this.#rows * this.#stride;
    const missing = at + this.#stride - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.max(GROWTH, Math.ceil(missing / PAGE)));
    new Int8Array(this.#memory.buffer, at, codes.length).set(codes);
    this.#rows += 1;
    return this.#rows - 1;
  }

  /** A view of a row, valid until the next `add`. */
  row(row: number): Int8Array {
    return new Int8Array(this.#memory.buffer, this.#codesAt + row * this.#stride, this.#stride);
  }

  /** Dot products of rows with a query. The caller keeps the sums within 32 bits. */
  score(query: Int16Array, rows: Uint32Array): Int32Array {
    const { buffer } = this.#memory;
    const padded = new Int16Array(buffer, 0, this.#stride).fill(0);
    padded.set(query);
    const block = new Uint32Array(buffer, this.#rowsAt, BLOCK);
    const products = new Int32Array(rows.length);
    for (let from = 0; from < rows.length; from += BLOCK) {
      const part = rows.subarray(from, from + BLOCK);
      block.set(part);
      this.#score(0, this.#rowsAt, part.length, this.#codesAt, this.#stride, this.#outAt);
      products.set(new Int32Array(buffer, this.#outAt, part.length), from);
    }
    return products;
  }
}
