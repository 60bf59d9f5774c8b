import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import { openDatabase } from '../src/db/connections/connect.ts';
import { newKey, post, quantile, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { OPERATIONS, type Operation, type Site } from './growth-operations.ts';
import { fillPart, PARTS, type Tenant } from './growth-rows.ts';

// Measures what reads and writes large tables, at a thousandth of the rows and at all of them, in turns: p50 and p99,
// and how much slower the operation is at the whole size. Fails if anything is more than twice as slow. Arguments are
// parts. The two databases, `<DATABASE>_small` and `<DATABASE>_whole`, are kept, and a part is filled once.
const SCALE = Number(process.env.SCALE ?? 1);
const NAME = process.env.DATABASE ?? 'growth';
const MS = Number(process.env.MS ?? 1_500);
const CALLS = Number(process.env.CALLS ?? 300);
const SIZES = { small: SCALE / 1_000, whole: SCALE } as const;
/** Rows of the smaller size, so that its answers are as long as those of the whole. */
const FEWEST = 100;
/** A difference that only the noise of the machine makes. */
const NOISE_MS = { p50: 0.5, p99: 5 };
const MOST = 2;
const REPEATS = Number(process.env.REPEATS ?? 2);
const WARM_UP = Math.min(5, CALLS);

type Size = keyof typeof SIZES;
interface Place {
  url: string;
  client: pg.Client;
  service: Pool;
  site: Site;
  userHeaders: Record<string, string>;
}

const server = new URL(process.env.DATABASE_URL ?? '');

async function prepare(size: Size): Promise<Place> {
  const url = new URL(server);
  url.pathname = `/${NAME}_${size}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [
    url.pathname.slice(1),
  ]);
  if (rowCount === 0) await admin.query(`create database ${url.pathname.slice(1)}`);
  await admin.end();
  const service = new Pool(
    await start('src/main.ts', {
      PORT: '0',
      DATABASE_URL: url.href,
      REDPEN_DATA_DIR: mkdtempSync(join(tmpdir(), 'redpen-bench-')),
      // The databases outlive this process.
      REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      // Background work would take what waits.
      REDPEN_ROLES: 'api',
      REDPEN_ALLOW_HOSTS: '127.0.0.1',
      REDPEN_WORKSPACE_RATE: '1000000',
      REDPEN_KEY_RATE: '1000000',
    }),
    { connections: 4 },
  );
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    'create table if not exists growth_parts (name text); create table if not exists growth_tenant (tenant jsonb)',
  );
  const { rows } = await client.query<{ tenant: Tenant }>('select tenant from growth_tenant');
  let tenant = rows[0]?.tenant;
  if (!tenant) {
    tenant = await newTenant(service);
    await client.query('insert into growth_tenant values ($1)', [JSON.stringify(tenant)]);
  }
  const { token } = await post(service, '/v2/auth/generate_token', ADA, tenant.headers);
  const { db } = await openDatabase({ databaseUrl: url.href, onError: console.error });
  return {
    url: url.href,
    client,
    service,
    site: { db, tenant, rows: 0 },
    userHeaders: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  };
}

const ADA = {
  userId: 'ada',
  userProperties: { name: 'Ada', email: 'ada@example.com' },
  permissions: {
    resources: [
      { type: 'organization', id: 'acme' },
      { type: 'organization', id: 'tree' },
    ],
  },
};

/** Creates an API key with what the rows of all parts refer to. */
async function newTenant(service: Pool): Promise<Tenant> {
  const { headers, apiKeyId, workspaceId } = await newKey(service);
  const call = (path: string, data: object) => post(service, `/v2/${path}`, data, headers);
  const documents = [0, 1, 2, 3].map((n) => ({ documentId: `page-${n}` }));
  await call('organizations/documents/add', { organizationId: 'acme', documents });
  await call('organizations/documents/add', {
    organizationId: 'tree',
    documents: [{ documentId: 'first' }],
  });
  await call('commentannotations/add', {
    organizationId: 'acme',
    documentId: 'page-0',
    commentAnnotations: [0, 1, 2, 3].map((n) => ({
      annotationId: `thread-${n}`,
      commentData: [{ commentText: 'The headline could be shorter.', from: { userId: 'eve', name: 'Eve' } }],
    })),
  });
  await call('agents/execution/run', {
    agentId: 'broken-links',
    url: 'http://127.0.0.1:9/',
    organizationId: 'acme',
    documentId: 'page-0',
  });
  await call('workspace/advancedwebhookconfig/update', { isEnabled: true });
  const endpointIds: string[] = [];
  for (let n = 0; n < 10; n++) {
    const { id } = await call('workspace/advancedwebhook/endpoints/create', {
      url: `http://127.0.0.1:9/${n}`,
    });
    endpointIds.push(id);
  }
  return { apiKeyId, workspaceId, headers, endpointIds };
}

let calls = 0;

/** Milliseconds of one call. */
async function timeOf({ service, site, userHeaders }: Place, operation: Operation): Promise<number> {
  const n = ++calls;
  if (typeof operation === 'function') {
    const startedAt = performance.now();
    await operation(site, n);
    return performance.now() - startedAt;
  }
  const body = JSON.stringify({ data: operation.data(site, n) });
  const headers = operation.asUser ? userHeaders : site.tenant.headers;
  const startedAt = performance.now();
  const answer = await service.request({ method: 'POST', path: operation.path, headers, body });
  const text = await answer.body.text();
  const ms = performance.now() - startedAt;
  if (answer.statusCode >= 300) throw new Error(`${operation.path}: ${text}`);
  return ms;
}

/**
 * Blocks of tables and indexes that the database touches for a call, which no other load of the machine changes; the
 * least of a few calls, since idle processes run statements too. Undefined without pg_stat_statements.
 */
async function blocksOf(place: Place, operation: Operation): Promise<number | undefined> {
  const { rows } = await place.client.query(
    `select 1 from pg_extension where extname = 'pg_stat_statements'`,
  );
  if (rows.length === 0) return undefined;
  const blocks: number[] = [];
  for (let call = 0; call < 5; call++) {
    await place.client.query(
      'select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)',
    );
    await timeOf(place, operation);
    const found = await place.client.query<{ blocks: string }>(
      `select coalesce(sum(shared_blks_hit + shared_blks_read), 0) as blocks from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())`,
    );
    blocks.push(Number(found.rows[0]!.blocks));
  }
  return Math.min(...blocks);
}

interface Measured {
  part: string;
  operation: string;
  small: { p50: number; p99: number; blocks: number | undefined };
  whole: { p50: number; p99: number; blocks: number | undefined };
  isSlower: boolean;
}

/** The sizes take turns, so that a busy moment of the machine affects both. */
async function measure(
  places: Record<Size, Place>,
  part: string,
  name: string,
  operation: Operation,
): Promise<Measured> {
  const times: Record<Size, number[]> = { small: [], whole: [] };
  const until = performance.now() + MS;
  for (let call = -WARM_UP; call < CALLS && (call < 10 || performance.now() < until); call++) {
    for (const size of ['small', 'whole'] as const) {
      const ms = await timeOf(places[size], operation);
      if (call >= 0) times[size].push(ms);
    }
  }
  const of = async (size: Size) => ({
    p50: quantile(times[size], 0.5),
    p99: quantile(times[size], 0.99),
    blocks: await blocksOf(places[size], operation),
  });
  const [small, whole] = [await of('small'), await of('whole')];
  const isSlower = (['p50', 'p99'] as const).some(
    (key) => whole[key] > MOST * small[key] && whole[key] - small[key] > NOISE_MS[key],
  );
  return { part, operation: name, small, whole, isSlower };
}

try {
  const parts = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
  const places = { small: await prepare('small'), whole: await prepare('whole') };
  const all: Measured[] = [];
  for (const part of parts) {
    for (const size of ['small', 'whole'] as const) {
      const { client, site } = places[size];
      site.rows = Math.max(FEWEST, Math.round(PARTS[part]!.rows * SIZES[size]));
      const { rowCount } = await client.query('select 1 from growth_parts where name = $1', [part]);
      if (rowCount) continue;
      const startedAt = performance.now();
      await fillPart(client, part, site.tenant.apiKeyId, site.rows);
      console.error(
        `${part}: ${site.rows} rows in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
      );
    }
    if (process.env.FILL_ONLY) continue;
    console.log(`\n${places.whole.site.rows.toLocaleString('en')} ${PARTS[part]!.what}:\n`);
    console.log(
      '| Operation | p50, a thousandth | p50, all | p99, a thousandth | p99, all | p50, times | blocks a call |',
    );
    console.log('|---|---|---|---|---|---|---|');
    for (const [name, operation] of Object.entries(OPERATIONS[part]!)) {
      let measured = await measure(places, part, name, operation);
      // Whatever a busy moment of the machine makes slow is not slow again.
      for (let again = 0; measured.isSlower && again < REPEATS; again++) {
        measured = await measure(places, part, name, operation);
      }
      all.push(measured);
      const { small, whole, isSlower } = measured;
      const cells = [small.p50, whole.p50, small.p99, whole.p99].map((ms) => `${ms.toFixed(1)} ms`);
      console.log(
        `| ${name} | ${cells.join(' | ')} | ${(whole.p50 / small.p50).toFixed(2)}${isSlower ? ' **slower**' : ''} | ${small.blocks ?? '–'} → ${whole.blocks ?? '–'} |`,
      );
    }
    for (const share of ['p50', 'p99'] as const) {
      const ofPart = all.filter((measured) => measured.part === part);
      const excess = ({ small, whole }: Measured) =>
        Math.max(0, whole[share] - NOISE_MS[share]) / small[share];
      const { operation, small, whole } = ofPart.toSorted((one, other) => excess(other) - excess(one))[0]!;
      report({
        name: `${share} that grows most of ${ofPart.length} operations on ${places.whole.site.rows.toLocaleString('en')} ${PARTS[part]!.what}: ${operation}`,
        value: whole[share],
        unit: 'ms',
        references: { 'at a thousandth': small[share] },
      });
    }
  }
  const slower = all.filter(({ isSlower }) => isSlower);
  if (slower.length > 0) {
    console.error(`More than ${MOST} times as slow: ${slower.map(({ operation }) => operation).join('; ')}.`);
    process.exitCode = 1;
  }
  for (const { client, site, service } of Object.values(places)) {
    await client.end();
    await site.db.destroy();
    await service.close();
  }
} finally {
  stopAll();
}
