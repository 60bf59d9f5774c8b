import { type Finding, failed, inWords, ok, skipped, warning } from './check.ts';

/** Clock offsets by the machine that reported the time. */
export interface Clocks {
  /** Records a `date` header that was just received. */
  noteDate(source: string, date: string | undefined): void;
  /** Lead of this machine, in ms. */
  noteAhead(source: string, aheadMs: number): void;
  readings(): { source: string; aheadMs: number }[];
}

export function createClocks(now: () => number = Date.now): Clocks {
  const ahead = new Map<string, number>();
  return {
    noteDate(source, date) {
      const theirs = date === undefined ? Number.NaN : Date.parse(date);
      // The header has whole seconds, rounded down.
      if (!Number.isNaN(theirs)) ahead.set(source, now() - theirs - 500);
    },
    noteAhead: (source, aheadMs) => void ahead.set(source, aheadMs),
    readings: () => [...ahead].map(([source, aheadMs]) => ({ source, aheadMs })),
  };
}

const MAX_OFFSET_MS = 60_000;
/** Resolution of the Date header plus a round trip. */
const PRECISION_MS = 2_000;

/** `builtAt` is the time at which the files of this version were written, in epoch ms. */
export function checkClock(clocks: Clocks, builtAt: number, now: number = Date.now()): Finding {
  const time = new Date(now).toISOString();
  if (now < builtAt - MAX_OFFSET_MS)
    return failed(
      `It is ${time} on this machine, before this version was made (${new Date(builtAt).toISOString()}).`,
      ADVICE,
      'The clock of this machine is behind.',
    );
  const readings = clocks.readings();
  if (readings.length === 0)
    return skipped(`It is ${time} on this machine; no other machine is configured to compare it with.`);
  const wrong = readings.filter(({ aheadMs }) => Math.abs(aheadMs) > MAX_OFFSET_MS);
  if (wrong.length > 0)
    return failed(
      `This machine is ${wrong.map(describe).join(', ')}.`,
      ADVICE,
      'The clock of this machine differs from others by more than a minute.',
    );
  const off = readings.filter(({ aheadMs }) => Math.abs(aheadMs) > PRECISION_MS);
  if (off.length > 0)
    return warning(`This machine is ${off.map(describe).join(', ')}.`, 'Let NTP set its clock.');
  return ok(`The clock agrees with ${readings.map(({ source }) => source).join(', ')}.`);
}

const ADVICE =
  'Let NTP set the clock. A difference of more than 60 s breaks signed links, user tokens and webhooks.';

const describe = ({ source, aheadMs }: { source: string; aheadMs: number }): string =>
  `${inWords(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ${source}`;
