import { expect, test } from 'vitest';
import { links, run, siteOf } from '../../../test/reviews/runs.ts';
import { newWorkspace } from '../../../test/service/harness.ts';

const agent = {
  ...links,
  contextGathering: { strategies: ['web-page-links'] },
  execution: {
    ...links.execution,
    strategyOptions: { 'broken-links': { internalOnly: true } },
  },
};
const page = (body: string, scripts = '') =>
  `<!doctype html><html lang="en"><title>T</title><body><h1>Docs</h1>${body}${scripts}</body></html>`;
const script = (body: string) => ({ status: 200, body, headers: { 'content-type': 'text/javascript' } });

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const brokenIn = (findings: Any[]) => findings.filter(({ issueType }) => issueType === 'broken-link');
const brokenOn = ({ results }: Any): string[] =>
  results
    .flatMap(({ url, findings }: Any) =>
      brokenIn(findings).map((one: Any) => `${new URL(url).pathname} ${new URL(one.url).pathname}`),
    )
    .sort();

test('scripts that change no links are run on three pages, and all others are read without a browser', async () => {
  const inert = '<script src="/menu.js"></script>';
  const pages: Record<string, string | object> = {
    '/menu.js': script('document.body.className = "ready"'),
    '/plain': page('<a href="/gone-plain">x</a>'),
    '/': page(
      `<a href="/plain">plain</a>${Array.from({ length: 8 }, (_, n) => `<a href="/doc/${n}">${n}</a>`).join('')}`,
      inert,
    ),
  };
  for (let number = 0; number < 8; number++)
    pages[`/doc/${number}`] = page(`<a href="/gone/${number}">x</a>`, inert);
  const site = await siteOf(pages as Any);
  const ended: Any = await run(await newWorkspace(), agent, { url: site.url, crossPageExecute: true });

  const gone = Array.from({ length: 8 }, (_, number) => `/doc/${number} /gone/${number}`);
  expect(brokenOn(ended)).toEqual([...gone, '/plain /gone-plain']);
  expect(ended.execution.resultsSummary).toMatchObject({ urlsProcessed: 10, urlsRendered: 3 });
  expect(ended.execution.resultsSummary.summary).toContain('3 of 10 pages rendered.');
  const reasons = ended.results.map(({ data }: Any) => `${data.reading.rendered} ${data.reading.reason}`);
  expect(reasons.sort()).toEqual([
    ...Array(6).fill('false inert-scripts'),
    'false no-scripts',
    ...Array(3).fill('true sample'),
  ]);
  expect(ended.log.map(({ message }: Any) => message)).toContain(
    '3 of 10 pages were read in a browser: 3 as samples of their scripts. The others needed none: 6 with scripts that change no links, 1 without scripts.',
  );
});

test('scripts that add links are run on every page', async () => {
  const adding = '<script src="/menu.js"></script>';
  const menu =
    'const a = document.createElement("a"); a.href = "/gone" + location.pathname; a.text = "x"; document.body.append(a)';
  const pages: Record<string, string | object> = { '/menu.js': script(menu) };
  pages['/'] = page(Array.from({ length: 6 }, (_, n) => `<a href="/doc/${n}">${n}</a>`).join(''), adding);
  for (let number = 0; number < 6; number++) pages[`/doc/${number}`] = page('<p>Words</p>', adding);
  const site = await siteOf(pages as Any);
  const ended: Any = await run(await newWorkspace(), agent, { url: site.url, crossPageExecute: true });
  expect(brokenOn(ended)).toEqual([
    '/ /gone/',
    ...Array.from({ length: 6 }, (_, n) => `/doc/${n} /gone/doc/${n}`),
  ]);
  expect(ended.execution.resultsSummary.urlsRendered).toBe(7);
});

test('a site that scripts draw has a page for each of its routes', async () => {
  const app = `
    const names = Array.from({ length: 22 }, (_, n) => 'part-' + n);
    const draw = () => {
      const route = location.hash.slice(2) || 'home';
      document.querySelector('#app').innerHTML = '<nav>' + ['home', ...names].map((name) =>
        '<a href="#/' + name + '">' + name + '</a> <a href="/?id=' + name.length + '#/' + name + '">again</a>').join(' ') +
        '</nav><h1>' + route + '</h1><a href="/gone/' + route + '">x</a>';
    };
    addEventListener('hashchange', draw);
    draw();`;
  const shell = `<!doctype html><title>App</title><div id="app"></div><script src="/app.js"></script>`;
  const site = await siteOf({
    '/': shell,
    '/?id=4': shell,
    '/?id=6': shell,
    '/?id=7': shell,
    '/app.js': script(app),
  } as Any);
  const ended: Any = await run(await newWorkspace(), agent, {
    url: site.url,
    crossPageExecute: true,
    maxUrlsToProcess: 300,
  });
  expect(ended.results).toHaveLength(23);
  expect(ended.results.filter(({ findings }: Any) => brokenIn(findings).length === 1)).toHaveLength(23);
  expect(ended.execution.crawlerResults).toMatchObject({ status: 'complete', pagesLeft: 0 });
});

test('a run that is cut says how many pages it knows of', async () => {
  const list = Array.from({ length: 40 }, (_, n) => `<a href="/doc/${n}">${n}</a>`).join('');
  const pages: Record<string, string> = { '/': page(`${list}<a href="/all.zip">all</a><img src="/x.png">`) };
  for (let number = 0; number < 40; number++) pages[`/doc/${number}`] = page(`Document ${number}`);
  const site = await siteOf(pages);
  const { execution, log }: Any = await run(await newWorkspace(), agent, {
    url: site.url,
    crossPageExecute: true,
    maxUrlsToProcess: 10,
  });
  expect(execution.status).toBe('partial');
  expect(execution.resultsSummary.summary).toContain('10 of at least 41 pages');
  expect(execution.crawlerResults).toMatchObject({ status: 'max-pages', pagesLeft: 31 });
  expect(log.at(-1).message).toContain('10 of at least 41 pages');
});
