import type pg from 'pg';

/**
 * Sets session parameters when a connection is made. They are sent as a statement, because a pooler such as PgBouncer
 * ignores parameters of the startup message.
 */
export const setOnConnect =
  (settings: Readonly<Record<string, string | number>>) =>
  async (client: pg.ClientBase): Promise<void> => {
    const statements = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);
    await client.query(statements.join('; '));
  };

/**
 * Throws if a pooler in front of the server pools by transaction. LISTEN, prepared statements, session parameters and
 * some locks belong to a session; they would be lost or affect other clients.
 */
export async function refuseTransactionPooling(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let otherClient: pg.PoolClient | undefined;
  try {
    otherClient = await pool.connect();
    const first = await serverProcessOf(client);
    // The pooler lends the connection that was returned last, or must find another one now.
    await otherClient.query('begin');
    const second = await serverProcessOf(otherClient);
    const third = await serverProcessOf(client);
    await otherClient.query('rollback');
    if (first === third && first !== second) return;
  } finally {
    client.release();
    otherClient?.release();
  }
  throw new Error(
    'a pooler there lends connections for single transactions, and the service needs them for as long as it is connected. Let PgBouncer pool by session (pool_mode = session), or name the server itself',
  );
}

async function serverProcessOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
