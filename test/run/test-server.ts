import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '../../src/postgres/cluster.ts';
import { type Connection, startEngine } from '../../src/postgres/engine.ts';
import type { Databases } from '../database/new-database.ts';

export interface TestServer {
  /** URL of a database, as a superuser. */
  admin: string;
  /** URL over which the service connects, if it differs. */
  service?: string;
  /** True if that is a pooler that lends connections for single transactions. */
  poolsTransactions?: boolean;
  /** Options of `create database`; none by default. */
  createOptions?: string;
  /** Called once the role and the template database exist. */
  prepare?(databases: Databases): Promise<void>;
  stop(): Promise<void>;
}

const urlOf = ({ host, port, user, password = '', database }: Connection): string =>
  host.startsWith('/')
    ? `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`
    : `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;

/**
 * The server of `DATABASE_URL`, which must name a superuser; otherwise the bundled one, without fsync, since its data
 * lasts only for the run.
 */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env.DATABASE_URL;
  if (given) return { admin: given, stop: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-suite-'));
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: report };
  // No test cuts the power, and a test that kills a server starts its own.
  const settings = { ...defaultSettings, memoryMb: 128, connections: 300, fsync: false };
  const engine = await startEngine({ dataDir, log, settings });
  return {
    admin: urlOf(engine.superuser),
    async stop() {
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const report = (data: object, message: string) =>
  void process.stderr.write(`${message} ${JSON.stringify(data)}\n`);
