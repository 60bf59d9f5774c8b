import { beforeAll, expect, test } from 'vitest';
import { rounds } from '../run/rounds.ts';
import { type Corpus, ownPages, savedPages, startCorpus, tally } from './corpus.ts';
import type { Case } from './page/judge.ts';

let corpus: Corpus;
beforeAll(async () => {
  corpus = await startCorpus('all');
});

const COPIES = rounds(12, 30, 'COPIES');

/** Copies that `bench/anchors.ts` judges, too; none of them served the development. */
async function judge(pages: ReturnType<typeof ownPages>): Promise<Case[]> {
  const chosen = pages.filter((_, index) => index % 2 === 1);
  const cases: Case[] = [];
  for (let copy = 0; copy < COPIES; copy++)
    cases.push(...(await corpus.judge(chosen[copy % chosen.length]!, 50_000 + copy)));
  return cases;
}

test('pins on edited copies of pages are at their places, or are orphans', async () => {
  const { pins, right, wrong } = tally([...(await judge(ownPages())), ...(await judge(savedPages()))]);
  expect(pins).toBeGreaterThan(COPIES * 60);
  expect(right / pins).toBeGreaterThanOrEqual(0.95);
  // A few more than on all 400 copies of the benchmark, where it is less than 0.005.
  expect(wrong / pins).toBeLessThanOrEqual(0.008);
});

test('many pins are found in slices, between which the page can draw', async () => {
  const page = await corpus.open({ name: 'many', html: '<!doctype html><body></body>' });
  const { pins, found, slices } = await page.evaluate(() => window.many(500, 200));
  expect(pins).toBe(500);
  expect(found).toBeGreaterThanOrEqual(495);
  expect(slices.length).toBeGreaterThan(5);
  await page.close();
});

const HTML = `<!doctype html><html><body><main><h1>Prices</h1>
<p id="one">A boat costs 900 pounds.</p><p id="two">A paddle costs 90 pounds.</p>
<img src="/map.png" alt="Map" width="200" height="100"><a href="/more">More</a> <a href="/all">More</a>
</main></body></html>`;

test('an anchor survives being stored, and a point stays where it is in the box', async () => {
  const page = await corpus.open({ name: 'point', html: HTML });
  const found = await page.evaluate(async () => {
    const kit = window.anchors;
    const image = document.querySelector('img')!;
    const stored = await kit.storedElement(image, { x: 0.25, y: 0.5 });
    image.width = 400;
    document.querySelector('main')!.prepend(document.createElement('hr'));
    return await kit.findStored(stored);
  });
  expect(found).toEqual({ by: 'selector', tag: 'img', text: '', point: { x: 0.25, y: 0.5 } });
  await page.close();
});

test('words that are gone are an orphan, though their neighbors and the same words elsewhere remain', async () => {
  const page = await corpus.open({ name: 'gone', html: HTML });
  const found = await page.evaluate(async () => {
    const kit = window.anchors;
    const words = await kit.storedWords('#one', 'pounds');
    const link = await kit.storedElement(document.querySelector('a')!);
    document.querySelector('#one')!.remove();
    document.querySelector('a')!.remove();
    return [await kit.findStored(words), await kit.findStored(link)];
  });
  expect(found).toEqual([undefined, undefined]);
  await page.close();
});

test('changed words are found between the same neighbors', async () => {
  const page = await corpus.open({ name: 'changed', html: HTML });
  const found = await page.evaluate(async () => {
    const kit = window.anchors;
    const words = await kit.storedWords('#two', 'A paddle costs 90 pounds');
    document.querySelector('#two')!.textContent = 'A paddle costs 95 pounds.';
    return await kit.findStored(words);
  });
  expect(found).toEqual({ by: 'likeness', tag: 'p', text: 'A paddle costs 95 pounds', point: undefined });
  await page.close();
});
