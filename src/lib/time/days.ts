import { DAY_MS } from '../day.ts';

const MINUTE_MS = 60_000;

/** True for a name such as `Europe/Berlin` or `UTC`. Offsets such as `+01:00` are no names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** True for a day of the calendar since 1970, such as `2026-11-30`. */
export const isDay = (day: string): boolean =>
  /^(19[7-9]\d|[2-8]\d{3})-\d{2}-\d{2}$/.test(day) &&
  new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;

/** The day some days later, or earlier if negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toJSON().slice(0, 10);

/** The number of days from one day to another one, both included. */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS) + 1;

/** The clock of a zone. */
export function clockOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  /** The time that clocks show, as if it were UTC. */
  const shownAt = (at: number): number => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
  };
  return {
    dayAt: (at: number): string => new Date(shownAt(at)).toJSON().slice(0, 10),

    /** The first moment of a day, in epoch milliseconds. */
    startOf(day: string): number {
      const midnight = Date.parse(`${day}T00:00:00Z`);
      const guess = midnight - (shownAt(midnight) - midnight);
      const start = midnight - (shownAt(guess) - guess);
      if (shownAt(start) >= midnight) return start;
      // Clocks skip midnight on this day.
      let later = start;
      while (shownAt(later) < midnight) later += MINUTE_MS;
      return later;
    },
  };
}
