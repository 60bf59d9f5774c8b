import { LogThrottle } from '../lib/log-throttle.ts';
import { isUnavailable } from './database-errors.ts';

export interface FaultLog {
  error(data: object, message: string): void;
  warn(data: object, message: string): void;
}

/** While the database is unavailable, every background task fails every few seconds. */
const UNAVAILABLE_A_MINUTE = 1;

const bounds = new WeakMap<FaultLog, LogThrottle>();

/**
 * Logs an error of background work: with its stack, or as a throttled warning if the database is merely unavailable.
 */
export function logFault(log: FaultLog, error: unknown, message: string, fields: object = {}): void {
  if (!isUnavailable(error)) {
    log.error({ ...fields, err: error }, message);
    return;
  }
  const bound = bounds.get(log) ?? new LogThrottle(UNAVAILABLE_A_MINUTE);
  bounds.set(log, bound);
  const more = bound.take(message);
  const { message: reason, code } = error as NodeJS.ErrnoException;
  if (more) log.warn({ ...fields, ...(code && { code }), reason, ...more }, message);
}
