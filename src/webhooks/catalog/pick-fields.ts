/**
 * An allow-list of fields without personal data. `true` allows a plain value or a list of plain values; an object
 * lists the allowed fields of a record, or of each record of a list. `*` matches every key of a record keyed by ids.
 */
export type AllowedFields = true | { readonly [field: string]: AllowedFields };

export interface PickLimits {
  /** Longest list, and most keys of a record keyed by ids. */
  entries: number;
  /** Longest text in characters; a longer one is left out. */
  text: number;
}

const UNLIMITED: PickLimits = { entries: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY };

/** Copies the allowed fields of a record. A value of another kind than the list expects is left out. */
export function pickFields(record: unknown, allowed: AllowedFields, limits: PickLimits = UNLIMITED): unknown {
  if (Array.isArray(record)) {
    return record
      .slice(0, limits.entries)
      .filter((item) => !Array.isArray(item))
      .map((item) => pickFields(item, allowed, limits))
      .filter((item) => item !== undefined);
  }
  if (record === null) return null;
  if (typeof record !== 'object') return allowed === true ? pickPlain(record, limits) : undefined;
  if (allowed === true) return undefined;
  const each = allowed['*'];
  const entries = each
    ? Object.entries(record)
        .slice(0, limits.entries)
        .map(([key, value]) => [key, pickFields(value, each, limits)])
    : Object.entries(allowed)
        .filter(([key]) => Object.hasOwn(record, key))
        .map(([key, inner]) => [key, pickFields((record as Record<string, unknown>)[key], inner, limits)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const pickPlain = (value: unknown, { text }: PickLimits): unknown =>
  typeof value === 'string' && value.length > text ? undefined : value;
