import type pg from 'pg';

/**
 * Sets what the server shall know of a connection. A pooler between it and us takes no settings as the connection
 * is made, so they follow as the first statement.
 */
export const sayOnConnect =
  (settings: Readonly<Record<string, string | number>>) =>
  async (client: pg.ClientBase): Promise<void> => {
    const statements = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);
    await client.query(statements.join('; '));
  };

/**
 * Throws where a pooler lends a connection of the server for a transaction at a time. LISTEN, prepared statements,
 * settings and some locks belong to a connection, and would be lost or meet those of others.
 */
export async function requireSessions(pool: pg.Pool): Promise<void> {
  const one = await pool.connect();
  let other: pg.PoolClient | undefined;
  try {
    other = await pool.connect();
    const first = await serverProcessOf(one);
    // A pooler lends what was given back last, or else has to find us another one now.
    await other.query('begin');
    const second = await serverProcessOf(other);
    const third = await serverProcessOf(one);
    await other.query('rollback');
    if (first === third && first !== second) return;
  } finally {
    one.release();
    other?.release();
  }
  throw new Error(
    'a pooler there lends connections for single transactions, and the service needs them for as long as it is connected. Let PgBouncer pool by session (pool_mode = session), or name the server itself',
  );
}

async function serverProcessOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
