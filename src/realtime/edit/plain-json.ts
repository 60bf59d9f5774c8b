import { encodeAny, toBase64 } from 'lib0/buffer';
import { storable } from '../../lib/text/cut-text.ts';
import { MAX_LEVELS } from './value-tree.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A value of a document as JSON that the database can store: bytes become base64, large integers strings of digits, and
 * values without a counterpart null. Undefined properties are left out.
 */
export function jsonOf(value: unknown, level = 0): Json {
  switch (typeof value) {
    case 'string':
      return storable(value);
    case 'boolean':
      return value;
    case 'number':
      // Adding 0 turns -0, which JSON lacks, into 0.
      return Number.isFinite(value) ? value + 0 : null;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      break;
    default:
      return null;
  }
  if (value instanceof Uint8Array) return toBase64(value);
  if (value === null || level > MAX_LEVELS) return null;
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, level + 1));
  return jsonObject(Object.entries(value), (item) => jsonOf(item, level + 1));
}

/** An object without undefined properties; `fromEntries` makes even `__proto__` an own key. */
export const jsonObject = <T>(entries: Iterable<[string, T]>, read: (value: T) => Json) =>
  Object.fromEntries(
    [...entries]
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [storable(key), read(value)]),
  );

/** Equal for values that are equal as JSON. */
export function jsonKey(json: Json): string {
  if (json === null || typeof json !== 'object') return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(jsonKey).join()}]`;
  const parts = Object.keys(json).sort();
  return `{${parts.map((key) => `${JSON.stringify(key)}:${jsonKey(json[key] ?? null)}`).join()}}`;
}

/** Equal for values that are the same to Yjs. */
export function exactKey(value: unknown, level = 0): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array || level > MAX_LEVELS) return `<${toBase64(encodeAny(value as object))}>`;
  if (Array.isArray(value)) return `[${value.map((item) => exactKey(item, level + 1)).join()}]`;
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${parts.map(([key, item]) => `${JSON.stringify(key)}:${exactKey(item, level + 1)}`).join()}}`;
}
