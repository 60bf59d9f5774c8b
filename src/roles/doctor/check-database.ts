import { resolve } from 'node:path';
import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { type Database, openForCommand } from '../../db/connections/connect.ts';
import { findNewerSchema, NEWER_SCHEMA_ADVICE, pendingMigrations } from '../../db/migrate.ts';
import { faultsOfLogPartitions } from '../../db/partitions/log-partitions.ts';
import { relationExists, rowOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { refusePgliteFolder } from '../../postgres/pglite-folder.ts';
import { LARGE } from '../../store/memory/vector-indexes.ts';
import { databaseOptions } from '../setup/database-options.ts';
import {
  asSentence,
  type Finding,
  failed,
  joinFindings,
  ok,
  reasonOf,
  sizeInWords,
  skipped,
  warning,
} from './check.ts';
import type { Clocks } from './check-clock.ts';
import { addressIn } from './without-secrets.ts';

/** The database that a command reached, or the reason why it did not. */
export type Opened =
  | { kind: 'open'; database: Database }
  | { kind: 'none'; dataDir: string }
  | { kind: 'fault'; reason: string; advice: string };

/**
 * Opens the database of the running service, or starts the embedded one; creates none. Never throws, and does not wait
 * for a server that is starting, since that is a finding.
 */
export async function openForCheck(config: Config, log: Logger = pino({ level: 'silent' })): Promise<Opened> {
  const dataDir = resolve(config.REDPEN_DATA_DIR);
  try {
    if (config.DATABASE_URL === undefined) refusePgliteFolder(dataDir);
    const database = await openForCommand(
      databaseOptions(config, log, () => {}, { isPatient: false, readsReplicas: true }),
    );
    return database ? { kind: 'open', database } : { kind: 'none', dataDir };
  } catch (error) {
    const advice =
      config.DATABASE_URL === undefined
        ? `REDPEN_DATA_DIR is ${dataDir}: run this as the user of the service, on the same machine.`
        : `DATABASE_URL names ${addressIn(config.DATABASE_URL)}: check host, port, database, user and password.`;
    return { kind: 'fault', reason: asSentence(reasonOf(error)), advice };
  }
}

const OLDEST_VERSION = 150_000;
const FROM = LARGE.toLocaleString('en');

const serverRow = z.object({
  version: z.string(),
  number: z.number(),
  encoding: z.string(),
  bytes: z.number(),
  isReadOnly: z.string(),
  now: z.number(),
  port: z.number().nullable(),
});

/** `databaseUrl` is DATABASE_URL, if set. */
export async function checkDatabase(
  opened: Opened,
  clocks: Clocks,
  databaseUrl?: string | undefined,
): Promise<Finding> {
  if (opened.kind === 'none')
    return skipped(`There is no ${opened.dataDir} (REDPEN_DATA_DIR): the first start creates it.`);
  if (opened.kind === 'fault') return failed(opened.reason, opened.advice);
  const { db, kind, pooling } = opened.database;
  const began = Date.now();
  const { version, number, encoding, bytes, isReadOnly, now, port } = await rowOf(
    db,
    serverRow,
    sql`select current_setting('server_version') as version,
      cast(current_setting('server_version_num') as int) as number,
      pg_encoding_to_char(encoding) as encoding, pg_database_size(oid) as bytes,
      current_setting('transaction_read_only') as is_read_only,
      cast(extract(epoch from clock_timestamp()) * 1000 as float8) as now, inet_server_port() as port
    from pg_database where datname = current_database()`,
  );
  if (kind === 'server') clocks.noteAhead('the database server', (began + Date.now()) / 2 - now);
  const pending = await pendingMigrations(db);
  const newer = await findNewerSchema(db);
  const which = kind === 'embedded' ? '(embedded)' : '(DATABASE_URL)';
  const found = `PostgreSQL ${version.split(' ')[0]} ${which}, ${encoding}, ${sizeInWords(bytes)}.`;
  return joinFindings([
    number < OLDEST_VERSION
      ? failed(found, 'The service needs PostgreSQL 15 or later.')
      : encoding === 'UTF8'
        ? ok(found)
        : failed(
            found,
            'Create the database again with encoding UTF8: its encoding cannot store all characters.',
          ),
    ...(pooling === 'transaction'
      ? [ok('A pooler lends connections for single transactions; DATABASE_DIRECT_URL serves the rest.')]
      : isBehindProxy(databaseUrl, port)
        ? [
            ok(
              `Its own port is ${port}: the connection passes a pooler or a forwarded port, which keeps sessions.`,
            ),
          ]
        : []),
    ...opened.database.advice.map((sentence) => warning('The time of statements has no limit.', sentence)),
    ...(isReadOnly === 'on'
      ? [failed('It is read-only.', 'It may be a standby, or its disk may be nearly full.')]
      : []),
    newer !== undefined
      ? failed(newer, NEWER_SCHEMA_ADVICE)
      : pending.length === 0
        ? ok('All migrations have run.')
        : warning(
            `${pending.length} ${pending.length === 1 ? 'migration has' : 'migrations have'} not run.`,
            'The next start of the service runs them.',
          ),
    ...(pending.length > 0 || newer !== undefined ? [] : await checkPartitions(db)),
  ]);
}

async function checkPartitions(db: Db): Promise<Finding[]> {
  const faults = await faultsOfLogPartitions(db, Date.now());
  return faults.map((fault) =>
    warning(
      fault,
      'A worker makes partitions at its start and every ten minutes. Check that one runs, and its clock.',
    ),
  );
}

/** A server behind PgBouncer reports its own port. */
export function isBehindProxy(databaseUrl: string | undefined, port: number | null): boolean {
  const named = databaseUrl === undefined ? null : URL.parse(databaseUrl);
  return named !== null && named.hostname !== '' && port !== null && Number(named.port || 5432) !== port;
}

const extensionRow = z.object({ installed: z.string().nullable(), available: z.string().nullable() });

/** Looks for pgvector and warns if its absence matters. */
export async function checkExtension(opened: Opened): Promise<Finding> {
  if (opened.kind !== 'open') return skipped('The database cannot be inspected.');
  const { db } = opened.database;
  const { installed, available } = await rowOf(
    db,
    extensionRow,
    sql`select (select extversion from pg_extension where extname = 'vector') as installed,
      (select default_version from pg_available_extensions where name = 'vector') as available`,
  );
  if (installed !== null) return ok(`pgvector ${installed} is enabled.`);
  const largest = await largestJudgmentCount(opened.database);
  const isThere = available !== null;
  if (largest < LARGE) {
    return skipped(
      `${isThere ? `pgvector ${available} is available, but not enabled` : 'pgvector is not installed'}; it is only needed beyond ${FROM} judgments of one API key (the largest has ${largest.toLocaleString('en')}).`,
    );
  }
  const why = `An API key has ${largest.toLocaleString('en')} judgments, and searches of more than ${FROM} are slower without it.`;
  return isThere
    ? warning(
        `pgvector ${available} is available, but not enabled. ${why}`,
        'A superuser can enable it: create extension vector.',
      )
    : warning(`pgvector is not installed. ${why}`, 'Install it on the database server.');
}

const largestRow = z.object({ most: z.number() });

/** Number of judgments of the API key that has most; 0 before the first migration. */
async function largestJudgmentCount({ db }: Database): Promise<number> {
  if (!(await relationExists(db, 'judgments'))) return 0;
  const { most } = await rowOf(
    db,
    largestRow,
    sql`select coalesce(max(amount), 0) as most
    from (select count(*) as amount from judgments group by api_key_id) as counts`,
  );
  return most;
}
