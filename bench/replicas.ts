import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startPair } from '../test/compat/standby/servers.ts';
import { median, newKey, post, quantile, round, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { processorSecondsOfTree } from './process-memory.ts';

// Measures what a read replica takes off the server: processor time of the server per list, with and without a streaming
// standby, while another caller writes. Also the latency, to which the questions about positions add. Everything runs on
// one machine, so that the requests per second say nothing about two.
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MS = Number(process.env.MS ?? 3_000);
const WIDTH = Number(process.env.WIDTH ?? 8);
const WRITE_EVERY_MS = 50;
const THREADS = 400;

const pair = await startPair();
const dataDir = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
const settings = {
  PORT: '0',
  DATABASE_URL: pair.primary.url,
  REDPEN_DATA_DIR: dataDir,
  REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  REDPEN_ROLES: 'api',
  REDPEN_WORKSPACE_RATE: '1000000',
  REDPEN_KEY_RATE: '1000000',
};
const processorMs = (pid: number) =>
  [...processorSecondsOfTree(pid).values()].reduce((sum, seconds) => sum + seconds * 1_000, 0);

try {
  const urls = {
    server: await start('src/main.ts', settings),
    replica: await start('src/main.ts', { ...settings, DATABASE_REPLICA_URL: pair.standby.url }),
  };
  const pools = {
    server: new Pool(urls.server, { connections: WIDTH + 1 }),
    replica: new Pool(urls.replica, { connections: WIDTH + 1 }),
  };
  const { headers } = await newKey(pools.server);
  const place = { organizationId: 'acme', documentId: 'website' };
  await post(
    pools.server,
    '/v2/organizations/documents/add',
    {
      organizationId: 'acme',
      documents: [{ documentId: 'website' }, { documentId: 'other' }],
    },
    headers,
  );
  const from = { userId: 'eve', name: 'Eve' };
  for (let made = 0; made < THREADS; made += 100) {
    const commentAnnotations = Array.from({ length: 100 }, () => ({
      commentData: [{ commentText: 'The headline could be shorter.', from }],
    }));
    await post(pools.server, '/v2/commentannotations/add', { ...place, commentAnnotations }, headers);
  }
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      const commentAnnotations = [{ commentData: [{ commentText: 'Another one.', from }] }];
      await post(
        pools.server,
        '/v2/commentannotations/add',
        { ...place, documentId: 'other', commentAnnotations },
        headers,
      );
      await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
    }
  })();
  const sides = ['server', 'replica'] as const;
  const taken = { server: [] as number[], replica: [] as number[] };
  const times = { server: [] as number[], replica: [] as number[] };
  const list = {
    headers: { 'content-type': 'application/json', ...headers },
    path: '/v2/commentannotations/get',
    body: JSON.stringify({ data: { ...place, pageSize: 100 } }),
  };
  for (const name of sides) await round({ ...list, client: pools[name] }, WIDTH, MS);
  for (let at = 0; at < ROUNDS; at++) {
    for (const name of sides) {
      const before = processorMs(pair.primary.pid()!);
      const found = await round({ ...list, client: pools[name] }, WIDTH, MS);
      taken[name].push((processorMs(pair.primary.pid()!) - before) / found.length);
      times[name].push(...found);
    }
  }
  isWriting = false;
  await writing;
  const metrics = await (await fetch(`${urls.replica}/metrics`)).text();
  const outcomes = [...metrics.matchAll(/^redpen_database_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)];
  console.log(outcomes.map(([, outcome, count]) => `${outcome} ${count}`).join(', '));
  const [ofServer, withReplica] = [median(taken.server), median(taken.replica)];
  console.log(
    `processor time of the server for a page of 100: ${ofServer.toFixed(2)} ms, with a replica ${withReplica.toFixed(2)} ms (${(withReplica / ofServer).toFixed(2)})`,
  );
  const latency = (name: 'server' | 'replica', share: number) => quantile(times[name], share).toFixed(1);
  console.log(
    `latency: p50 ${latency('server', 0.5)} ms, with a replica ${latency('replica', 0.5)} ms; p95 ${latency('server', 0.95)} and ${latency('replica', 0.95)} ms`,
  );
  report({
    name: 'commentannotations/get, 100: processor time of the server with a replica',
    value: withReplica,
    unit: 'ms',
    references: { 'without one': ofServer },
  });
  report({
    name: 'commentannotations/get, 100: median latency with a replica',
    value: median(times.replica),
    unit: 'ms',
    references: { 'without one': median(times.server) },
  });
} finally {
  stopAll();
  await pair.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
