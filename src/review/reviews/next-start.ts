import { Cron } from 'croner';
import { type Issue, invalidRequest } from '../../lib/errors.ts';

/** Shortest time between two starts: a review of a site takes minutes, and should leave its server some rest. */
const MIN_INTERVAL_MS = 5 * 60_000;
/** Starts that are looked at to find the shortest interval of an expression. */
const LOOK_AHEAD = 100;

interface Clock {
  cron: string;
  timeZone: string;
}

const clockOf = ({ cron, timeZone }: Clock): Cron =>
  new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** The next start after a time, in epoch milliseconds. Undefined if there is none. */
export const nextStart = (clock: Clock, after: number): number | undefined =>
  clockOf(clock).nextRun(new Date(after))?.getTime();

/** The next start of a schedule. Throws INVALID_ARGUMENT if the expression or its time zone is wrong, or it is too frequent. */
export function requireNextStart(clock: Clock, after: number): number {
  const issue = (field: keyof Clock, message: string): Issue => ({
    path: [field],
    code: 'invalid_value',
    message: `${field} ${message}`,
  });
  if (!isTimeZone(clock.timeZone))
    throw invalidRequest([issue('timeZone', `${clock.timeZone} is no time zone, such as Europe/Berlin.`)]);
  // The library also takes points in time, and names such as `@midnight`.
  if (clock.cron.trim().split(/\s+/).length !== 5)
    throw invalidRequest([issue('cron', 'is no cron expression of five fields.')]);
  let runs: number[];
  try {
    runs = clockOf(clock)
      .nextRuns(LOOK_AHEAD, new Date(after))
      .map((at) => at.getTime());
  } catch (error) {
    throw invalidRequest([issue('cron', `is no cron expression of five fields: ${reasonOf(error)}`)]);
  }
  const [first] = runs;
  if (first === undefined) throw invalidRequest([issue('cron', 'names no time in the future.')]);
  if (runs.some((at, index) => index > 0 && at - runs[index - 1]! < MIN_INTERVAL_MS))
    throw invalidRequest([issue('cron', 'may start a review at most every five minutes.')]);
  return first;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The library begins its messages with its own name. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^CronPattern: /, '');
