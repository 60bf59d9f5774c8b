import { LogThrottle } from '../lib/log-throttle.ts';
import { isUnavailable } from './faults.ts';

export interface FaultLog {
  error(data: object, message: string): void;
  warn(data: object, message: string): void;
}

/** While the database is away, all that goes on in the background fails every few seconds. */
const UNAVAILABLE_A_MINUTE = 1;

const bounds = new WeakMap<FaultLog, LogThrottle>();

/**
 * Logs a failure in the background: as a fault of the program with its stack, or as a warning now and then where
 * the database is away, which is none.
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
