import { expect, onTestFinished, test } from 'vitest';
import {
  beginWork,
  endWork,
  longestStall,
  noteWork,
  type Stall,
  stallsTotal,
  startWatchdog,
} from './watchdog.ts';

function watch(clock?: { nowMs(): number; cpuMs(): number }) {
  const stalls: Stall[] = [];
  const watchdog = startWatchdog({ onStall: (stall) => stalls.push(stall), ...(clock && { clock }) });
  onTestFinished(watchdog.stop);
  return { watchdog, stalls };
}

const countOf = async (cause: string) =>
  (await stallsTotal.get()).values.find(({ labels }) => labels.cause === cause)?.value ?? 0;

test('a thread that computes for long is noticed, with what it was at', async () => {
  const { stalls } = watch();
  const before = await countOf('work');
  beginWork('/v2/slow');
  const end = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(end);
    if (user + system >= 400_000) break;
  }
  await expect.poll(() => stalls.length).toBeGreaterThan(0);
  endWork('/v2/slow');
  const [stall] = stalls;
  expect(stall!.ms).toBeGreaterThanOrEqual(300);
  expect(stall!.cpuMs).toBeGreaterThanOrEqual(400);
  expect(stall!.inFlight['/v2/slow']).toBe(1);
  expect(stall!.begunLast).toContain('/v2/slow');
  // On a busy machine it may be put down to that.
  if (stall!.cause === 'work') expect(await countOf('work')).toBe(before + 1);
});

test.each([
  ['work', 600, 590],
  ['work', 600, 310],
  ['machine', 600, 200],
  ['machine', 600, 0],
] as const)(
  'a stall is put down to %s where of %i ms the thread had a processor for %i',
  async (cause, ms, cpuMs) => {
    let [now, cpu] = [1_000, 500];
    const { watchdog, stalls } = watch({ nowMs: () => now, cpuMs: () => cpu });
    const before = await countOf(cause);
    now += 50 + ms;
    cpu += cpuMs;
    watchdog.look();
    expect(stalls).toMatchObject([{ ms, cpuMs, cause }]);
    expect(await countOf(cause)).toBe(before + 1);
    const longest = (await longestStall.get()).values.find(({ labels }) => labels.cause === cause);
    expect(longest!.value).toBeGreaterThanOrEqual(ms / 1_000);
  },
);

test('looks that come in time, or little late, are nothing to speak of', () => {
  let now = 0;
  const { watchdog, stalls } = watch({ nowMs: () => now, cpuMs: () => now });
  for (const passed of [50, 60, 249, 1]) {
    now += passed;
    watchdog.look();
  }
  expect(stalls).toEqual([]);
});

test('of what has begun, the latest is first, and what has ended is in flight no more', () => {
  let now = 0;
  const { watchdog, stalls } = watch({ nowMs: () => now, cpuMs: () => 0 });
  for (const name of ['a', 'b', 'c']) beginWork(name);
  beginWork('c');
  noteWork('d');
  endWork('b');
  now += 1_000;
  watchdog.look();
  for (const name of ['a', 'c', 'c']) endWork(name);
  expect(stalls[0]!.begunLast.slice(0, 4)).toEqual(['d', 'c', 'b', 'a']);
  expect(stalls[0]!.inFlight).toMatchObject({ a: 1, c: 2 });
  expect(stalls[0]!.inFlight).not.toHaveProperty('b');
});
