import { expect, test } from 'vitest';
import {
  dispatch,
  links,
  onDocument,
  siteOf,
  work,
  workspaceWithDocument,
} from '../../../test/reviews/runs.ts';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';

const xml = (site: string, paths: string[]) => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<urlset>${paths.map((path) => `<url><loc>${site}${path}</loc></url>`).join('')}</urlset>`,
});

const PAGES = {
  '/': '<title>Home</title><a href="/a">a</a> <a href="/b">b</a> <a href="/gone">gone</a>',
  '/a': '<title>Same</title><a href="/">home</a>',
  '/b': '<title>Same</title><a href="/">home</a>',
  '/orphan': '<title>Orphan</title>',
};

/** A site with a sitemap, which needs the address of the site. */
async function siteWithSitemap(pages: Record<string, string>) {
  const all: Parameters<typeof siteOf>[0] = { ...pages };
  const site = await siteOf(all);
  all['/sitemap.xml'] = xml(site.url, ['/', '/a', '/b', '/orphan', '/lost']);
  return site;
}

type Found = {
  results: { url: string; findings: { issueType: string; url?: string; comparison?: string }[] }[];
};

const found = ({ results }: Found) =>
  results.flatMap(({ url, findings }) =>
    findings.map(
      ({ issueType, url: at, comparison }) =>
        `${new URL(url).pathname} ${issueType}${at ? ` ${new URL(at).pathname}` : ''}${comparison ? ` ${comparison}` : ''}`,
    ),
  );

const EXPECTED = [
  '/ broken-link /gone',
  '/ sitemap-orphan /orphan',
  '/ sitemap-broken /lost',
  '/a duplicate-title',
  '/b duplicate-title',
];

test('rules across pages add their findings to the pages, and not to the counts of broken links', async () => {
  const site = await siteWithSitemap(PAGES);
  const w = await newWorkspace();
  const agent = { ...links, response: { responseAdapter: 'broken-links-response' } };
  const ended = await work(w, await dispatch(w, agent, { url: site.url, crossPageExecute: true }));
  expect(found(ended)).toEqual(expect.arrayContaining(EXPECTED));
  expect(found(ended)).toHaveLength(EXPECTED.length);
  expect(ended.execution.response.brokenLinksResults).toMatchObject({
    totalBrokenLinks: 1,
    byErrorType: { http_error: 1 },
  });
  expect(JSON.stringify(ended)).not.toContain('siteFacts');
});

test('a run of one page does not apply them', async () => {
  const site = await siteWithSitemap(PAGES);
  const w = await newWorkspace();
  expect(found(await work(w, await dispatch(w, links, { url: site.url })))).toEqual(['/ broken-link /gone']);
  expect(site.requests).not.toContain('GET /sitemap.xml');
});

test('the next run finds the same again, and after a repair what is gone', async () => {
  const pages = { ...PAGES };
  const site = await siteWithSitemap(pages);
  const w = await workspaceWithDocument();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', ...links });
  const review = async () => {
    const request = { agentId, url: site.url, crossPageExecute: true, ...onDocument };
    return await work(w, (await w.must('/v2/agents/execution/run', request)).executionId);
  };
  await review();
  const second = await review();
  expect(found(second)).toEqual(expect.arrayContaining(EXPECTED.map((line) => `${line} still_there`)));
  expect(second.execution.comparison).toMatchObject({ new: 0, stillThere: EXPECTED.length, fixed: 0 });
});

test('a run that another process resumes adds no finding twice', async () => {
  expectLog(/run resumed after its process was lost/);
  const site = await siteWithSitemap(PAGES);
  const w = await newWorkspace();
  const executionId = await dispatch(w, links, { url: site.url, crossPageExecute: true });
  const { deps } = await testApp();
  const first = await work(w, executionId);
  // The process ends after the findings were added, and before the run is.
  await deps.db
    .updateTable('executions')
    .set({ status: 'running', completedAt: null, leaseOwner: null, leaseUntil: 0 })
    .where('executionId', '=', executionId)
    .execute();
  expect(found(await work(w, executionId)).toSorted()).toEqual(found(first).toSorted());
});
