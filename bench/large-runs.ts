import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newKey, post, quantile } from './closed-loop.ts';
import { report } from './figures.ts';
import { memoryOfTree, residentMemory } from './process-memory.ts';
import { startService } from './service.ts';

// Reviews one page with 20,000 broken links, then a site of 100 pages with 500 broken links each, and reads the
// results back page by page. No page needs a browser. Fails if a read exceeds 100 ms (p95), if a list of 20 runs
// exceeds 50 kB, or if a finding is lost.
const LINKS_OF_PAGE = Number(process.env.LINKS_OF_PAGE ?? 20_000);
const PAGES = Number(process.env.PAGES ?? 100);
const LINKS_PER_PAGE = Number(process.env.LINKS_PER_PAGE ?? 500);
/** Links of a page that all pages of the site share, such as those of a menu. */
const SHARED_LINKS = Math.floor(LINKS_PER_PAGE * 0.8);
const READS = Number(process.env.READS ?? 40);
const LISTED_RUNS = 20;
const MAX_P95_MS = 100;
const MAX_LIST_BYTES = 50_000;
const SAMPLE_MS = 250;

const link = (href: string, words: string) => `<li><a href="${href}">${words}</a></li>`;
const list = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, index) => item(index));
const html = (title: string, items: string[]) =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><ul>${items.join('\n')}</ul></html>`;

const largePage = html(
  'Large page',
  list(LINKS_OF_PAGE, (index) => link(`/gone/large/${index}`, `Link ${index}`)),
);
const sitePage = (page: number) =>
  html(`Page ${page}`, [
    ...list(SHARED_LINKS, (index) => link(`/gone/menu/${index}`, `Entry ${index}`)),
    ...list(LINKS_PER_PAGE - SHARED_LINKS, (index) => link(`/gone/${page}/${index}`, `Link ${index}`)),
    ...(page === 0 ? list(PAGES - 1, (index) => link(`/site/${index + 1}`, `Page ${index + 1}`)) : []),
  ]);

const site = createServer((request, response) => {
  const [, kind, number] = request.url!.split('/');
  const body = kind === 'large' ? largePage : kind === 'site' ? sitePage(Number(number ?? 0)) : undefined;
  if (body === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(request.method === 'HEAD' ? undefined : body);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const service = await startService({ REDPEN_ALLOW_HOSTS: '127.0.0.0/8' });
const client = new Pool(service.url, { connections: 4 });
const { headers } = await newKey(client);
const call = (path: string, data: object) => post(client, `/v2/agents/${path}`, data, headers);
let hasMissedLimit = false;

const execution = { executionStrategy: 'service', serviceId: 'broken-links' };
const newAgent = async (strategy: string): Promise<string> => {
  const postProcess = { annotations: { strategy } };
  return (await call('create', { name: `Links, ${strategy}`, execution, postProcess })).agentId;
};
const agentId = await newAgent('findings');
const ofCauses = await newAgent('causes');
const place = { organizationId: 'acme', documentId: 'site' };
await post(
  client,
  '/v2/organizations/documents/add',
  { organizationId: 'acme', documents: [{ documentId: 'site' }] },
  headers,
);

/** Runs the agent to its end; samples the memory of the service meanwhile. */
async function run(name: string, request: object, expected: number): Promise<string> {
  const startedAt = performance.now();
  const { executionId } = await call('execution/run', { agentId, ...request });
  let [own, tree] = [0, 0];
  for (;;) {
    own = Math.max(own, residentMemory(service.child.pid!));
    tree = Math.max(tree, memoryOfTree(service.child.pid!));
    const { execution } = await call('execution/get', { executionId });
    if (execution.status !== 'running') {
      const { totalFindings } = execution.resultsSummary;
      hasMissedLimit ||= totalFindings !== expected || execution.status === 'error';
      report({
        name: `${name}, ${expected} findings`,
        value: (performance.now() - startedAt) / 1_000,
        unit: 's',
      });
      report({ name: `${name}, memory of the service`, value: megabytes(own), unit: 'MB' });
      console.log(
        `${name}: ${execution.status}/${execution.verdict}, ${totalFindings} of ${expected} findings, ${execution.causesTotal} causes, ${seconds(startedAt)} s, peak ${megabytes(own)} MB (with database and browser ${megabytes(tree)} MB)${execution.error ? `, error: ${JSON.stringify(execution.error)}` : ''}`,
      );
      return executionId;
    }
    await sleep(SAMPLE_MS);
  }
}

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1);
const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);

interface Reading {
  data: object;
  /** Number of items of an answer. */
  count(answer: never): number;
  expected?: number;
}

/** Reads a list page by page to its end and reports the latencies, and repeats that until there are enough of them. */
async function read(name: string, path: string, { data, count, expected }: Reading): Promise<void> {
  const times: number[] = [];
  let largest = 0;
  let items = 0;
  for (let round = 0; round === 0 || times.length < READS; round++) {
    items = 0;
    let pageToken: string | undefined;
    do {
      const startedAt = performance.now();
      const answer = await client.request({
        method: 'POST',
        path: `/v2/agents/${path}`,
        headers,
        body: JSON.stringify({ data: { ...data, ...(pageToken && { pageToken }) } }),
      });
      const text = await answer.body.text();
      times.push(performance.now() - startedAt);
      if (answer.statusCode !== 200) throw new Error(`${path}: ${text}`);
      largest = Math.max(largest, text.length);
      const read = JSON.parse(text).result.data;
      items += count(read as never);
      pageToken = read.nextPageToken;
    } while (pageToken);
  }
  const p95 = quantile(times, 0.95);
  report({ name: `reading ${name}, p95`, value: p95, unit: 'ms' });
  hasMissedLimit ||= p95 > MAX_P95_MS || (expected !== undefined && items !== expected);
  console.log(
    `  ${name}: ${items} items${expected === undefined ? '' : ` of ${expected}`}, ${times.length} reads, p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, most ${Math.max(...times).toFixed(1)} ms, largest answer ${Math.ceil(largest / 1_000)} kB`,
  );
}

async function readAll(executionId: string, findings: number, pages: number): Promise<void> {
  const resultsOf = ({ results }: { results: { findings: unknown[] }[] }) =>
    results.reduce((sum, result) => sum + result.findings.length, 0);
  const listed = ({ findings }: { findings: unknown[] }) => findings.length;
  await read('get', 'execution/get', { data: { executionId }, count: () => 1 });
  await read('get with results', 'execution/get', {
    data: { executionId, includeResults: true },
    count: resultsOf,
  });
  await read('get with results, 10 pages a read', 'execution/get', {
    data: { executionId, includeResults: true, pageSize: 10 },
    count: ({ results }: { results: unknown[] }) => results.length,
    expected: pages,
  });
  await read('findings', 'execution/findings', { data: { executionId }, count: listed, expected: findings });
  await read('findings, 500 a read', 'execution/findings', {
    data: { executionId, pageSize: 500 },
    count: listed,
    expected: findings,
  });
  await read('findings of a severity', 'execution/findings', {
    data: { executionId, severity: 'critical' },
    count: listed,
  });
  await read('open findings', 'execution/findings', { data: { executionId, open: true }, count: listed });
  await read('causes', 'execution/causes', {
    data: { executionId },
    count: ({ causes }: { causes: unknown[] }) => causes.length,
  });
  const { causes } = await call('execution/causes', { executionId, pageSize: 1 });
  if (causes[0]) {
    await read('findings of the first cause', 'execution/findings', {
      data: { executionId, causeId: causes[0].id },
      count: listed,
      expected: causes[0].places,
    });
  }
}

try {
  const large = await run('one page', { url: `${origin}/large` }, LINKS_OF_PAGE);
  await readAll(large, LINKS_OF_PAGE, 1);
  const whole = { url: `${origin}/site`, crossPageExecute: true, maxUrlsToProcess: PAGES };
  const ofSite = await run('site', whole, PAGES * LINKS_PER_PAGE);
  await readAll(ofSite, PAGES * LINKS_PER_PAGE, PAGES);
  const again = await run('site again', { ...whole, previousExecutionId: ofSite }, PAGES * LINKS_PER_PAGE);
  await read('new findings', 'execution/findings', {
    data: { executionId: again, comparison: 'new' },
    count: ({ findings }: { findings: unknown[] }) => findings.length,
    expected: 0,
  });
  for (let count = 3; count < LISTED_RUNS - 1; count++)
    await run('one page again', { url: `${origin}/site/1` }, LINKS_PER_PAGE);
  await run('one page on a document', { url: `${origin}/large`, ...place }, LINKS_OF_PAGE);
  const onDocument = { ...whole, ...place, agentId: ofCauses };
  await run('site on a document, by cause', onDocument, PAGES * LINKS_PER_PAGE);
  await run('site on the document again', onDocument, PAGES * LINKS_PER_PAGE);
  const { executions } = await call('execution/list', { agentId, pageSize: LISTED_RUNS });
  const bytes = JSON.stringify(executions).length;
  hasMissedLimit ||= bytes > MAX_LIST_BYTES;
  console.log(`list of ${executions.length} runs: ${Math.ceil(bytes / 1_000)} kB (at most 50)`);
  await read('list', 'execution/list', {
    data: { agentId, pageSize: LISTED_RUNS },
    count: ({ executions: listed }: { executions: unknown[] }) => listed.length,
  });
} finally {
  await client.close();
  await service.stop();
  site.close();
}
process.exit(hasMissedLimit ? 1 : 0);
