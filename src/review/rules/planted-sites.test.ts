import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Found, matchPlanted } from '../../../test/fakes/planted-match.ts';
import { plantedPages } from '../../../test/fakes/planted-pages.ts';
import { type PlantedPage, startPlantedSite } from '../../../test/fakes/planted-site.ts';
import { unseenPages } from '../../../test/fakes/unseen-pages.ts';
import { expectKnownRules } from '../../../test/reviews/known-rules.ts';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
import { annotations, onDocument, work, workspaceWithDocument } from '../../../test/reviews/runs.ts';
import { testApp } from '../../../test/service/harness.ts';
import { completeFindings } from '../findings/finding-to-annotation.ts';
import { guardrails } from '../findings/guardrails.ts';
import { gatherAll } from '../gather/gather.ts';
import { services } from '../services/index.ts';
import { sharedSpeller } from './spelling/speller.ts';

const AGENTS = [
  ...['spell-check', 'lorem-ipsum', 'pii-detection', 'sensitive-data', 'profanity-filter'],
  ...['og-image-checker', 'accessibility-checker'],
];
const { signal } = new AbortController();

afterAll(() => sharedSpeller().close());

async function startSite(pages: readonly PlantedPage[]) {
  const site = await startPlantedSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** The findings of all services for a page that is loaded once. */
async function reviewPage(url: string): Promise<Found[]> {
  const { outside } = (await testApp()).deps;
  const { gathered } = await gatherAll({
    ...{ url, deviceType: 'desktop', values: {}, signal, log: () => {} },
    ...{ fetch: outside.fetch, browser: outside.browser, lighthouse: outside.lighthouse },
    strategies: ['web-page-text', 'web-page-html', 'web-page-accessibility'],
  });
  const { browser, fetch } = outside;
  const reviews = services
    .filter(({ id }) => AGENTS.includes(id))
    .map(async (service) => {
      const { findings } = await service.run(
        { ...bareTask, url, gathered },
        { ...bareContext, browser, fetch, signal },
      );
      await expectKnownRules(service.id, findings);
      return guardrails(completeFindings(findings, url, false)).map((finding) => ({
        ...finding,
        agent: service.id,
        page: new URL(url).pathname,
      }));
    });
  return (await Promise.all(reviews)).flat();
}

async function reviewSite(pages: readonly PlantedPage[]) {
  const site = await startSite(pages);
  const found = await Promise.all(pages.map(({ path }) => reviewPage(site.url + path)));
  return matchPlanted(site.planted, found.flat());
}

const linesOf = (found: readonly Found[]) =>
  found.map(({ agent, page, issueType, targetText, htmlSelector }) =>
    [agent, page, issueType, targetText || htmlSelector].join(' | '),
  );

test('every planted fault of a site is found by rule, and no other', async () => {
  const { missed, invented } = await reviewSite(plantedPages);
  expect(missed).toEqual([]);
  expect(linesOf(invented)).toEqual([]);
});

test('on a site that no rule was tuned on, 95 of 100 faults are found and 95 of 100 findings are right', async () => {
  const { recall, precision, missed, invented } = await reviewSite(unseenPages);
  expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.95);
  expect(precision, JSON.stringify(linesOf(invented))).toBeGreaterThanOrEqual(0.95);
});

test('built-in agents run without a model, pin their quotes, and add nothing in a second run', async () => {
  const parts = plantedPages.filter(({ path }) => /^\/($|draft|people|leaks|rude|barriers)/.test(path));
  const site = await startSite([
    {
      path: '/',
      body: parts.map(({ body }) => body).join('\n'),
      faults: parts.flatMap(({ faults }) => faults),
    },
  ]);
  const w = await workspaceWithDocument();
  const review = async (agents: readonly string[]) => {
    const runs = agents.map(async (agentId) => {
      const request = { agentId, url: `${site.url}/`, crossPageExecute: true, ...onDocument };
      const { executionId } = await w.must('/v2/agents/execution/run', request);
      const { execution, results } = await work(w, executionId);
      expect(execution.resultsSummary).toMatchObject({ urlsErrored: 0, urlsProcessed: 1 });
      return (results[0].findings as (Found & { position?: unknown; findingType: string })[]).map(
        (finding) => ({ ...finding, agent: agentId, page: '/' }),
      );
    });
    return (await Promise.all(runs)).flat();
  };
  const found = await review(AGENTS);
  const { recall, precision } = matchPlanted(site.planted, found);
  expect(Math.min(recall, precision)).toBeGreaterThanOrEqual(0.95);
  expect(linesOf(found.filter(({ position, findingType }) => findingType === 'text' && !position))).toEqual(
    [],
  );
  const before = await annotations(w);
  expect(before).toHaveLength(found.length);
  const some = AGENTS.slice(0, 3);
  const same = found.filter(({ agent }) => some.includes(agent));
  expect(linesOf(await review(some)).sort()).toEqual(linesOf(same).sort());
  expect(await annotations(w)).toHaveLength(before.length);
}, 240_000);
