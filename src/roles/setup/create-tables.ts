import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { migrateTo } from '../../db/migrate.ts';
import type { Tables } from '../../db/tables.ts';
import { prepareJobTables } from '../../jobs/queue.ts';

/** Creates the tables of the service and of its job queue, as of a migration or as of this version. */
export async function createTables(
  pool: pg.Pool,
  { newest, onError = () => {} }: { newest?: string; onError?: (error: Error) => void } = {},
): Promise<void> {
  await migrateTo(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), newest);
  await prepareJobTables({ executeSql: (text, values) => pool.query(text, values) }, onError);
}
