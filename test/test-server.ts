import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Connection, startEngine } from '../src/postgres/engine.ts';

export interface TestServer {
  /** URL of a database, as a superuser. */
  admin: string;
  /** URL as the service comes there, perhaps through a pooler. */
  service: string;
  /** The role of the service, where there is one already. */
  owner: string | undefined;
  /** How a new database is made other than by default, as words of `create database`. */
  like: string;
  stop(): Promise<void>;
}

/** The server that `DATABASE_URL` names, as a superuser, or else the one that comes along. */
export async function openTestServer(): Promise<TestServer> {
  const admin = process.env.DATABASE_URL;
  if (!admin) return await startOwn();
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.end();
  return { admin, service: admin, owner: undefined, like: '', stop: async () => {} };
}

const quiet = () => {};
const say = (_data: object, message: string) => void process.stderr.write(`${message}\n`);

async function startOwn(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-tests-'));
  const engine = await startEngine({
    dataDir,
    log: { debug: quiet, info: quiet, warn: say, error: say },
    // No test cuts the power; each that ends a server has one of its own.
    settings: { memoryMb: 128, connections: 300, fsync: false },
  });
  return {
    admin: urlOf(engine.superuser),
    service: urlOf(engine.connection),
    owner: undefined,
    like: '',
    async stop() {
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A URL names a folder of a socket as a parameter, since its host cannot hold a path. */
function urlOf({ host, port, user, database, password }: Connection): string {
  if (password !== undefined) return `postgres://${user}:${password}@${host}:${port}/${database}`;
  return `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;
}
