import { createElement } from 'react';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/**
 * A moment relative to now if it is near, otherwise its date. What is to come is rounded, so that a week that has just begun
 * ends in 7 days.
 */
export function describeTime(at: number, now = Date.now()): string {
  const left = at - now;
  const count = (unit: number): number => (left < 0 ? Math.trunc : Math.round)(left / unit);
  if (Math.abs(left) < MINUTE) return relative.format(0, 'second');
  if (Math.abs(count(MINUTE)) < 60) return relative.format(count(MINUTE), 'minute');
  if (Math.abs(count(HOUR)) < 24) return relative.format(count(HOUR), 'hour');
  if (Math.abs(count(DAY)) < 14) return relative.format(count(DAY), 'day');
  return day.format(at);
}

/** A moment in epoch milliseconds; the exact one is its title. */
export const Time = ({ at }: { at: number }) =>
  createElement('time', { dateTime: new Date(at).toISOString(), title: exact.format(at) }, describeTime(at));

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
