import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { until } from '../../../test/run/until.ts';
import { extractLinks } from './page/extract-links.ts';
import { createFragmentTargets, createPageStore } from './page-store.ts';

const pageWith = (count: number) =>
  extractLinks(
    Array.from({ length: count }, (_, n) => `<a id="a${n}" href="/${n}">Link ${n}</a>`).join(''),
    'http://s.example/',
    { rendered: false },
  );

/** Drops pages that only weak references name; these last until the end of the job in which they were made. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose_gc');
  runInNewContext('gc')();
}

test('pages are kept open, then packed', async () => {
  const open = createPageStore({ openLinks: 100, packedBytes: 0 });
  expect(open.packs()).toBe(false);
  const readOpen = open.keep(pageWith(150));
  expect(open.packs()).toBe(true);
  const packing = createPageStore({ openLinks: 0, packedBytes: 1e6 });
  const readPacked = packing.keep(pageWith(50));
  await collectGarbage();
  expect(readOpen()).toEqual(pageWith(150));
  expect(readPacked()).toEqual(pageWith(50));
});

test('the room for packed pages is bounded', async () => {
  const store = createPageStore({ openLinks: 0, packedBytes: 10_000 });
  const reads = Array.from({ length: 100 }, () => store.keep(pageWith(50)));
  const countKept = () => reads.filter((read) => read() !== undefined).length;
  await until(async () => {
    await collectGarbage();
    return countKept() < 50;
  });
  expect(countKept()).toBeGreaterThan(1);
});

test('targets of fragments are found in the text that holds them', () => {
  const targets = createFragmentTargets(['one', 'two', 'a b']);
  expect(['one', 'two', 'a b', 'tw', '', 'two\na b'].map((one) => targets.has(one))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(createFragmentTargets([]).has('one')).toBe(false);
});
