export type Path = readonly (string | number)[];
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (at, key) => (Array.isArray(at) || isFields(at) ? (at as Fields)[key as string] : undefined),
    value,
  );

const isEmpty = (value: unknown): boolean => isFields(value) && Object.keys(value).length === 0;

/**
 * A copy with another value at a path. `undefined` removes the field, and with it each object around it that becomes
 * empty, so that a form leaves no trace of fields that were cleared.
 */
export function withValueAt(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    list[key] = withValueAt(list[key], rest, next);
    // An entry that was cleared stays an entry, until it is removed.
    if (list[key] === undefined) list[key] = {};
    return list;
  }
  const { [key]: before, ...others } = isFields(value) ? value : {};
  const inner = withValueAt(before, rest, next);
  if (inner === undefined || (next === undefined && rest.length > 0 && isEmpty(inner))) return others;
  return isFields(value) ? { ...value, [key]: inner } : { [key]: inner };
}

export const keyOfPath = (path: Path): string => path.join('.');

/** True if `path` is `outer` or lies within it. */
export const isWithin = (path: Path, outer: Path): boolean =>
  outer.every((key, index) => String(path[index]) === String(key));
