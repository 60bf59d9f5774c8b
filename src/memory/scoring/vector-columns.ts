type Numbers = Float64Array | Float32Array | Int16Array | Uint32Array | Uint16Array | Uint8Array;

/** A growable typed array with little spare capacity. */
export class Column<T extends Numbers> {
  #make: (length: number) => T;
  /** Elements beyond `length` are unused. */
  values: T;
  length = 0;

  constructor(make: (length: number) => T, capacity: number) {
    this.#make = make;
    this.values = make(capacity);
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  /** Appends zeros. Returns the index of the first. */
  extend(by: number): number {
    const from = this.length;
    this.length += by;
    if (this.length > this.values.length) {
      const grown = this.#make(Math.ceil(this.length * 1.2) + 64);
      grown.set(this.values);
      this.values = grown;
    }
    return from;
  }

  /** Releases spare capacity. */
  trim(): void {
    if (this.values.length > this.length) this.values = this.values.slice(0, this.length) as T;
  }
}

const NONE = 0xff_ff_ff_ff;

/** Interned texts, numbered in order of arrival and packed as UTF-8: JavaScript strings take several times as much. */
export class PackedTexts {
  readonly #bytes = new Column((length) => new Uint8Array(length), 1_024);
  readonly #ends = new Column((length) => new Uint32Array(length), 64);
  /** Hash table with open addressing; an entry is the number of a text plus one, 0 is free. */
  #places = new Uint32Array(128);

  get length(): number {
    return this.#ends.length;
  }

  get bytes(): number {
    return this.#bytes.bytes + this.#ends.bytes + this.#places.byteLength;
  }

  find(text: string): number | undefined {
    const number = this.#look(Buffer.from(text)).number;
    return number === NONE ? undefined : number;
  }

  /** The number of a text, which is added if it is new. */
  intern(text: string): number {
    const bytes = Buffer.from(text);
    let { number, place } = this.#look(bytes);
    if (number !== NONE) return number;
    const from = this.#bytes.extend(bytes.length);
    this.#bytes.values.set(bytes, from);
    number = this.#ends.extend(1);
    this.#ends.values[number] = from + bytes.length;
    if (2 * this.length > this.#places.length) this.#rehash();
    else this.#places[place] = number + 1;
    return number;
  }

  text(number: number): string {
    return Buffer.from(this.#of(number)).toString();
  }

  trim(): void {
    this.#bytes.trim();
    this.#ends.trim();
  }

  #of(number: number): Uint8Array {
    const from = number === 0 ? 0 : this.#ends.values[number - 1]!;
    return this.#bytes.values.subarray(from, this.#ends.values[number]!);
  }

  #look(bytes: Uint8Array): { number: number; place: number } {
    const mask = this.#places.length - 1;
    for (let place = hashOf(bytes) & mask; ; place = (place + 1) & mask) {
      const number = this.#places[place]! - 1;
      if (number < 0) return { number: NONE, place };
      if (Buffer.compare(this.#of(number), bytes) === 0) return { number, place };
    }
  }

  #rehash(): void {
    this.#places = new Uint32Array(2 * this.#places.length);
    const mask = this.#places.length - 1;
    for (let number = 0; number < this.length; number++) {
      let place = hashOf(this.#of(number)) & mask;
      while (this.#places[place] !== 0) place = (place + 1) & mask;
      this.#places[place] = number + 1;
    }
  }
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return mixed(hash);
}

/** Words of a space-separated text as 32-bit hashes. */
export function wordNumbers(text: string): Uint32Array {
  if (text === '') return new Uint32Array(0);
  const numbers: number[] = [];
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 32) {
      numbers.push(mixed(hash));
      hash = 0x811c9dc5;
    } else hash = Math.imul(hash ^ unit, 0x01000193);
  }
  numbers.push(mixed(hash));
  return Uint32Array.from(numbers);
}

/** Finalizer of a hash: spreads differences over all bits. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
