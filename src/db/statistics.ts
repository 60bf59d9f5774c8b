import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Pages of 8 kB below which any plan is a good one. */
const SMALL_PAGES = 32;

/**
 * Tells the planner how large tables have become, as far as they have grown or shrunk by a fifth since it was
 * told last. A server does that by itself; the embedded database has nobody who would. Answers which it did.
 */
export async function refreshStatistics(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and pg_relation_size(oid) / 8192 > ${SMALL_PAGES}
      and abs(pg_relation_size(oid) / 8192 - relpages) > relpages / 5
    order by relname`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.id(name)}`.execute(db);
  return rows.map((row) => row.name);
}
