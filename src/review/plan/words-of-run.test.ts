import { afterAll, expect, test } from 'vitest';
import { siteOf, work } from '../../../test/reviews/runs.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { siteWordsOf } from '../../store/agents/execution-site-words.ts';
import { sharedSpeller } from '../rules/spelling/speller.ts';

afterAll(() => sharedSpeller().close());

const SENTENCE = 'We deliver all orders within three days, and delivery is free if you spend fifty euros.';
const page = (body: string) => `<!doctype html><html lang="en"><body>${body}</body></html>`;
const pages = {
  '/': page(`<p>${SENTENCE} The refrash and the settinngs of devlivery are here.</p><a href="/api">API</a>`),
  '/api': page(`<p>${SENTENCE}</p><p>Call <code>refrash</code>.</p>`),
};

async function quotesOf(request: object, ownWords?: string[]) {
  const w = await newWorkspace();
  if (ownWords) await w.must('/v2/workspace/apikeyconfig/update', { spellCheckWords: ownWords });
  const site = await siteOf(pages);
  const { executionId } = await w.must('/v2/agents/execution/run', {
    agentId: 'spell-check',
    url: `${site.url}/`,
    ...request,
  });
  const { results } = await work(w, executionId);
  const { deps } = await testApp();
  expect(await siteWordsOf(deps.db, { apiKeyId: w.apiKeyId, executionId })).toBe('');
  return results.flatMap(({ findings }: { findings: { targetText: string }[] }) =>
    findings.map(({ targetText }) => targetText).filter(Boolean),
  );
}

test('names in code on any page of a site are right on all of its pages', async () => {
  expect(await quotesOf({})).toContain('refrash');
  expect(await quotesOf({ crossPageExecute: true })).toEqual(['settinngs', 'devlivery']);
});

test('the own words of an API key and of a run are right', async () => {
  expect(await quotesOf({ crossPageExecute: true }, ['Devlivery'])).toEqual(['settinngs']);
  const strategyOptions = { 'spell-check': { words: ['settinngs'] } };
  expect(await quotesOf({ crossPageExecute: true, strategyOptions }, ['Devlivery'])).toEqual([]);
});
