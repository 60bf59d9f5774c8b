import { expect, test } from 'vitest';
import { Versions } from '../bench/soak/ledger.ts';
import { judgeMemory, type Sample, type Span } from '../bench/soak/memory.ts';
import { isPassed } from '../bench/soak/print-result.ts';
import type { SoakResult } from '../bench/soak/run-soak.ts';

const [early, late]: [Span, Span] = [
  [60, 120],
  [500, 600],
];
const judge = (readings: Sample[]) => judgeMemory(readings, ['api-2'], { early, late });

const samples = (part: Span, resident: number[], held = resident): Sample[] =>
  resident.map((megabytes, index) => ({
    member: 'api-2',
    at: part[0] + ((part[1] - part[0]) * index) / resident.length,
    resident: megabytes,
    held: held[index]!,
    heap: held[index]!,
  }));

test('memory is flat if medians grow by a tenth at most, whatever single readings say', () => {
  const before = samples(early, [100, 100, 180], [50, 50, 50]);
  const flat = judge([...before, ...samples(late, [109, 109, 40], [20, 20, 20])]);
  expect(flat.map(({ figure, isFlat }) => [figure, isFlat])).toEqual([
    ['resident', true],
    ['held', true],
  ]);
  const grown = judge([...before, ...samples(late, [112, 112, 40], [56, 56, 56])]);
  expect(grown.map(({ isFlat }) => isFlat)).toEqual([false, false]);
});

test('memory that was not measured in both spans of a run is not flat', () => {
  expect(judge(samples(late, [100])).map(({ isFlat }) => isFlat)).toEqual([false, false]);
  expect(judge(samples(early, [100])).map(({ isFlat }) => isFlat)).toEqual([false, false]);
});

test('a value is lost if it is missing or older than the acknowledged one, and not if a later change came through', () => {
  const versions = new Versions();
  versions.send('a', 'first')();
  versions.send('a', 'second')();
  versions.send('a', 'without an answer');
  versions.send('b', 'never acknowledged');
  expect(versions.size).toBe(1);
  expect(versions.lost(new Map([['a', 'second']]))).toEqual([]);
  expect(versions.lost(new Map([['a', 'without an answer']]))).toEqual([]);
  expect(versions.lost(new Map([['a', 'first']]))).toEqual(['a']);
  expect(versions.lost(new Map())).toEqual(['a']);
});

test('a run passes only with faults that were seen, promises that were kept, and flat memory', () => {
  const fault = { name: 'x', beganAt: 1, problems: [] as string[] };
  const check = { name: 'x', isKept: true, found: '' };
  const memory = { member: 'api-2', figure: 'held' as const, early: 1, late: 1, growth: 0, isFlat: true };
  const passed = (change: Partial<SoakResult>) =>
    isPassed({ faults: [fault], checks: [check], memory: [memory], ...change } as SoakResult);
  expect(passed({})).toBe(true);
  expect(passed({ memory: undefined })).toBe(true);
  expect(passed({ faults: [] })).toBe(false);
  expect(passed({ faults: [{ ...fault, problems: ['unseen'] }] })).toBe(false);
  expect(passed({ checks: [{ ...check, isKept: false }] })).toBe(false);
  expect(passed({ memory: [{ ...memory, isFlat: false }] })).toBe(false);
});
