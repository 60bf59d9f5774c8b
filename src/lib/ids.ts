import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

// Bytes past the last full round of the alphabet would favour its first letters.
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

// Asking the system for a few bytes costs as much as asking for many.
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]!;
}

/** A random id that does not tell how many there are: `length` signs of 54, 20 of them hold 115 bits. */
export function randomId(length = 20): string {
  let id = '';
  while (id.length < length) {
    const byte = randomByte();
    if (byte < FAIR_BYTES) id += ALPHABET[byte % ALPHABET.length];
  }
  return id;
}

/** An id for the caller: what it names, then chance. */
export const newId = (prefix: string): string => `${prefix}_${randomId()}`;

/** The id an execution is known by: when it began, then chance. */
export const newExecutionId = (startedAt: number): string => `exec_${startedAt}_${randomId(12)}`;

/** 32 hex digits that stand for a caller's id or URL in answers. Not for secrets. */
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A 16-digit decimal number in words, as batch answers about documents carry it; the same for the same input. */
export function decimalId(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return (10n ** 15n + (digest.readBigUInt64BE(0) % (9n * 10n ** 15n))).toString();
}
