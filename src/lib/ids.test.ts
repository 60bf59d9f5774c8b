import { expect, onTestFinished, test, vi } from 'vitest';
import { decimalId, newExecutionId, newTimedId, randomId } from './ids.ts';

test('a random id has the requested length, and uses only the characters of its alphabet', () => {
  const ids = Array.from({ length: 2_000 }, () => randomId(20));
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{20}$/);
  expect(new Set(ids).size).toBe(ids.length);
  // The alphabet leaves out letters that are easily misread.
  expect(ids.join('')).not.toMatch(/[IOUilou]/);
});

test('ids that begin with the time are in its order, and differ within a millisecond', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const times = [0, 35, 36, 1_795_627_453_589, 1_795_627_453_590];
  const ids = times.map((at) => {
    vi.setSystemTime(at);
    return newTimedId('evt');
  });
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^evt_[0-9A-Za-z]{20}$/);
  expect(newTimedId('evt')).not.toBe(newTimedId('evt'));
});

test('an execution id contains its start time, and a decimal id has sixteen digits and depends only on its input', () => {
  expect(newExecutionId(17)).toMatch(/^exec_17_[0-9A-Za-z]{12}$/);
  expect(decimalId('a', 'b')).toMatch(/^[1-9]\d{15}$/);
  expect([decimalId('a', 'b'), decimalId('ab')]).toEqual([
    decimalId('a', 'b'),
    expect.not.stringMatching(decimalId('a', 'b')),
  ]);
});
