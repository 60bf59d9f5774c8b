import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { OddTask } from '../fixtures/odd-thread.ts';
import { createWorkerPool } from './worker-pool.ts';

function newPool(options: { size?: number; cpuMs?: number; waitMs?: number; waitingPerOwner?: number } = {}) {
  const pool = createWorkerPool<OddTask, { bytes: Uint8Array }>({
    url: new URL('../fixtures/odd-thread.ts', import.meta.url),
    size: 1,
    heapMb: 64,
    subject: 'tests',
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}

const answer = { bytes: new Uint8Array([1, 2, 3]) };

test('a task runs in a thread, and its errors are rethrown to the caller', async () => {
  const pool = newPool();
  expect(await pool.run('a', () => 'answer')).toEqual(answer);
  await expect(pool.run('a', () => 'refuse')).rejects.toMatchObject({
    name: 'ApiError',
    status: 'INVALID_ARGUMENT',
    message: 'Not like this.',
    details: { at: 1 },
  });
  await expect(pool.run('a', () => 'fail')).rejects.toMatchObject({
    name: 'TypeError',
    message: 'It is broken.',
  });
  expect(await pool.run('a', () => 'answer')).toEqual(answer);
});

test.each([
  ['grow', 'INVALID_ARGUMENT', 'Work on tests takes more memory than it may.'],
  ['pile', 'INVALID_ARGUMENT', 'Work on tests takes more memory than it may.'],
  ['exit', 'UNAVAILABLE', 'The thread that works on tests ended.'],
  ['spin', 'UNAVAILABLE', 'Work on tests took more than 1 s of CPU time.'],
] as const)(
  'a task that would %s ends its thread, and the next task gets a new thread',
  async (task, status, message) => {
    const pool = newPool(task === 'spin' ? { cpuMs: 500 } : {});
    await expect(pool.run('a', () => task)).rejects.toMatchObject({ status, message });
    expect(await pool.run('a', () => 'answer')).toEqual(answer);
  },
);

test('a thread is reused unless it retains much of its memory limit', async () => {
  const pool = newPool();
  const thread = await pool.run('a', () => 'where');
  expect(await pool.run('a', () => 'where')).toEqual(thread);
  expect(await pool.run('a', () => 'keep')).toEqual(thread);
  expect(await pool.run('a', () => 'where')).not.toEqual(thread);
});

test('one owner leaves a thread for others, and is refused once too many of its tasks wait', async () => {
  const pool = newPool({ size: 2, waitingPerOwner: 1 });
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const first = pool.run('greedy', async () => {
    begun.resolve();
    await release.promise;
    return 'answer' as const;
  });
  await begun.promise;
  let isSecondPrepared = false;
  const second = pool.run('greedy', () => {
    isSecondPrepared = true;
    return 'answer';
  });
  await expect(pool.run('greedy', () => 'answer')).rejects.toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    message: 'The service is busy with earlier work on tests.',
  });
  expect(await pool.run('modest', () => 'answer')).toEqual(answer);
  expect(isSecondPrepared).toBe(false);
  release.resolve();
  expect(await Promise.all([first, second])).toEqual([answer, answer]);
});

test('a task that waits too long for its turn is refused', async () => {
  const pool = newPool({ waitMs: 20 });
  const release = Promise.withResolvers<void>();
  const first = pool.run('a', async () => {
    await release.promise;
    return 'answer' as const;
  });
  await expect(pool.run('b', () => 'answer')).rejects.toMatchObject({ status: 'RESOURCE_EXHAUSTED' });
  release.resolve();
  expect(await first).toEqual(answer);
});

test('closing a pool ends its running task', async () => {
  const pool = newPool();
  const prepared = Promise.withResolvers<void>();
  const running = pool.run('a', () => {
    prepared.resolve();
    return 'spin';
  });
  const refused = expect(running).rejects.toMatchObject({
    status: 'UNAVAILABLE',
    message: 'The service is stopping.',
  });
  await prepared.promise;
  await setImmediate();
  await pool.close();
  await refused;
});
