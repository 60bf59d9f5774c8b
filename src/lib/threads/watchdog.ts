import { Counter, Gauge } from 'prom-client';
import { detached } from '../tracing/tracing.ts';

/** A period in which the event loop of the main thread was blocked. */
export interface Stall {
  ms: number;
  /** Processor time of the main thread during the stall. */
  cpuMs: number;
  /** `machine`: other processes used the processor, so the thread hardly ran. */
  cause: 'work' | 'machine';
  /** Number of unfinished tasks by kind of work. */
  inFlight: Record<string, number>;
  /** Work that began last, latest first. */
  begunLast: string[];
}

interface Options {
  onStall(stall: Stall): void;
  /** Shorter stalls are not reported. */
  stallMs?: number;
  clock?: Clock;
}

interface Clock {
  nowMs(): number;
  /** Processor time of this thread. */
  cpuMs(): number;
}

const STALL_MS = 200;
const POLL_EVERY_MS = 50;
/** A process without work wakes up this often. */
const RESTING_POLL_EVERY_MS = 1_000;
/** Checks without any work after which a watchdog rests. */
const RESTS_AFTER = 40;
/** Share of CPU time from which a stall counts as the thread's own work. */
const WORK_SHARE = 0.5;
const REMEMBERED = 8;

export const stallsTotal = new Counter({
  name: 'redpen_stalls_total',
  help: 'Stalls of the main thread of 200 ms or longer, by cause: its own work, or a busy machine.',
  labelNames: ['cause'],
  registers: [],
});

export const longestStall = new Gauge({
  name: 'redpen_stall_longest_seconds',
  help: 'Longest stall of the main thread since the process started, by cause.',
  labelNames: ['cause'],
  registers: [],
});

export const stallMetrics = [stallsTotal, longestStall];

const inFlight = new Map<string, number>();
const begunLast: string[] = [];

/** Records the start of work, to which a stall can be attributed. `endWork` must follow. */
export function beginWork(name: string): void {
  noteWork(name);
  inFlight.set(name, (inFlight.get(name) ?? 0) + 1);
}

export function endWork(name: string): void {
  const left = (inFlight.get(name) ?? 0) - 1;
  if (left > 0) inFlight.set(name, left);
  else inFlight.delete(name);
}

let last = 0;
let hasNewWork = false;
/** Wakes the watchdogs that rest. */
const resting = new Set<() => void>();

/** Records work whose end is not tracked. */
export function noteWork(name: string): void {
  hasNewWork = true;
  if (resting.size > 0)
    detached(() => {
      for (const wake of resting) wake();
    });
  last = (last + 1) % REMEMBERED;
  begunLast[last] = name;
}

const latestFirst = (): string[] => {
  const names = Array.from({ length: REMEMBERED }, (_, back) => begunLast.at((last - back) % REMEMBERED));
  return [...new Set(names.filter((name) => name !== undefined))];
};

const threadClock: Clock = {
  nowMs: () => performance.now(),
  cpuMs() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * Measures every 50 ms how late its timer is; `look` measures now. A stall is attributed to the work that had begun and
 * not ended. Two seconds without work make the timer slow, until work begins.
 */
export function startWatchdog({ onStall, stallMs = STALL_MS, clock = threadClock }: Options): {
  look(): void;
  stop(): void;
} {
  const measure = () => ({ now: clock.nowMs(), cpu: clock.cpuMs() });
  let before = measure();
  let everyMs = POLL_EVERY_MS;
  let idleChecks = 0;
  const look = () => {
    const { now, cpu } = measure();
    const ms = Math.round(now - before.now - everyMs);
    const cpuMs = Math.round(cpu - before.cpu);
    before = { now, cpu };
    idleChecks = hasNewWork || inFlight.size > 0 ? 0 : idleChecks + 1;
    hasNewWork = false;
    if (idleChecks === RESTS_AFTER) rest();
    if (ms < stallMs) return;
    const cause = cpuMs >= ms * WORK_SHARE ? 'work' : 'machine';
    stallsTotal.inc({ cause });
    longest[cause] = Math.max(longest[cause], ms);
    longestStall.set({ cause }, longest[cause] / 1_000);
    onStall({ ms, cpuMs, cause, inFlight: Object.fromEntries(inFlight), begunLast: latestFirst() });
  };
  const poll = (ms: number) => {
    clearInterval(timer);
    everyMs = ms;
    timer = setInterval(look, ms).unref();
  };
  let timer = setInterval(look, POLL_EVERY_MS).unref();
  const rest = () => {
    resting.add(wake);
    poll(RESTING_POLL_EVERY_MS);
  };
  const wake = () => {
    resting.delete(wake);
    idleChecks = 0;
    before = measure();
    poll(POLL_EVERY_MS);
  };
  const stop = () => {
    resting.delete(wake);
    clearInterval(timer);
  };
  return { look, stop };
}

const longest = { work: 0, machine: 0 };
