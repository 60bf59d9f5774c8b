import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { atEnd } from '../run/at-end.ts';
import { allowLog } from '../run/log-watch.ts';
import { rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { expireLeases } from '../service/expire-leases.ts';
import { type Any, ownTenant } from '../service/own-tenant.ts';
import { ownService } from '../service/worker-service.ts';

const KILLS = rounds(1, 3, 'KILLS');
const PAGES = 40;

/** Starts a slow site, so that a run is still in progress when its process dies. */
async function slowSite(): Promise<string> {
  const server = createServer((request, response) => {
    const page = /^\/p(\d+)$/.exec(request.url ?? '')?.[1];
    const found = page !== undefined || request.url === '/';
    const links = Array.from(
      { length: 5 },
      (_, index) => `<a href="/p${(Number(page ?? 0) * 3 + index) % PAGES}">p</a>`,
    );
    setTimeout(() => {
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' });
      response.end(`<html><body>${links.join('')}<a href="/gone-${page}">gone</a></body></html>`);
    }, 25);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  atEnd(() => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test(`after ${KILLS} kills at random moments no acknowledged change is lost, no run is stuck, no annotation is duplicated`, {
  timeout: 900_000 + KILLS * 40_000,
}, async () => {
  allowLog(/run resumed after its process was lost/);
  const site = await slowSite();
  const service = await ownService({ REDPEN_LOG_LEVEL: 'info' });
  const { databaseUrl } = service;
  const { must, headers } = await ownTenant(() => service);
  await must('/v1/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'd', documentName: 'D' }],
  });
  const { agentId } = await must('/v2/agents/create', {
    name: 'links',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  });

  const acknowledged: string[] = [];
  const executions: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    let isUp = true;
    const run = await service.post(
      '/v2/agents/execution/run',
      { agentId, url: `${site}/`, organizationId: 'o', documentId: 'd', crossPageExecute: true },
      headers,
    );
    if (run.status === 200) executions.push((run.body as Any).result.data.executionId);
    const writers = Array.from({ length: 4 }, async () => {
      while (isUp) {
        const reply = await service
          .post('/v2/agents/create', { name: `w${kill}` }, headers)
          .catch(() => undefined);
        if (reply?.status === 200) acknowledged.push((reply.body as Any).result.data.agentId);
      }
    });
    // A random moment, but not before anything is acknowledged that could be lost.
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 1_500));
    await until(() => acknowledged.length > kill * 4, 'acknowledged agents');
    await service.kill('SIGKILL');
    isUp = false;
    await Promise.all(writers);
    await expireLeases(databaseUrl, service);
    await service.restart();
  }

  for (const executionId of executions) {
    await expect
      .poll(async () => (await must('/v2/agents/execution/get', { executionId })).execution.status, {
        timeout: 300_000,
        interval: 200,
      })
      .not.toBe('running');
  }
  // A final run reviews the same pages as the interrupted ones.
  const { executionId } = await must('/v2/agents/execution/run', {
    agentId,
    url: `${site}/`,
    organizationId: 'o',
    documentId: 'd',
    crossPageExecute: true,
  });
  await expect
    .poll(async () => (await must('/v2/agents/execution/get', { executionId })).execution.status, {
      timeout: 300_000,
      interval: 200,
    })
    .toBe('failed');
  expect(await service.kill('SIGTERM')).toBe(0);

  const database = await openDatabase({ databaseUrl, onError: () => {} });
  try {
    const agents = (await database.db.selectFrom('agents').select('agentId').execute()).map(
      (row) => row.agentId,
    );
    expect(agents).toEqual(expect.arrayContaining(acknowledged));
    const added = await database.db
      .selectFrom('events')
      .select('payload')
      .where('name', '=', 'agent.add')
      .execute();
    expect(added.map((event) => event.payload.agentId).sort()).toEqual([...agents].sort());

    const { rows } = await sql<{ url: string; found: string; n: number }>`
      select agent_url as url, body->'agent'->'reason'->>'url' as found, count(*) as n from annotations group by 1, 2`.execute(
      database.db,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((row) => row.n !== 1)).toEqual([]);
    const netAdded = await sql<{ n: number }>`
      select count(*) filter (where name = 'comment_annotation.add') - count(*) filter (where name = 'comment_annotation.delete') as n from events`.execute(
      database.db,
    );
    expect(netAdded.rows[0]!.n).toBe(rows.length);
  } finally {
    await database.close();
  }
});
