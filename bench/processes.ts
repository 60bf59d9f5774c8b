import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { newDatabase, newKey, post, type Side, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { processorSecondsOfDatabase } from './process-memory.ts';

// Measures statements and processor time of the database per request with 1, 2 and 4 API processes on one PostgreSQL,
// from pg_stat_statements and /proc: they must stay the same, so that more processes on more cores serve more requests.
// Each process has as many callers, since requests of a process share statements. What idle processes run is subtracted.
const MS = Number(process.env.MS ?? 4_000);
/** Callers of each process. */
const WIDTH = 4;
const COUNTS = [1, 2, 4];
/** A process more may cost no request more than this share. */
const MOST = 1.2;

const databaseUrl = await newDatabase('processes');
const databaseName = new URL(databaseUrl).pathname.slice(1);
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
await database.query('create extension if not exists pg_stat_statements');
// Preloading is a setting of the server, and without it the view is an error.
await database.query('select count(*) from pg_stat_statements');

const settings = {
  PORT: '0',
  DATABASE_URL: databaseUrl,
  REDPEN_DATA_DIR: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
  REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  REDPEN_ROLES: 'api',
  REDPEN_WORKSPACE_RATE: '1000000',
  REDPEN_KEY_RATE: '1000000',
};

interface Work {
  statements: number;
  /** Processor time of the database. */
  ms: number;
}

/** What the database did during `run`. */
async function workOf(run: () => Promise<unknown>): Promise<Work> {
  await database.query('select pg_stat_statements_reset()');
  const before = processorSecondsOfDatabase(databaseName);
  await run();
  const ms = (processorSecondsOfDatabase(databaseName) - before) * 1_000;
  const { rows } = await database.query<{ statements: string }>(
    `select sum(calls) as statements from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query not like '%pg_stat_statements%'`,
  );
  return { statements: Number(rows[0]!.statements ?? 0), ms };
}

interface Measured {
  operation: string;
  processes: number;
  requestsPerSecond: number;
  statements: number;
  databaseMs: number;
}

/** Sends requests to all processes in turns. */
async function measure(operation: string, pools: Pool[], side: Omit<Side, 'client'>): Promise<Measured> {
  let requests = 0;
  const send = (ms: number) => {
    const until = performance.now() + ms;
    const loop = async (_: unknown, index: number) => {
      const client = pools[index % pools.length]!;
      while (performance.now() < until) {
        const body = typeof side.body === 'string' ? side.body : side.body();
        const answer = await client.request({ method: 'POST', path: side.path, headers: side.headers, body });
        const text = await answer.body.text();
        if (answer.statusCode >= 300) throw new Error(`${side.path}: ${text}`);
        requests++;
      }
    };
    return Promise.all(Array.from({ length: WIDTH * pools.length }, loop));
  };
  await send(MS / 2);
  const idle = await workOf(() => sleep(MS));
  requests = 0;
  const busy = await workOf(() => send(MS));
  return {
    operation,
    processes: pools.length,
    requestsPerSecond: (requests * 1_000) / MS,
    statements: (busy.statements - idle.statements) / requests,
    databaseMs: (busy.ms - idle.ms) / requests,
  };
}

try {
  const pools: Pool[] = [];
  const addProcess = async () =>
    pools.push(new Pool(await start('src/main.ts', settings), { connections: WIDTH }));
  await addProcess();
  const { headers } = await newKey(pools[0]!);
  const place = { organizationId: 'acme', documentId: 'website' };
  // Threads of its own, so that what is read does not grow with what is written.
  const read = { organizationId: 'acme', documentId: 'handbook' };
  const documents = [place, read].map(({ documentId }) => ({ documentId }));
  await post(pools[0]!, '/v2/organizations/documents/add', { organizationId: 'acme', documents }, headers);
  const from = { userId: 'eve', name: 'Eve' };
  const commentData = [{ commentText: 'The headline could be shorter.', from }];
  const commentAnnotations = Array.from({ length: 200 }, (_, n) => ({
    annotationId: `thread-${n}`,
    commentData,
  }));
  for (const document of [place, read])
    await post(pools[0]!, '/v2/commentannotations/add', { ...document, commentAnnotations }, headers);
  let n = 0;
  const sides: Record<string, Omit<Side, 'client'>> = {
    'comments/add': {
      headers,
      path: '/v2/commentannotations/comments/add',
      body: () => JSON.stringify({ data: { ...place, annotationId: `thread-${n++ % 200}`, commentData } }),
    },
    'commentannotations/get': {
      headers,
      path: '/v2/commentannotations/get',
      body: JSON.stringify({ data: { ...read, pageSize: 10 } }),
    },
    'documents/get': {
      headers,
      path: '/v2/organizations/documents/get',
      body: JSON.stringify({ data: { organizationId: 'acme', documentIds: ['website'] } }),
    },
  };
  const all: Measured[] = [];
  console.log(
    '| Operation | API processes | requests a second | statements a request | processor time of the database, ms a request |',
  );
  console.log('|---|---|---|---|---|');
  for (const count of COUNTS) {
    while (pools.length < count) await addProcess();
    for (const [operation, side] of Object.entries(sides)) {
      const measured = await measure(operation, pools, side);
      all.push(measured);
      const { requestsPerSecond, statements, databaseMs } = measured;
      const alone = all.find((one) => one.operation === operation)!;
      report({
        name: `${operation}, processor time of the database a request, ${count} processes`,
        value: databaseMs,
        unit: 'ms',
        references: { 'one process': alone.databaseMs },
      });
      report({
        name: `${operation}, statements a request, ${count} processes`,
        value: statements,
        unit: 'count',
        references: { 'one process': alone.statements },
      });
      console.log(
        `| ${operation} | ${count} | ${requestsPerSecond.toFixed(0)} | ${statements.toFixed(2)} | ${databaseMs.toFixed(3)} |`,
      );
    }
  }
  for (const { operation, processes, statements } of all) {
    const alone = all.find((one) => one.operation === operation)!;
    if (statements > MOST * alone.statements) {
      console.error(`${operation} takes ${statements.toFixed(2)} statements with ${processes} processes.`);
      process.exitCode = 1;
    }
  }
  await Promise.all(pools.map((pool) => pool.close()));
  await database.end();
} finally {
  stopAll();
}
