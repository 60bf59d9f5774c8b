import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '../src/postgres/cluster.ts';
import { type Connection, startEngine } from '../src/postgres/engine.ts';
import type { Databases } from './new-database.ts';

export interface TestServer {
  /** URL of a database, as a superuser. */
  admin: string;
  /** URL by which the service comes there, where that is another way. */
  service?: string;
  /** How databases are made other than by default, in words of `create database`. */
  like?: string;
  /** Called once the role and the first database are there. */
  prepare?(databases: Databases): Promise<void>;
  stop(): Promise<void>;
}

const urlOf = ({ host, port, user, password = '', database }: Connection): string =>
  host.startsWith('/')
    ? `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`
    : `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;

/**
 * The server that `DATABASE_URL` names as a superuser, or else the one that comes along, which writes nothing
 * through to the disk, as all that is in it goes with the run.
 */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env.DATABASE_URL;
  if (given) return { admin: given, stop: async () => {} };
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-suite-'));
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: tell };
  // No test cuts the power; each that ends a server has one of its own.
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

const tell = (data: object, message: string) =>
  void process.stderr.write(`${message} ${JSON.stringify(data)}\n`);
