import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Pool } from 'undici';
import { fakeSite } from '../test/fakes/site.ts';
import { newKey, post, quantile, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';

// Measures the tools list_findings, get_finding and overview through HTTP with the official client of the Model Context
// Protocol, in a workspace of many findings, beside the plain operation agents/findings/list of the same run.
const FINDINGS = Number(process.env.FINDINGS ?? 10_000);
const CALLS = Number(process.env.CALLS ?? 200);
const PER_PAGE = 100;

const pages = Math.ceil(FINDINGS / PER_PAGE);
const site = await fakeSite(
  Object.fromEntries(
    Array.from({ length: pages }, (_, page) => {
      const links = Array.from({ length: PER_PAGE }, (_, n) => `<a href="/gone/${page}/${n}">Link ${n}</a>`);
      const next = page + 1 < pages ? `<a href="/${page + 1}">Next page</a>` : '';
      return [
        page === 0 ? '/' : `/${page}`,
        `<!doctype html><title>${page}</title>${next}${links.join(' ')}`,
      ];
    }),
  ),
);
const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
try {
  const url = await start('src/main.ts', {
    PORT: '0',
    REDPEN_DATA_DIR: folder,
    REDPEN_ALLOW_HOSTS: '127.0.0.0/8',
    REDPEN_KEY_RATE: '1000000',
    REDPEN_WORKSPACE_RATE: '1000000',
  });
  const pool = new Pool(url);
  const { headers } = await newKey(pool);
  const { reviewId } = await post(
    pool,
    '/v2/reviews/run',
    { urls: [`${site.url}/`], agents: ['broken-links'], crossPageExecute: true, maxUrlsToProcess: pages },
    headers,
  );
  for (let ended = false; !ended; ) {
    const { review } = await post(pool, '/v2/reviews/get', { reviewId, waitMs: 20_000 }, headers);
    ended = review.status === 'ended';
  }
  const { total } = await post(pool, '/v2/agents/findings/count', {}, headers);
  process.stdout.write(`${total} findings\n`);
  const client = new Client({ name: 'Benchmark', version: '1.0.0' });
  const { 'content-type': _, ...credentials } = headers as Record<string, string>;
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: credentials } }),
  );
  const { findings } = await post(pool, '/v2/agents/findings/list', { pageSize: 20 }, headers);
  const tool =
    (name: string, args: Record<string, unknown> = {}) =>
    async () => {
      const answer = await client.callTool({ name, arguments: args });
      if (answer.isError) throw new Error(JSON.stringify(answer.content));
    };
  const work: Record<string, () => Promise<unknown>> = {
    'agents/findings/list': () => post(pool, '/v2/agents/findings/list', { pageSize: 20 }, headers),
    list_findings: tool('list_findings'),
    get_finding: tool('get_finding', { findingId: findings[0].id, screenshot: 'none' }),
    overview: tool('overview'),
  };
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(work).map((name) => [name, []]));
  // The calls take turns, so that a slow moment of the machine concerns all of them.
  for (let round = -10; round < CALLS; round++) {
    for (const [name, call] of Object.entries(work)) {
      const from = performance.now();
      await call();
      if (round >= 0) times[name]!.push(performance.now() - from);
    }
  }
  const plain = quantile(times['agents/findings/list']!, 0.95);
  for (const [name, taken] of Object.entries(times)) {
    const value = quantile(taken, 0.95);
    process.stdout.write(`${name}: p50 ${quantile(taken, 0.5).toFixed(1)} ms, p95 ${value.toFixed(1)} ms\n`);
    if (name !== 'agents/findings/list')
      report({
        name: `${name}, p95 at ${total} findings`,
        value,
        unit: 'ms',
        references: { 'agents/findings/list': plain },
      });
  }
  await client.close();
  await pool.close();
} finally {
  stopAll();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
}
