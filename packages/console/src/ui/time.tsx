const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A moment relative to now if it is near, otherwise its date. */
export function describeTime(at: number, now = Date.now()): string {
  const past = at - now;
  const size = Math.abs(past);
  if (size < MINUTE) return relative.format(0, 'second');
  if (size < HOUR) return relative.format(Math.trunc(past / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.trunc(past / HOUR), 'hour');
  if (size < 14 * DAY) return relative.format(Math.trunc(past / DAY), 'day');
  return day.format(at);
}

/** A moment in epoch milliseconds; the exact one is its title. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={exact.format(at)}>
    {describeTime(at)}
  </time>
);

/** A duration such as `840 ms`, `12.3 s` or `4 min 5 s`. */
export function describeDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < MINUTE - 50) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const formatNumber = (value: number): string => new Intl.NumberFormat().format(value);

/** `1 page`, `3 pages`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
