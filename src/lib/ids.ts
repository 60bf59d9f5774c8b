import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

// Bytes beyond a multiple of the alphabet's length would favor its first letters.
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

// A system call for a few random bytes costs as much as one for many.
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++]!;
}

/** A random id of `length` characters from an alphabet of 54; 20 characters have 115 bits. */
export function randomId(length = 20): string {
  let id = '';
  while (id.length < length) {
    const byte = randomByte();
    if (byte < FAIR_BYTES) id += ALPHABET[byte % ALPHABET.length];
  }
  return id;
}

/** A new id: a prefix for its kind, then random characters. */
export const newId = (prefix: string): string => `${prefix}_${randomId()}`;

/** A new execution id: the start time, then random characters. */
export const newExecutionId = (startedAt: number): string => `exec_${startedAt}_${randomId(12)}`;

/** A new review id: the start time, then random characters. */
export const newReviewId = (startedAt: number): string => `review_${startedAt}_${randomId(12)}`;

/**
 * A new id that begins with the time, for rows that are many and mostly read while they are new: neighbors in time are
 * neighbors in the index, so that few of its pages are in use.
 */
export const newTimedId = (prefix: string): string =>
  `${prefix}_${Date.now().toString(36).padStart(8, '0')}${randomId(12)}`;

/** MD5 as 32 hex digits, for ids and URLs in results. Not for secrets. */
export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A deterministic 16-digit decimal id, as batch results about documents contain it. */
export function decimalId(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return (10n ** 15n + (digest.readBigUInt64BE(0) % (9n * 10n ** 15n))).toString();
}
