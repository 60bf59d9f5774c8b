import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { stageModels } from '../../../test/reviews/model-stage.ts';
import { annotations, onDocument, siteOf, work, workspaceWithDocument } from '../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace } from '../../../test/service/harness.ts';
import { sharedSpeller } from '../rules/spelling/speller.ts';

afterAll(() => sharedSpeller().close());

/** Runs the built-in agent, and returns everything that is stored. */
async function spellCheck(w: TestWorkspace, request: object) {
  const { executionId } = await w.must('/v2/agents/execution/run', { agentId: 'spell-check', ...request });
  return await work(w, executionId);
}

const POLISH = 'Wszystkie zamówienia dostarczamy w ciągu trzech dni, a wysyłkka jest bezpłatna od stu euro.';
const ENGLISH = 'We deliver all orders within three days, and delivery is free if you spend fifty euros.';
const page = (lang: string, body: string) =>
  `<!doctype html><html${lang}><head><meta charset="utf-8"><title>1</title></head><body>${body}</body></html>`;

test.each([
  ['declared', ' lang="pl"', POLISH, 'Polish (pl)'],
  ['not declared', '', POLISH, 'Polish (pl)'],
  ['declared wrongly', ' lang="en"', POLISH, 'Polish (pl)'],
  [
    'written in another script',
    '',
    'Мы доставляем все заказы в течение трёх дней, и доставка бесплатна.',
    'a language that the page does not name',
  ],
])('a page in another language, %s, is skipped and not passed', async (_, lang, text, named) => {
  const site = await siteOf({ '/': page(lang, `<p>${text}</p>`) });
  const { execution, results, log } = await spellCheck(await newWorkspace(), { url: site.url });
  const why = `The text is in ${named}, for which there is no dictionary.`;
  expect(results).toMatchObject([{ status: 'skipped', summary: why, findings: [], error: null }]);
  expect(execution).toMatchObject({
    status: 'skipped',
    resultsSummary: {
      totalFindings: 0,
      urlsProcessed: 0,
      urlsErrored: 0,
      urlsSkipped: 1,
      skippedUrls: [{ url: results[0].url, message: why }],
      summary: `1 page was skipped: ${why}`,
    },
  });
  expect(log.at(-1).message).toBe(`Ended as skipped. 1 page was skipped: ${why}`);
});

test('of a page in two languages the English text is checked, and the other language is named', async () => {
  const site = await siteOf({
    '/': page(
      ' lang="en"',
      `<p>${ENGLISH} It is a plesant shop.</p><p lang="pl">${POLISH}</p><p>${POLISH}</p>`,
    ),
  });
  const { execution, results } = await spellCheck(await newWorkspace(), { url: site.url });
  expect(execution.status).toBe('failed');
  expect(results[0].findings.map(({ targetText }: { targetText: string }) => targetText)).toEqual([
    'plesant',
  ]);
  expect(results[0].summary).toContain(
    'Text in Polish (pl) was passed over, since there is no dictionary for it.',
  );
});

test('skipped pages do not affect the status of a run that reviewed others', async () => {
  const site = await siteOf({
    '/': page(' lang="en"', `<p>${ENGLISH}</p><a href="/pl">Polish</a>`),
    '/pl': page(' lang="pl"', `<p>${POLISH}</p>`),
  });
  const request = { url: site.url, crossPageExecute: true };
  const { execution, results } = await spellCheck(await newWorkspace(), request);
  expect(results.map(({ status }: { status: string }) => status)).toEqual(['completed', 'skipped']);
  expect(execution).toMatchObject({
    status: 'passed',
    resultsSummary: { urlsProcessed: 1, urlsSkipped: 1 },
  });
  expect(execution.resultsSummary.summary).toMatch(
    /^Found 0 issues across 1 page\. .* 1 page was skipped: The text is in Polish/,
  );
});

test('suggestions of an earlier run stay when their page is skipped', async () => {
  const w = await workspaceWithDocument();
  const pages = { '/': page(' lang="en"', `<p>${ENGLISH} It is a plesant shop.</p>`) };
  const site = await siteOf(pages);
  await spellCheck(w, { url: site.url, ...onDocument });
  const before = await annotations(w);
  expect(before).toMatchObject([{ suggestion: { status: 'pending' } }]);
  pages['/'] = page(' lang="pl"', `<p>${POLISH}</p>`);
  const { execution } = await spellCheck(w, { url: site.url, ...onDocument });
  expect(execution.status).toBe('skipped');
  expect(await annotations(w)).toEqual(before);
});

test('a model reviews languages without a dictionary', async () => {
  const fake = await fakeModels(() => ({ json: { findings: [], summary: 'All is well.' } }));
  onTestFinished(() => fake.close());
  stageModels(fake.models);
  const site = await siteOf({ '/': page(' lang="pl"', `<p>${POLISH}</p>`) });
  const { execution, results } = await spellCheck(await newWorkspace(), { url: site.url });
  expect(execution.status).toBe('passed');
  expect(results).toMatchObject([{ status: 'completed', summary: 'All is well.' }]);
});
