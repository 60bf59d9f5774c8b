import { sql } from 'kysely';
import type { Tx } from './tables.ts';

/** Runs work in a savepoint and returns its error, after which nothing that it wrote is left. */
export async function errorOf(tx: Tx, work: () => Promise<unknown>): Promise<unknown> {
  await sql`savepoint work`.execute(tx);
  try {
    await work();
    await sql`release savepoint work`.execute(tx);
    return undefined;
  } catch (error) {
    // On a broken connection this throws, and with it the whole transaction.
    await sql`rollback to savepoint work`.execute(tx);
    return error;
  }
}
