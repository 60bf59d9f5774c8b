import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import { type Database, openDatabase } from '../../db/connections/connect.ts';
import { logFault } from '../../db/log-fault.ts';
import { rowOf, rowsOf } from '../../db/sql-fragments.ts';
import { ApiError } from '../../lib/errors.ts';
import { SUPERUSER } from '../../postgres/cluster.ts';
import { PGLITE_FOLDER } from '../../postgres/pglite-folder.ts';
import { carryOver, describeCarriedOver } from '../carry-over/carry-over.ts';
import { requireOldFolder } from '../carry-over/old-database.ts';
import { databaseOptions } from '../setup/database-options.ts';
import type { Outcome, Setup } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';

/** Settings of PostgreSQL that matter for behavior and resources. */
const SHOWN_SETTINGS = [
  'server_encoding',
  'max_connections',
  'shared_buffers',
  'work_mem',
  'maintenance_work_mem',
  'max_wal_size',
  'fsync',
  'synchronous_commit',
  'data_checksums',
  'default_transaction_read_only',
];
const SHOWN_TABLES = 8;

const tableRow = z.object({ name: z.string(), bytes: z.number(), rows: z.number() });

const settingRow = z.object({ name: z.string(), value: z.string() });

const databaseRow = z.object({
  version: z.string(),
  database: z.string(),
  role: z.string(),
  bytes: z.number(),
  connections: z.number(),
});

/** Prints version, size, settings and largest tables of the database, and how to connect. */
export async function describeDatabase(database: Database): Promise<Outcome> {
  const { db, kind, connection } = database;
  const about = await rowOf(
    db,
    databaseRow,
    sql`select version(), current_database() as database, current_user as role,
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where datname = current_database()) as connections`,
  );
  const { version, database: name, role, bytes, connections } = about;
  const settings = await rowsOf(
    db,
    settingRow,
    sql`select name, current_setting(name) as value from pg_settings
    where name = any(cast(${SHOWN_SETTINGS} as text[])) order by name`,
  );
  const tables = await rowsOf(
    db,
    tableRow,
    sql`select schemaname || '.' || relname as name, pg_total_relation_size(relid) as bytes, n_live_tup as rows
    from pg_stat_user_tables order by 2 desc, 1 limit ${SHOWN_TABLES}`,
  );
  const output = [
    table([
      ['Server', kind === 'embedded' ? 'embedded, on the data folder' : 'of DATABASE_URL'],
      ['Version', version.split(' on ')[0]!],
      ['Database', `${name}, as ${role}`],
      ['Size', megabytes(bytes)],
      ['Connections', String(connections)],
    ]),
    'Settings:',
    table(settings.map((row) => [row.name, row.value])),
    'Largest tables:',
    table([
      ['TABLE', 'SIZE', 'ROWS, ABOUT'],
      ...tables.map((row) => [row.name, megabytes(row.bytes), String(row.rows)]),
    ]),
    'To connect, while the service runs:',
    `  npm run redpen -- psql\n${kind === 'embedded' ? `  psql "${conninfo(connection)}"\n` : ''}`,
  ].join('\n');
  return { output, exitCode: 0 };
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** A connection string for PostgreSQL programs, without the password. */
const conninfo = ({ host, port, user, database }: pg.ClientConfig): string =>
  Object.entries({ host, port, user, dbname: database })
    .map(([key, value]) => {
      const text = String(value);
      return `${key}=${/^[\w./-]+$/.test(text) ? text : `'${text.replace(/['\\]/g, '\\$&')}'`}`;
    })
    .join(' ');

/** Connection of psql: the password apart, and without parameters that only our driver knows. */
function forPsql(connection: pg.ClientConfig): { target: string; password: string | undefined } {
  if (connection.connectionString === undefined) {
    const { password } = connection;
    return { target: conninfo(connection), password: typeof password === 'string' ? password : undefined };
  }
  const url = new URL(connection.connectionString);
  const password = decodeURIComponent(url.password) || url.searchParams.get('password') || undefined;
  url.password = '';
  for (const name of ['password', 'uselibpqcompat']) url.searchParams.delete(name);
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require');
  return { target: url.href, password };
}

/** Runs psql in this terminal until it ends. */
export async function runPsql(database: Database, options: string[], superuser: boolean): Promise<Outcome> {
  const { connection, kind } = database;
  if (superuser && kind !== 'embedded') {
    return {
      output: '--superuser applies to the embedded database, not to that of DATABASE_URL.\n',
      exitCode: 1,
    };
  }
  const { target, password } = forPsql(superuser ? { ...connection, user: SUPERUSER } : connection);
  const child = spawn('psql', ['-d', target, ...options], {
    stdio: 'inherit',
    // Every user of the machine can see the arguments of a process.
    env: { ...process.env, ...(password !== undefined && { PGPASSWORD: password }) },
  });
  // Ctrl-C is for psql, which cancels a statement.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exitCode, signal) => resolve(exitCode ?? (signal === null ? 1 : 130)));
    });
    return { output: '', exitCode: code };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const how = connection.connectionString === undefined ? ` Any other client connects with: ${target}` : '';
    return {
      output: `There is no psql on this machine; it comes with the client package of PostgreSQL.${how}\n`,
      exitCode: 127,
    };
  } finally {
    process.off('SIGINT', ignore);
  }
}

/** Carries the database of an earlier version over to the embedded one or to the server of DATABASE_URL. */
export async function carryFolderOver(
  { config, log, onProgress }: Setup,
  readerPackages: string | undefined,
): Promise<Outcome> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  const onError = (error: Error) => logFault(log, error, 'background work fails');
  let database: Database | undefined;
  try {
    requireOldFolder(join(dataDir, PGLITE_FOLDER));
    database = await openDatabase(databaseOptions(config, log, onError));
    const carried = await carryOver({
      dataDir,
      target: database.connection,
      isTargetInDataDir: database.kind === 'embedded',
      isLocked: database.kind === 'embedded',
      readerPackages,
      env: process.env,
      onProgress,
    });
    return { output: describeCarriedOver(carried), exitCode: 0 };
  } catch (error) {
    if (error instanceof ApiError) return { output: `${error.message}\n`, exitCode: 1 };
    throw error;
  } finally {
    await database?.close();
  }
}
