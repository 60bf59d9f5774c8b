import pg from 'pg';
import type { Captured } from '../database/captured-queries.ts';

interface Sent {
  text: string;
  values?: readonly unknown[];
}

/** Runs work and returns every statement that this process sends to a database meanwhile, also on connections made before. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Captured[]> {
  const statements: Captured[] = [];
  const queries = pg.Query.prototype as unknown as { submit(this: Sent, connection: unknown): unknown };
  const { submit } = queries;
  queries.submit = function (connection) {
    statements.push({ sql: this.text, parameters: this.values ?? [] });
    return submit.call(this, connection);
  };
  try {
    await work();
  } finally {
    queries.submit = submit;
  }
  return statements;
}
