const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes, such as `840 bytes` or `1.2 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length);
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${UNITS[power - 1]}`;
}

/** The used share of a limit. */
export function describeShare(bytes: number, limit: number | null): string {
  if (limit === null) return 'No limit';
  return `${Math.min(100, Math.round((bytes / limit) * 100))}% of ${describeBytes(limit)}`;
}
