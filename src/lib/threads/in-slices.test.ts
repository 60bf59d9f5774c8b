import { expect, test } from 'vitest';
import { mapInSlices, nextSlice } from './in-slices.ts';

const loopTurn = () => new Promise((resolve) => setImmediate(resolve));

test('all concurrent long work together runs one slice per turn of the event loop', async () => {
  const done: string[] = [];
  let turn = 0;
  const work = async (name: string) => {
    for (let slice = 0; slice < 5; slice++) {
      await nextSlice();
      done.push(`${turn} ${name}`);
    }
  };
  const all = Promise.all([work('a'), work('b'), work('c')]);
  const count = async () => {
    for (; turn < 100; turn++) await loopTurn();
  };
  await Promise.all([all, count()]);
  expect(done).toHaveLength(15);
  const turns = done.map((entry) => entry.split(' ')[0]);
  expect(new Set(turns).size).toBe(15);
  // The work takes turns, so that none waits for all of another.
  expect(done.slice(0, 6).map((entry) => entry.split(' ')[1])).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('mapping in slices keeps the order', async () => {
  const items = Array.from({ length: 50 }, (_, index) => index);
  const busy = (item: number, index: number) => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    return item * 2 + index;
  };
  expect(await mapInSlices(items, busy)).toEqual(items.map((item) => item * 3));
});
