import type { Kept } from '../catalog/kept-fields.ts';

export interface Bounds {
  /** Of lists and of records whose keys are ids. */
  entries: number;
  /** Of texts, in characters. */
  text: number;
}

const UNBOUND: Bounds = { entries: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY };

/** What a record has of the fields that are to be kept; where another kind of value stands in their place, nothing. */
export function keep(record: unknown, kept: Kept, bounds: Bounds = UNBOUND): unknown {
  if (Array.isArray(record)) {
    return record
      .slice(0, bounds.entries)
      .filter((one) => !Array.isArray(one))
      .map((one) => keep(one, kept, bounds))
      .filter((one) => one !== undefined);
  }
  if (record === null) return null;
  if (typeof record !== 'object') return kept === true ? plain(record, bounds) : undefined;
  if (kept === true) return undefined;
  const each = kept['*'];
  const entries = each
    ? Object.entries(record)
        .slice(0, bounds.entries)
        .map(([key, value]) => [key, keep(value, each, bounds)])
    : Object.entries(kept)
        .filter(([key]) => Object.hasOwn(record, key))
        .map(([key, inner]) => [key, keep((record as Record<string, unknown>)[key], inner, bounds)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const plain = (value: unknown, { text }: Bounds): unknown =>
  typeof value === 'string' && value.length > text ? undefined : value;
