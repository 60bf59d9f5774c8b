import { expect, test } from 'vitest';
import { onDocument, siteOf, workspaceWithDocument } from '../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { runReview } from '../../review/run/run-review.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const page = (body: string) => `<!doctype html><html lang="en"><title>T</title><body>${body}</body></html>`;
const PAGES = {
  '/': page(
    '<main><h1>Boats</h1><p>We recieve guests.</p><img src="/a.svg"><a href="/gone">Gone</a> <a href="/b">B</a></main>',
  ),
  '/b': page('<main><h1>B</h1><p>All is well here.</p></main>'),
  '/a.svg': {
    status: 200,
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>',
    headers: { 'content-type': 'image/svg+xml' },
  },
};
const THREE = ['accessibility-checker', 'spell-check', 'broken-links'];

async function review(w: TestWorkspace, request: object): Promise<string> {
  const { reviewId } = await w.must('/v2/reviews/run', request);
  const { deps } = await testApp();
  const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, reviewId };
  await runReview(ref, deps, new AbortController().signal);
  return reviewId;
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

async function reportOf(w: TestWorkspace, path: string): Promise<Any> {
  const { app } = await testApp();
  const headers = { 'x-service-api-key': w.apiKeyId, 'x-service-auth-token': w.token };
  return await app.inject({ method: 'GET', url: path, headers });
}

test('agents share the crawl and the load of each page, and have one verdict', async () => {
  const w = await newWorkspace();
  const site = await siteOf(PAGES);
  const request = { urls: [`${site.url}/`], agents: THREE, crossPageExecute: true, screenshots: 'all' };
  const reviewId = await review(w, request);
  const { review: ended }: Any = await w.must('/v2/reviews/get', { reviewId });
  expect(ended).toMatchObject({
    id: reviewId,
    status: 'ended',
    verdict: 'findings',
    agents: THREE.map((agentId) => ({ agentId })),
    progress: { urlsPlanned: 6, urlsProcessed: 6 },
    counts: { pages: 2 },
  });
  expect(ended.executions.map(({ agentId }: Any) => agentId)).toEqual(THREE);
  const seen = async (filter: object): Promise<Any[]> =>
    (await w.must('/v2/agents/findings/list', filter)).findings;
  expect(await seen({ reviewId })).toHaveLength(ended.progress.findings);
  expect((await w.must('/v2/agents/findings/count', { reviewId })).total).toBe(ended.progress.findings);
  expect(await seen({ reviewId: 'review_other' })).toEqual([]);
  expect(ended.counts.findings).toBe(ended.counts.open);

  // One request of the crawl and one of the browser, whatever the number of agents.
  for (const path of ['/', '/b'])
    expect(site.requests.filter((one) => one === `GET ${path}`)).toHaveLength(2);
  expect(site.requests.filter((one) => one === 'GET /a.svg').length).toBeLessThanOrEqual(2);

  const report = JSON.parse((await reportOf(w, `/v2/reviews/${reviewId}/report?format=json`)).body);
  expect(report).toMatchObject({ schema: 'redpen-report/1', id: reviewId, verdict: 'findings' });
  const found = report.findings.map(({ issueType }: Any) => issueType);
  expect(found).toEqual(expect.arrayContaining(['image-alt', 'spelling', 'broken-link']));
  // Also those of the agent that opens no page by itself have places in the picture.
  for (const { issueType, position } of report.findings)
    if (issueType !== 'duplicate-title') expect(position, issueType).toBeDefined();
  expect(report.pages.every(({ screenshot }: Any) => screenshot)).toBe(true);
});

test('executions that start at several pages of a site request and render each page once to find the others', async () => {
  const w = await newWorkspace();
  const drawn = page('<div id="app"></div><script src="/app.js"></script>');
  const script = `document.getElementById('app').innerHTML = '<a href="/a">A</a> <a href="/b">B</a>';`;
  const site = await siteOf({
    '/a': drawn,
    '/b': drawn,
    '/app.js': { status: 200, body: script, headers: { 'content-type': 'text/javascript' } },
  });
  const request = {
    urls: [`${site.url}/a`, `${site.url}/b`],
    agents: ['broken-links'],
    crossPageExecute: true,
  };
  const reviewId = await review(w, request);
  const { review: ended }: Any = await w.must('/v2/reviews/get', { reviewId });
  expect(ended).toMatchObject({ progress: { urlsProcessed: 4 }, counts: { pages: 2 } });
  for (const path of ['/a', '/b'])
    expect(site.requests.filter((one) => one === `GET ${path}`)).toHaveLength(2);
});

test('severities replace those of the rules, and off leaves earlier suggestions alone', async () => {
  const w = await workspaceWithDocument();
  const site = await siteOf(PAGES);
  const request = { urls: [`${site.url}/`], agents: ['spell-check', 'broken-links'], ...onDocument };
  await review(w, request);
  const suggestions = async (): Promise<string[]> =>
    (await w.must('/v2/commentannotations/get', { ...onDocument, agentSuggestions: true }))
      .filter((one: Any) => one.status?.type !== 'terminal')
      .map((one: Any) => one.agent.reason.issueType)
      .sort();
  expect(await suggestions()).toEqual(['broken-link', 'spelling']);

  const own = { severities: { spelling: 'off', 'broken-link': 'info' } };
  const reviewId = await review(w, { ...request, ...own });
  const { review: ended }: Any = await w.must('/v2/reviews/get', { reviewId });
  expect(ended.counts).toMatchObject({ findings: 1, bySeverity: { info: 1 }, new: 0, fixed: 0 });
  expect(await suggestions()).toEqual(['broken-link', 'spelling']);
});

test('a review of several URLs of a document compares each with its own last run', async () => {
  const w = await workspaceWithDocument();
  const wrong = page('<main><h1>Boats</h1><p>We recieve guests.</p></main>');
  const site = await siteOf({ '/a': wrong, '/b': wrong, '/c': wrong });
  const urls = ['/a', '/b', '/c'].map((path) => `${site.url}${path}`);
  const request = { urls, agents: ['spell-check'], ...onDocument };
  await review(w, request);
  const reviewId = await review(w, request);
  const { review: ended }: Any = await w.must('/v2/reviews/get', { reviewId });
  expect(ended.counts).toMatchObject({ findings: 3, new: 0, fixed: 0 });
});

test('an agent that fails does not stop the others', async () => {
  const w = await newWorkspace();
  const site = await siteOf(PAGES);
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'Asks a model',
    instructions: 'Look.',
    contextGathering: { strategies: ['web-page-text'] },
    execution: { executionStrategy: 'ai' },
  });
  const reviewId = await review(w, { urls: [`${site.url}/b`], agents: [agentId, 'spell-check'] });
  const { review: ended }: Any = await w.must('/v2/reviews/get', { reviewId });
  expect(ended.executions.map(({ status }: Any) => status)).toEqual(['error', 'passed']);
  expect(ended.verdict).toBe('incomplete');
  const report = JSON.parse((await reportOf(w, `/v2/reviews/${reviewId}/report`)).body);
  expect(report.agents[0]).toMatchObject({ agentId, verdict: 'broken', error: expect.any(String) });
});

test('globs choose pages, and a sitemap adds some', async () => {
  const w = await newWorkspace();
  const pages: Parameters<typeof siteOf>[0] = {
    ...PAGES,
    '/docs/a': page('<h1>A</h1>'),
    '/docs/b': page('<h1>B</h1>'),
  };
  const site = await siteOf(pages);
  const { host } = new URL(site.url);
  const loc = (path: string) => `<url><loc>${site.url}${path}</loc></url>`;
  pages['/sitemap.xml'] = {
    status: 200,
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[
      ...['', '/docs/../docs/a', '/docs/b'].map(loc),
      // No pages that could be reviewed.
      ...[`ftp://${host}/a`, `http://user:secret@${host}/b`].map((text) => `<url><loc>${text}</loc></url>`),
    ].join('')}</urlset>`,
    headers: { 'content-type': 'application/xml' },
  };
  const urlsOf = async (request: object) => {
    const reviewId = await review(w, { urls: [`${site.url}/`], agents: ['lorem-ipsum'], ...request });
    const report = JSON.parse((await reportOf(w, `/v2/reviews/${reviewId}/report`)).body);
    return report.pages.map(({ url }: Any) => url.slice(site.url.length));
  };
  expect(await urlsOf({ sitemap: true })).toEqual(['/', '/docs/a', '/docs/b']);
  expect(await urlsOf({ sitemap: true, pages: ['/docs/*'] })).toEqual(['/docs/a', '/docs/b']);
  expect(await urlsOf({ crossPageExecute: true, pages: ['/b'] })).toEqual(['/b']);
});

test('a review is cancelled as a whole, and its report says what is known', async () => {
  const w = await newWorkspace();
  const { reviewId, executionIds } = await w.must('/v2/reviews/run', {
    urls: ['https://example.com/'],
    preset: 'privacy',
  });
  expect(executionIds).toHaveLength(2);
  const { review: first }: Any = await w.must('/v2/reviews/get', { reviewId });
  expect(first).toMatchObject({ status: 'running', completedAt: null, preset: 'privacy' });
  const { review: ended }: Any = await w.must('/v2/reviews/cancel', { reviewId, reason: 'Too early.' });
  expect(ended).toMatchObject({ status: 'ended', verdict: 'broken' });
  expect(ended.revision).not.toBe(first.revision);
  expect(ended.executions[0].error).toMatchObject({ code: 'CANCELLED' });
  const again = await w.post('/v2/reviews/cancel', { reviewId });
  expect(again.body.error).toMatchObject({ status: 'FAILED_PRECONDITION' });
  const report = JSON.parse((await reportOf(w, `/v2/reviews/${reviewId}/report`)).body);
  expect(report.agents.map(({ error }: Any) => error)).toEqual(
    Array(2).fill('The run was cancelled: Too early.'),
  );
  const listed = await w.must('/v2/reviews/list', { status: 'ended' });
  expect(listed.reviews).toEqual([ended]);
});

test('the last execution that is cancelled alone ends the review', async () => {
  const w = await newWorkspace();
  const request = { urls: ['https://example.com/'], agents: ['spell-check', 'lorem-ipsum'] };
  const { reviewId, executionIds } = await w.must('/v2/reviews/run', request);
  await w.must('/v2/agents/execution/cancel', { executionId: executionIds[0] });
  expect((await w.must('/v2/reviews/get', { reviewId })).review.status).toBe('running');
  await w.must('/v2/agents/execution/cancel', { executionId: executionIds[1] });
  expect((await w.must('/v2/reviews/get', { reviewId })).review.status).toBe('ended');
});

test('wrong requests are refused by name, and leave nothing behind', async () => {
  const w = await newWorkspace();
  const refusal = async (request: object) => (await w.post('/v2/reviews/run', request)).body.error;
  const urls = ['https://example.com/'];
  expect(await refusal({ urls })).toMatchObject({ message: expect.stringContaining('Give agents, preset') });
  expect(await refusal({ urls: ['http://10.0.0.1/'], agents: ['spell-check'] })).toMatchObject({
    message: expect.stringContaining('urls.0 leads to an address that is not allowed'),
  });
  expect(await refusal({ urls, agents: ['spell-check', 'nothing'] })).toMatchObject({ status: 'NOT_FOUND' });
  expect(await refusal({ urls, groupId: 'group_nothing' })).toMatchObject({ status: 'NOT_FOUND' });
  const many = Array.from({ length: 51 }, (_, index) => `https://example.com/${index}`);
  expect(await refusal({ urls: many, agents: ['spell-check', 'lorem-ipsum'] })).toMatchObject({
    message: expect.stringContaining('at most 100 executions'),
  });
  const options = { 'broken-links': { internalOnly: true } };
  expect(await refusal({ urls, agents: ['spell-check'], strategyOptions: options })).toMatchObject({
    message: expect.stringContaining('strategyOptions.broken-links is for agents that run'),
  });
  expect((await w.must('/v2/reviews/list', {})).reviews).toEqual([]);
  expect((await w.must('/v2/agents/execution/list', { scope: 'apiKey' })).executions).toEqual([]);
});

test('options go to the agents that have them', async () => {
  const w = await newWorkspace();
  const request = { urls: ['https://example.com/'], agents: ['spell-check', 'broken-links'] };
  const options = { 'broken-links': { internalOnly: true } };
  const { executionIds } = await w.must('/v2/reviews/run', { ...request, strategyOptions: options });
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('executions')
    .select(['executionId', 'request'])
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  const of = (id: string) => rows.find(({ executionId }) => executionId === id)!.request.strategyOptions;
  expect(executionIds.map(of)).toEqual([undefined, options]);
});

test('a shared link shows the report without credentials, until its end and only as it was signed', async () => {
  const w = await newWorkspace();
  const site = await siteOf(PAGES);
  const reviewId = await review(w, { urls: [`${site.url}/`], agents: ['spell-check'] });
  const { url, expiresAt } = await w.must('/v2/reviews/share', { reviewId, validForHours: 2 });
  expect(expiresAt - Date.now()).toBeLessThanOrEqual(2 * 3_600_000);
  const { app } = await testApp();
  const path = pathOf(url);
  const open = (address: string) => app.inject({ method: 'GET', url: address });
  const asJson = await open(`${path}&format=json`);
  expect(JSON.parse(asJson.body)).toMatchObject({ id: reviewId });
  expect(asJson.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  const wrong = await open(`${path}&format=pdf`);
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json().error.message).toContain('format must be one of text, json');
  const other = await review(w, { urls: [`${site.url}/b`], agents: ['spell-check'] });
  expect((await open(path.replace(reviewId, other))).statusCode).toBe(403);
  expect((await open(path.replace(/expires=\d/, 'expires=9'))).statusCode).toBe(403);
  const { executionIds } = await w.must('/v2/reviews/run', {
    urls: ['https://example.com/'],
    preset: 'content',
  });
  const ofRun = await w.must('/v2/agents/execution/share', { executionId: executionIds[0] });
  expect((await open(`${pathOf(ofRun.url)}&format=json`)).statusCode).toBe(200);
});
