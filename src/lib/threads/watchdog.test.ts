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

test('a stall of a thread is reported, with the work in progress', async () => {
  const { stalls } = watch();
  const before = await countOf('work');
  beginWork('/v2/slow');
  const startUsage = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(startUsage);
    if (user + system >= 400_000) break;
  }
  await expect.poll(() => stalls.length).toBeGreaterThan(0);
  endWork('/v2/slow');
  const [stall] = stalls;
  expect(stall!.ms).toBeGreaterThanOrEqual(300);
  expect(stall!.cpuMs).toBeGreaterThanOrEqual(400);
  expect(stall!.inFlight['/v2/slow']).toBe(1);
  expect(stall!.begunLast).toContain('/v2/slow');
  // On a busy machine the stall may be attributed to the machine.
  if (stall!.cause === 'work') expect(await countOf('work')).toBe(before + 1);
});

test.each([
  ['work', 600, 590],
  ['work', 600, 310],
  ['machine', 600, 200],
  ['machine', 600, 0],
] as const)(
  'a stall is attributed to %s if, of %i ms, the thread had a processor for %i',
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

test('checks that are on time, or only slightly late, are not stalls', () => {
  let now = 0;
  const { watchdog, stalls } = watch({ nowMs: () => now, cpuMs: () => now });
  for (const passed of [50, 60, 249, 1]) {
    now += passed;
    watchdog.look();
  }
  expect(stalls).toEqual([]);
});

test('without work the checks become rare, and the first work makes them frequent again', () => {
  let now = 0;
  const { watchdog, stalls } = watch({ nowMs: () => now, cpuMs: () => now });
  const pass = (ms: number) => {
    now += ms;
    watchdog.look();
  };
  noteWork('the last work');
  for (let check = 0; check < 60; check++) pass(50);
  expect(stalls).toEqual([]);
  pass(1_000);
  expect(stalls).toEqual([]);
  pass(1_300);
  expect(stalls).toMatchObject([{ ms: 300 }]);
  now += 700;
  noteWork('new work');
  pass(350);
  expect(stalls).toMatchObject([{ ms: 300 }, { ms: 300, begunLast: expect.arrayContaining(['new work']) }]);
});

test('the latest work comes first, and finished work is no longer in flight', () => {
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
