import { expect, test } from 'vitest';
import { annotations, onDocument, siteOf, work, workspaceWithDocument } from '../../../test/reviews/runs.ts';
import { type TestWorkspace, testApp } from '../../../test/service/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const page = (title: string, body: string) => `<!doctype html><title>${title}</title>${body}`;

const menu = '<nav><a href="/">Home</a> <a href="/a">A</a> <a href="/b">B</a></nav>';

/** Three pages: an address that fails on each of them, another on one. */
const faulty = () => ({
  '/': page('Home', `${menu}<a href="/gone">gone</a>`),
  '/a': page('A', `${menu}<a href="/gone">gone</a> <a href="/lost">lost</a>`),
  '/b': page('B', `${menu}<a href="/gone">gone</a> <a href="/gone?x">gone, too</a>`),
});

/** A site that can change, and runs of an agent over the whole of it. */
async function startReview(w: TestWorkspace, agentId = 'broken-links') {
  const pages: Record<string, string> = faulty();
  const site = await siteOf(pages);
  const request = { agentId, url: `${site.url}/`, crossPageExecute: true, ...onDocument };
  return {
    pages,
    run: async (more: object = {}): Promise<Any> => {
      const { executionId } = await w.must('/v2/agents/execution/run', { ...request, ...more });
      return await work(w, executionId);
    },
  };
}

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '');

/** By address: the suggestions of the document. */
const suggestions = async (w: TestWorkspace): Promise<Record<string, Any>> =>
  Object.fromEntries((await annotations(w)).map((one: Any) => [pathOf(one.agent.reason.url), one]));

const idsOf = (byAddress: Record<string, Any>) =>
  Object.fromEntries(Object.entries(byAddress).map(([address, one]) => [address, one.annotationId]));

test('a cause on several pages is one suggestion, which says how far it reaches', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startReview(w);
  const { execution, results } = await run();
  expect(execution).toMatchObject({ status: 'failed', verdict: 'findings', causesTotal: 3 });
  expect(execution.resultsSummary).toMatchObject({ totalFindings: 5, totalAnnotationsCreated: 3 });
  const written = await suggestions(w);
  expect(Object.keys(written).sort()).toEqual(['/gone', '/gone?x', '/lost']);
  expect(written['/gone'].agent.reason).toMatchObject({ cause: { places: 3, pages: 3 } });
  expect(written['/gone'].comments[0].commentText).toContain('It is so on this page and on 2 other pages.');
  expect(written['/lost'].comments[0].commentText).not.toContain('It is so');
  const shown = results.map(({ findings }: Any) =>
    findings.map(({ url, commentId }: Any) => [pathOf(url), commentId]),
  );
  const ids = idsOf(written);
  expect(shown.map((ofPage: Any) => ofPage.length)).toEqual([1, 2, 2]);
  expect(Object.fromEntries(shown.flat())).toEqual(ids);
  const [first] = execution.causes;
  expect(first).toMatchObject({
    places: 3,
    pages: 3,
    openPlaces: 3,
    commentId: written['/gone'].annotationId,
  });
  expect(first.examples.map(({ sourceUrl }: Any) => pathOf(sourceUrl))).toEqual(['/', '/a', '/b']);
});

test('causes and the places of each are read in parts', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startReview(w);
  const { execution } = await run();
  const executionId = execution.id;
  const part = await w.must('/v2/agents/execution/causes', { executionId, pageSize: 2 });
  const rest = await w.must('/v2/agents/execution/causes', {
    executionId,
    pageSize: 2,
    pageToken: part.nextPageToken,
  });
  expect([part.causes.length, rest.causes.length, rest.nextPageToken]).toEqual([2, 1, undefined]);
  expect([...part.causes, ...rest.causes]).toEqual(execution.causes);
  const { id: causeId } = part.causes[0];
  const places = await w.must('/v2/agents/execution/findings', { executionId, causeId, pageSize: 2 });
  const more = await w.must('/v2/agents/execution/findings', {
    executionId,
    causeId,
    pageSize: 2,
    pageToken: places.nextPageToken,
  });
  const paths = [...places.findings, ...more.findings].map(({ sourceUrl }: Any) => pathOf(sourceUrl));
  expect([paths, more.nextPageToken]).toEqual([['/', '/a', '/b'], undefined]);
  const url = `${execution.config.seedUrl}a`;
  const onPage = await w.must('/v2/agents/execution/findings', { executionId, url });
  expect(onPage.findings.map((one: Any) => pathOf(one.url)).sort()).toEqual(['/gone', '/lost']);
  const none = await w.must('/v2/agents/execution/findings', { executionId, url: `${url}/none` });
  expect(none).toEqual({ findings: [] });
  const answer = await w.post('/v2/agents/execution/causes', {
    executionId,
    pageToken: places.nextPageToken,
  });
  expect(answer.body.error).toMatchObject({ status: 'INVALID_ARGUMENT' });
});

test('a second run changes nothing on an unchanged site, and follows repairs and new faults by cause', async () => {
  const w = await workspaceWithDocument();
  const { run, pages } = await startReview(w);
  await run();
  const before = idsOf(await suggestions(w));
  const again = await run();
  expect(idsOf(await suggestions(w))).toEqual(before);
  expect(again.execution.resultsSummary).toMatchObject({ totalAnnotationsCreated: 0, new: 0, fixed: 0 });
  expect(again.execution.causes.map(({ comparison, newPlaces }: Any) => [comparison, newPlaces])).toEqual(
    Array(3).fill(['still_there', 0]),
  );

  pages['/'] = page('Home', menu);
  pages['/a'] = page('A', `${menu}<a href="/gone">gone</a> <a href="/stray">stray</a>`);
  const { execution } = await run();
  expect(execution.resultsSummary).toMatchObject({ totalAnnotationsCreated: 1, new: 1, fixed: 2 });
  const after = await suggestions(w);
  expect(idsOf(after)).toMatchObject(before);
  expect(after['/lost']).toMatchObject({
    status: { id: 'RESOLVED' },
    resolvedByUserId: 'broken-links',
    agent: { repaired: { executionId: execution.id } },
  });
  expect(after['/stray']).toMatchObject({ status: { id: 'OPEN' } });
  expect(after['/gone'].agent.reason.cause).toMatchObject({ places: 2, pages: 2 });
  const byAddress = Object.fromEntries(execution.causes.map((one: Any) => [pathOf(one.url), one]));
  expect(byAddress['/gone']).toMatchObject({ comparison: 'still_there', fixedPlaces: 1, newPlaces: 0 });
  expect(byAddress['/stray']).toMatchObject({ comparison: 'new', newPlaces: 1 });
  expect(byAddress['/lost']).toBeUndefined();

  Object.assign(pages, faulty());
  await run();
  const back = await suggestions(w);
  expect(idsOf(back)).toMatchObject(before);
  expect(back['/lost']).toMatchObject({ status: { id: 'OPEN' } });
  expect(back['/lost'].agent.repaired).toBeUndefined();
  expect(back['/stray']).toMatchObject({ status: { id: 'RESOLVED' } });
});

test('what people decided on a cause counts for all of its places, and the verdict judges the rest', async () => {
  const w = await workspaceWithDocument();
  const { run, pages } = await startReview(w);
  pages['/a'] = page('A', `${menu}<a href="/gone">gone</a>`);
  pages['/b'] = page('B', `${menu}<a href="/gone">gone</a>`);
  await run();
  const { annotationId } = (await suggestions(w))['/gone'];
  await w.must('/v2/commentannotations/update', {
    ...onDocument,
    annotationIds: [annotationId],
    updatedData: { suggestion: { status: 'rejected', rejectReason: 'The page comes next week.' } },
  });
  const { execution, results } = await run();
  expect(execution).toMatchObject({ status: 'failed', verdict: 'clean' });
  expect(execution.resultsSummary).toMatchObject({ open: 0, decided: 3, new: 0, fixed: 0 });
  expect(execution.causes).toMatchObject([
    { openPlaces: 0, places: 3, decision: 'rejected', reason: 'The page comes next week.' },
  ]);
  for (const { findings } of results)
    expect(findings).toMatchObject([{ decision: 'rejected', reason: 'The page comes next week.' }]);
  const open = await w.must('/v2/agents/execution/findings', { executionId: execution.id, open: true });
  expect(open.findings).toEqual([]);
  expect(Object.keys(await suggestions(w))).toEqual(['/gone']);
});

test('a cause for which another built-in agent has an open suggestion gets no second one', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startReview(w);
  await run();
  const before = idsOf(await suggestions(w));
  const { deps } = await testApp();
  await deps.db
    .updateTable('annotations')
    .set({ agentId: 'spell-check' })
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  const { execution, log } = await run();
  expect(idsOf(await suggestions(w))).toEqual(before);
  expect(execution.resultsSummary).toMatchObject({ totalFindings: 5, totalAnnotationsCreated: 0 });
  expect(execution.causes.map(({ commentId }: Any) => commentId).sort()).toEqual(
    Object.values(before).sort(),
  );
  expect(JSON.stringify(log)).toContain('3 causes left to the suggestions of other agents');
});

test('a suggestion stays open where its address could not be judged', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startReview(w);
  await run();
  const before = idsOf(await suggestions(w));
  for (const [options, totalFindings] of [
    [{ maxFindings: 1 }, 3],
    [{ skip: ['**/gone**'] }, 1],
  ] as const) {
    const { execution } = await run({ strategyOptions: { 'broken-links': options } });
    expect(execution.resultsSummary).toMatchObject({ totalFindings, fixed: 0 });
    const after = await suggestions(w);
    expect(idsOf(after)).toEqual(before);
    expect(Object.values(after).map(({ status }) => status.id)).toEqual(['OPEN', 'OPEN', 'OPEN']);
  }
});

test('a run refuses options of a service that its agent does not run, and unknown ones', async () => {
  const w = await workspaceWithDocument();
  const send = async (strategyOptions: object) => {
    const request = { agentId: 'broken-links', url: 'http://127.0.0.1:9/', strategyOptions };
    const { body } = await w.post('/v2/agents/execution/run', request);
    return [body.error.status, body.error.message];
  };
  expect(await send({ 'spell-check': { words: ['Redpen'] } })).toEqual([
    'INVALID_ARGUMENT',
    expect.stringContaining('strategyOptions.spell-check is for agents that run the service spell-check.'),
  ]);
  expect(await send({ 'broken-links': { skips: [] } })).toEqual([
    'INVALID_ARGUMENT',
    expect.stringContaining('skips'),
  ]);
});
