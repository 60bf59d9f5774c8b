import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Pool } from 'undici';
import { endpoints } from '../src/api/index.ts';
import { createDeps } from '../src/boot.ts';
import { readConfig } from '../src/config.ts';
import { createServer } from '../src/http/server/server.ts';
import { chainAudit } from '../src/store/audit/chain-audit.ts';
import { compare, median, newKey, post, type Side } from './closed-loop.ts';
import { report } from './figures.ts';
import { startOwnPostgres } from './own-postgres.ts';

// Measures what the audit log costs: requests per second of operations that it records, as a ratio to the same operations of
// the same process that declare no entries. Entries are chained meanwhile, as by a worker.
const WIDTH = Number(process.env.WIDTH ?? 8);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = Number(process.env.ROUND_MS ?? 3_000);
const CHAIN_EVERY_MS = 2_000;
/** So many that requests hardly wait for each other's rows. */
const GROUPS = 50;

const postgres = await startOwnPostgres();
const dataDir = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
const config = readConfig({
  DATABASE_URL: postgres.url,
  REDPEN_DATA_DIR: dataDir,
  REDPEN_WORKSPACE_RATE: '1000000',
  REDPEN_KEY_RATE: '1000000',
});
const deps = await createDeps(config, pino({ level: 'silent' }), {});
const { authenticator } = deps;

async function listen(served: typeof endpoints): Promise<{ client: Pool; close(): Promise<void> }> {
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  const app = await createServer({ deps, endpoints: served, files: [], probes, authenticator });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { client: new Pool(url, { connections: WIDTH }), close: () => app.close() };
}

const audited = await listen(endpoints);
const silent = await listen(endpoints.map(({ audit: _, ...endpoint }) => endpoint));
let chained = Promise.resolve();
const chaining = setInterval(() => {
  chained = chained.then(() => chainAudit(deps.db));
}, CHAIN_EVERY_MS);

try {
  const { headers } = await newKey(audited.client);
  const groupIds: string[] = [];
  for (let made = 0; made < GROUPS; made++) {
    const { group } = await post(audited.client, '/v2/agents/groups/create', { name: 'A' }, headers);
    groupIds.push(group.id);
  }
  let count = 0;
  const granted = (size: number) => () => {
    count += 1;
    const resources = Array.from({ length: size }, (_, index) => ({
      ...{ type: 'document', organizationId: 'acme', id: `document-${index}` },
    }));
    return JSON.stringify({ data: { user: { userId: `user-${count}` }, permissions: { resources } } });
  };
  const operations: Record<string, [path: string, body: () => string]> = {
    'agents/groups/update': [
      '/v2/agents/groups/update',
      () => JSON.stringify({ data: { groupId: groupIds[count++ % GROUPS], name: `Group ${count}` } }),
    ],
    'auth/permissions/add, one': ['/v2/auth/permissions/add', granted(1)],
    'auth/permissions/add, 100': ['/v2/auth/permissions/add', granted(100)],
  };
  for (const [name, [path, body]] of Object.entries(operations)) {
    const sideOf = (client: Pool): Side => ({
      client,
      headers: { 'content-type': 'application/json', ...headers },
      path,
      body,
    });
    const rates = await compare(
      { with: sideOf(audited.client), without: sideOf(silent.client) },
      { width: WIDTH, rounds: ROUNDS, ms: ROUND_MS },
    );
    const [value, reference] = [median(rates.with), median(rates.without)];
    console.log(
      `${name}: ${value.toFixed(0)} a second with the log, ${reference.toFixed(0)} without: ${(value / reference).toFixed(2)}`,
    );
    report({ name: `${name}, recorded`, value, unit: '/s', references: { 'not recorded': reference } });
  }
} finally {
  clearInterval(chaining);
  await chained;
  for (const { client, close } of [audited, silent]) {
    await client.close();
    await close();
  }
  await deps.realtime.stop();
  await deps.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
