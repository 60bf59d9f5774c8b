import { sql } from 'kysely';
import { placementOf } from '../../src/db/distribution/placement.ts';
import { testApp } from '../service/harness.ts';
import type { Schema } from './statement-tables.ts';

let schemaPromise: Promise<Schema> | undefined;

/** The tables of the service with their columns. */
export const schemaOfService = (): Promise<Schema> => (schemaPromise ??= readSchema());

async function readSchema(): Promise<Schema> {
  const { deps } = await testApp();
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = current_schema() group by 1`.execute(deps.db);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** True for a table whose rows a cluster spreads over its servers by API key. */
export const isDistributed = (table: string, schema: Schema): boolean =>
  placementOf(table, schema.get(table)!) === 'distributed';
