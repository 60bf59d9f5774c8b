import { failedPrecondition } from '../lib/errors.ts';

/** Marks a database whose rows were moved to another one. It is no table of the service, and is never copied. */
export const MOVED_TABLE = 'redpen_moved';

/** Holds the state of a move to this database until it is complete. */
export const MOVE_SCHEMA = 'redpen_move';

/** Where the rows of a database were moved to. */
export interface Moved {
  /** The database, without credentials. */
  target: string;
  /** Epoch milliseconds. */
  at: number;
}

/** A connection or a pool. */
interface Queries {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** The mark of a database whose rows were moved; undefined if it has none. */
export async function readMoved(client: Queries): Promise<Moved | undefined> {
  const { rows } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [
    `public.${MOVED_TABLE}`,
  ]);
  if (!rows[0]!.is) return undefined;
  const moved = await client.query<{ target: string; at: string }>(
    `select target, at from public.${MOVED_TABLE}`,
  );
  const found = moved.rows[0];
  return found && { target: found.target, at: Number(found.at) };
}

/** Marks the database. A mark of an earlier attempt is replaced. */
export async function markMoved(client: Queries, { target, at }: Moved): Promise<void> {
  await client.query(
    `create table if not exists public.${MOVED_TABLE} (target text not null, at bigint not null)`,
  );
  await client.query(`delete from public.${MOVED_TABLE}`);
  await client.query(`insert into public.${MOVED_TABLE} values ($1, $2)`, [target, at]);
}

/** True while a move to this database is not complete. */
export async function isMoveOpen(client: Queries): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>('select to_regnamespace($1) is not null as is', [
    MOVE_SCHEMA,
  ]);
  return rows[0]!.is;
}

/**
 * Throws FAILED_PRECONDITION if the rows of the database were moved to another one, where services go on, or if a move to it
 * is not complete.
 */
export async function refuseMoved(client: Queries): Promise<void> {
  if (await isMoveOpen(client)) {
    throw failedPrecondition(
      'A move to this database is not complete: run the same redpen move again, which takes it up.',
    );
  }
  const moved = await readMoved(client);
  if (moved === undefined) return;
  throw failedPrecondition(
    `The data of this database was moved to ${moved.target} on ${new Date(moved.at).toISOString().slice(0, 10)}: set DATABASE_URL or REDPEN_DATA_DIR to that. To use this database with its earlier data again: redpen psql -- -c 'drop table ${MOVED_TABLE}'`,
  );
}
