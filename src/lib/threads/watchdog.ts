import { Counter, Gauge } from 'prom-client';

/** The main thread did nothing but one thing for a while, and answered no one. */
export interface Stall {
  ms: number;
  /** Processor time of the main thread meanwhile. */
  cpuMs: number;
  /** `machine`: the thread hardly got a processor, as others had it. */
  cause: 'work' | 'machine';
  /** Number of begun tasks that have not ended, by kind of work. */
  inFlight: Record<string, number>;
  /** Work that was begun last, the latest first. */
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
/** A thread that computes uses all of its time, but for what a busy machine takes of it. */
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

export const stallMeters = [stallsTotal, longestStall];

const inFlight = new Map<string, number>();
const begunLast: string[] = [];

/** Notes that work begins, so that a stall can be put down to it; each is to be followed by `endWork`. */
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

/** The same for work whose end is not noted. */
export function noteWork(name: string): void {
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
 * Looks every 50 ms whether it is late, and by how much; `look` does so now. A stall that began with the look before
 * is known by what was begun and had not ended.
 */
export function startWatchdog({ onStall, stallMs = STALL_MS, clock = threadClock }: Options): {
  look(): void;
  stop(): void;
} {
  let before = { now: clock.nowMs(), cpu: clock.cpuMs() };
  const look = () => {
    const now = clock.nowMs();
    const cpu = clock.cpuMs();
    const ms = Math.round(now - before.now - POLL_EVERY_MS);
    const cpuMs = Math.round(cpu - before.cpu);
    before = { now, cpu };
    if (ms < stallMs) return;
    const cause = cpuMs >= ms * WORK_SHARE ? 'work' : 'machine';
    stallsTotal.inc({ cause });
    longest[cause] = Math.max(longest[cause], ms);
    longestStall.set({ cause }, longest[cause] / 1_000);
    onStall({ ms, cpuMs, cause, inFlight: Object.fromEntries(inFlight), begunLast: latestFirst() });
  };
  const timer = setInterval(look, POLL_EVERY_MS).unref();
  return { look, stop: () => clearInterval(timer) };
}

const longest = { work: 0, machine: 0 };
