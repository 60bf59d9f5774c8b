/** The SQLSTATE of a driver's error, or the code of one of the system. */
const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** The ids of a row take more bytes together than an index has room for. */
export const isTooLongForIndex = (error: unknown): boolean =>
  codeOf(error) === '54000' && /index row/.test((error as Error).message);

/** A deadlock or a serialization failure: the same transaction may succeed when run again. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '');

/** A row with one of these keys exists already. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505';

/** Codes of what cannot be stored, and what is the matter then. */
const NO_SPACE: Record<string, string> = {
  '25006':
    'The database is read-only, as after a failover or on a disk that is nearly full: nothing is written until it is not, and reads go on.',
  '53100': 'The disk of the database is full: nothing is written until there is space.',
  ENOSPC: 'There is no space left on the disk: nothing is written until there is.',
  EDQUOT: 'The quota of the disk is used up: nothing is written until there is space.',
  EROFS: 'The disk is read-only: nothing is written until it is not.',
};

/** The disk is full or read-only, of the database or of the folder of kept or temporary files. */
export const isOutOfSpace = (error: unknown): boolean => (codeOf(error) ?? '') in NO_SPACE;

/** The cause of an error that `isOutOfSpace` is true of, as a sentence. */
export const wordsOfSpace = (error: unknown): string => NO_SPACE[codeOf(error)!]!;

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * The database cannot be reached, is starting or stopping, has no room left, or ended a statement that took or
 * waited too long (57014): the request may be sent again later.
 */
export function isUnavailable(error: unknown): boolean {
  if (isOutOfSpace(error)) return true;
  const code = codeOf(error) ?? '';
  if (/^(08|53|57P|57014)/.test(code) || UNREACHABLE.includes(code)) return true;
  if (!(error instanceof Error)) return false;
  // A socket in a folder is not there while its server is not.
  if ((error as NodeJS.ErrnoException).syscall === 'connect') return true;
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/i.test(
    error.message,
  );
}
