import { appendFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

// Loaded into a service with `--import`. Appends every stall of its event loop of at least STALL_MS to STALLS_FILE,
// with the processor time that the main thread used in it and, if TRACE is set, what ran.
const { STALLS_FILE, STALL_MS = '50', TRACE } = process.env;
const TICK_MS = 5;
const MAX_PROFILE_MS = 3_000;

export interface Stall {
  /** End of the stall, in epoch milliseconds. */
  at: number;
  ms: number;
  /** Processor time that the thread used in it. */
  workedMs: number;
  /** The heaviest stacks, each with the innermost function and its callers in Redpen; only with TRACE. */
  ran?: string[];
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const nameOf = ({ functionName, url, lineNumber }: Profiler.ProfileNode['callFrame']): string =>
  `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=src\/|node_modules\/)/, '')}:${lineNumber + 1}`;

/** The heaviest stacks of the last `ms` milliseconds of a profile, with their times. */
function heaviestStacks(
  { nodes, samples = [], timeDeltas = [], endTime }: Profiler.Profile,
  ms: number,
): string[] {
  const parents = new Map<number, number>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node.id);
  const weights = new Map<string, number>();
  let at = endTime;
  for (let index = samples.length - 1; index >= 0 && at > endTime - ms * 1_000; index--) {
    const spent = timeDeltas[index]! / 1_000;
    at -= timeDeltas[index]!;
    const stack: string[] = [];
    for (let id: number | undefined = samples[index]; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)!.callFrame;
      if (stack.length === 0 || frame.url.includes('/src/')) stack.push(nameOf(frame));
    }
    const key = stack.slice(0, 6).join(' < ');
    weights.set(key, (weights.get(key) ?? 0) + spent);
  }
  return [...weights]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([stack, spent]) => `${spent.toFixed(0)} ms ${stack}`);
}

if (isMainThread && STALLS_FILE && process.argv[1]?.endsWith('main.ts')) {
  const session = TRACE ? new Session() : undefined;
  session?.connect();
  session?.post('Profiler.enable');
  session?.post('Profiler.setSamplingInterval', { interval: 2_000 });
  const restartProfile = () => session?.post('Profiler.start');
  restartProfile();
  let profileStartedAt = performance.now();
  let last = performance.now();
  let lastCpu = cpuMs();
  const tick = () => {
    const now = performance.now();
    const ms = now - last - TICK_MS;
    if (ms >= Number(STALL_MS)) {
      const stall: Stall = { at: Date.now(), ms: Math.round(ms), workedMs: Math.round(cpuMs() - lastCpu) };
      session?.post('Profiler.stop', (_error, { profile }) => {
        stall.ran = heaviestStacks(profile, now - last);
      });
      appendFileSync(STALLS_FILE, `${JSON.stringify(stall)}\n`);
      restartProfile();
      profileStartedAt = performance.now();
    } else if (session && now - profileStartedAt > MAX_PROFILE_MS) {
      session.post('Profiler.stop');
      restartProfile();
      profileStartedAt = performance.now();
    }
    last = performance.now();
    lastCpu = cpuMs();
  };
  setInterval(tick, TICK_MS).unref();
}
