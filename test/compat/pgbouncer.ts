import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Databases, urlOf } from '../database/new-database.ts';

const PORT = 6432;
/** User id of `nobody`, since PgBouncer refuses to run as root. */
const NOBODY = 65_534;
const READY_WITHIN_MS = 120_000;

export interface PgBouncer {
  /** URL over which the service connects to the server through PgBouncer. */
  service: string;
  /** Resolves when the role of these databases can connect. */
  start(databases: Databases): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The PgBouncer of this machine in front of a server; its files and its socket are in a temporary folder. `settings` are
 * added to the line of all databases.
 */
export function newPgBouncer(
  mode: 'session' | 'transaction',
  { settings: ofDatabase = '' }: { settings?: string } = {},
): PgBouncer {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-pgbouncer-'));
  const abort = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  let output = '';
  const service = `postgres:///?${new URLSearchParams({ host: folder, port: String(PORT) })}`;
  return {
    service,
    async start(databases) {
      const { host, port } = new pg.Client(databases.admin);
      const settings = {
        listen_addr: '',
        listen_port: PORT,
        unix_socket_dir: folder,
        auth_type: 'trust',
        auth_file: join(folder, 'users.txt'),
        pool_mode: mode,
        max_client_conn: 1_000,
        default_pool_size: 100,
      };
      writeFileSync(join(folder, 'users.txt'), `"${databases.role}" ""\n`);
      writeFileSync(
        join(folder, 'pgbouncer.ini'),
        `[databases]\n* = host=${host} port=${port} ${ofDatabase}\n[pgbouncer]\n${Object.entries(settings)
          .map(([name, value]) => `${name} = ${value}`)
          .join('\n')}\n`,
      );
      // PgBouncer creates its socket here.
      chmodSync(folder, 0o777);
      const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
        stdio: ['ignore', 'pipe', 'pipe'],
        signal: abort.signal,
        env: { PATH: [process.env.PATH, '/usr/sbin'].join(delimiter) },
        ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      }
      child.on('error', (error) => {
        if (error.name !== 'AbortError') output += error.message;
      });
      ended = once(child, 'close').catch(() => {});
      const end = Date.now() + READY_WITHIN_MS;
      while (!(await answers({ ...databases, service }))) {
        if (child.exitCode !== null || child.pid === undefined || Date.now() > end) {
          throw new Error(`PgBouncer does not answer: ${output}`);
        }
        await pause(50);
      }
    },
    async stop() {
      abort.abort();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Connects to the admin database: PgBouncer stays connected, and a template with connections cannot be copied. */
async function answers(databases: Databases): Promise<boolean> {
  const { database = '' } = new pg.Client(databases.admin);
  const client = new pg.Client(urlOf(databases, database));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
