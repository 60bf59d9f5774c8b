import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from '../src/postgres/binaries.ts';
import { chooseChildUser } from '../src/postgres/child-user.ts';
import { startEngine } from '../src/postgres/engine.ts';
import { startPostmaster } from '../src/postgres/postmaster.ts';
import { freePort } from './closed-loop.ts';

export interface OwnPostgres {
  /** For DATABASE_URL; its role is a superuser. */
  url: string;
  stop(): Promise<void>;
}

const SETTINGS = { memoryMb: 128, connections: 200 };

/**
 * Starts the bundled PostgreSQL as a server on loopback, for references that cannot connect to a Unix socket. Its
 * cluster is new and is deleted afterwards.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const ignore = () => {};
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const password = randomBytes(16).toString('hex');
  // The first start creates the cluster, and is the only one that accepts connections without a password.
  const engine = await startEngine({ dataDir, log, settings: SETTINGS });
  const client = new pg.Client({ ...engine.superuser });
  await client.connect();
  await client.query(`create role bench superuser login password '${password}'`);
  await client.end();
  await engine.stop();
  const folder = join(dataDir, 'postgres');
  const settings = ["shared_preload_libraries = 'pg_stat_statements'", "max_wal_size = '1GB'"];
  appendFileSync(join(folder, 'local.conf'), `${settings.join('\n')}\n`);
  appendFileSync(join(folder, 'pg_hba.conf'), 'host all bench 127.0.0.1/32 scram-sha-256\n');
  const binaries = findBinaries(join(dataDir, 'postgres-lib'));
  const user = chooseChildUser(dataDir, binaries, [dataDir]);
  const port = await freePort();
  const server = startPostmaster(folder, { port, overTcp: true }, binaries, user, ignore, ignore);
  const url = `postgres://bench:${password}@127.0.0.1:${port}/postgres`;
  await untilReady(url, server.isRunning);
  return {
    url,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      await sleep(100);
    }
  }
  throw new Error('The bundled PostgreSQL does not start.');
}
