import { parseArgs } from 'node:util';
import { ownPages, type SavedPage, savedPages, startCorpus, tally } from '../test/anchor/corpus.ts';
import type { Case } from '../test/anchor/page/judge.ts';
import type {} from '../test/anchor/page/many.ts';
import { endFileSteps } from '../test/run/at-end.ts';
import { closeTestBrowser } from '../test/service/test-browser.ts';

/*
 * Where pins are on edited copies of pages. Half of the pages and seeds served the development (`--half dev`), the
 * figures come from the other half.
 */
const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'test' },
    copies: { type: 'string', default: '200' },
    notes: { type: 'string', default: '0' },
  },
});
const isDev = values.half === 'dev';
const corpus = await startCorpus();

async function judgeAll(pages: readonly SavedPage[]): Promise<Case[]> {
  const chosen = pages.filter((_, index) => (index % 2 === 0) === isDev);
  const cases: Case[] = [];
  for (let copy = 0; copy < Number(values.copies); copy++)
    cases.push(...(await corpus.judge(chosen[copy % chosen.length]!, (isDev ? 1_000 : 50_000) + copy)));
  return cases;
}

const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(2)} %`;
function print(name: string, cases: readonly Case[]): void {
  const { pins, right, wrong, orphan, gone } = tally(cases);
  console.log(
    `${name.padEnd(24)} ${String(pins).padStart(6)} pins (${gone} gone): right ${percent(right, pins)}, wrong ${percent(wrong, pins)} (${wrong}), orphans ${percent(orphan, pins)}`,
  );
}

for (const [name, pages] of [
  ['sample sites', ownPages()],
  ['saved pages', savedPages()],
] as const) {
  const cases = await judgeAll(pages);
  print(name, cases);
  for (const [group, ofGroup] of Map.groupBy(cases, ({ by, kind }) => `  ${by}, ${kind}`))
    print(group, ofGroup);
  const faults = cases.filter(({ verdict }) => verdict === 'wrong');
  const lost = cases.filter(({ verdict }) => verdict === 'orphan');
  for (const one of [...faults.slice(0, Number(values.notes)), ...lost.slice(0, Number(values.notes))])
    console.log(
      one.verdict,
      one.by,
      one.kind,
      one.how,
      one.isGone ? 'gone' : '',
      one.edits.join(','),
      one.note,
    );
}

const long = await startCorpus('many');
const page = await long.open({ name: 'many', html: '<!doctype html><body></body>' });
const { pins, found, ms, slices, characters } = await page.evaluate(() => window.many(500, 100));
console.log(
  `${pins} pins on a page of ${characters} characters: ${found} found in ${Math.round(ms)} ms, ${slices.length} slices of at most ${Math.max(...slices).toFixed(1)} ms`,
);
await endFileSteps();
await closeTestBrowser();
