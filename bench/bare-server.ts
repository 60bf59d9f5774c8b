import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import pg from 'pg';
import { startEngine } from '../src/postgres/engine.ts';

// The reference of api.ts: routes without any checks, each with one single-row statement, on the same kind of
// database.
const ignore = () => {};
const startOwnEngine = () =>
  startEngine({
    dataDir: mkdtempSync(join(tmpdir(), 'redpen-bare-')),
    log: { debug: ignore, info: ignore, warn: console.error, error: console.error },
  });
const url = process.env.DATABASE_URL;
const pool = new pg.Pool({
  ...(url ? { connectionString: url } : (await startOwnEngine()).connection),
  max: 20,
});
const query = async (statement: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await pool.query(statement, values)).rows;

await query('drop table if exists bare_agents', []);
await query(
  `create table bare_agents (api_key_id text, agent_id text, name text not null, enabled boolean not null, behavior jsonb not null,
   created_at bigint not null, primary key (api_key_id, agent_id))`,
  [],
);
const app = Fastify({ logger: false });
let nextId = 0;
app.post<{ Body: { data: { name: string } } }>('/create', async (request) => {
  const agentId = `agent_${process.pid}_${nextId++}`;
  await query('insert into bare_agents values ($1, $2, $3, $4, $5, $6)', [
    'key',
    agentId,
    request.body.data.name,
    true,
    JSON.stringify(request.body.data),
    Date.now(),
  ]);
  return { result: { status: 'success', message: 'ok', data: { agentId } } };
});
app.post<{ Body: { data: { agentId: string } } }>('/get', async (request) => {
  const rows = await query('select * from bare_agents where api_key_id = $1 and agent_id = $2', [
    'key',
    request.body.data.agentId,
  ]);
  return { result: { status: 'success', message: 'ok', data: { agent: rows[0] } } };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
