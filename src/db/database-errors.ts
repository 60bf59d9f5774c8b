/** The SQLSTATE of an error of the driver, or the code of a system error. */
const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** The ids in a row are together too long for an index. */
export const isTooLongForIndex = (error: unknown): boolean =>
  codeOf(error) === '54000' && /index row/.test((error as Error).message);

/** A deadlock or a serialization failure: the same transaction may succeed when run again. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '');

/** The lock_timeout of the transaction ended the wait for a lock. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** The statement took too long, and was cancelled. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === '57014';

/** A unique key is violated: a row with this key exists already. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Sentences for callers, by the code of an error that prevents writes. */
const OUT_OF_SPACE_MESSAGES: Record<string, string> = {
  '25006':
    'The database is read-only, as after a failover or on a disk that is nearly full: nothing is written until it is not, and reads go on.',
  '53100': 'The disk of the database is full: nothing is written until there is space.',
  ENOSPC: 'There is no space left on the disk: nothing is written until there is.',
  EDQUOT: 'The quota of the disk is used up: nothing is written until there is space.',
  EROFS: 'The disk is read-only: nothing is written until it is not.',
};

/** The disk of the database, or of the folder of stored or temporary files, is full or read-only. */
export const isOutOfSpace = (error: unknown): boolean => (codeOf(error) ?? '') in OUT_OF_SPACE_MESSAGES;

/** The sentence for callers about an error for which `isOutOfSpace` is true. */
export const outOfSpaceMessage = (error: unknown): string => OUT_OF_SPACE_MESSAGES[codeOf(error)!]!;

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * The database cannot be reached, is starting or stopping, has no space left, or cancelled a statement that ran or
 * waited too long (57014). The caller may retry later.
 */
export function isUnavailable(error: unknown): boolean {
  if (isOutOfSpace(error)) return true;
  const code = codeOf(error) ?? '';
  if (/^(08|53|57P|57014)/.test(code) || UNREACHABLE.includes(code)) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnavailable);
  // The socket file is missing while its server is down.
  if ((error as NodeJS.ErrnoException).syscall === 'connect') return true;
  return /Connection terminated|^timeout expired$|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/i.test(
    error.message,
  );
}
