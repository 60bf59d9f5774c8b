/** The SQLSTATE of a driver's error, on either database. */
const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** The ids of a row take more bytes together than an index has room for. */
export const isTooLongForIndex = (error: unknown): boolean =>
  codeOf(error) === '54000' && /index row/.test((error as Error).message);

/** A deadlock or a serialization failure: the same transaction may succeed when run again. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '');

/**
 * The database cannot be reached, is starting or stopping, has no room left, or ended a statement that took or
 * waited too long (57014): the request may be sent again later.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (/^(08|53|57P|57014)/.test(code)) return true;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return true;
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|PGlite is closed/i.test(
      error.message,
    )
  );
}
