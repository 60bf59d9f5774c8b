import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Interrupted, watchSignals } from './interruption.ts';

test('the first signal interrupts, its copy from npm does not count, and the next one ends at once', async () => {
  const target = new EventEmitter() as unknown as NodeJS.Process;
  const { signal, atOnce } = watchSignals(target);
  target.emit('SIGINT', 'SIGINT');
  target.emit('SIGINT', 'SIGINT');
  expect([signal.aborted, signal.reason instanceof Interrupted, atOnce.aborted]).toEqual([true, true, false]);
  while (!atOnce.aborted) {
    await pause(50);
    target.emit('SIGTERM', 'SIGTERM');
  }
  expect(atOnce.aborted).toBe(true);
});
