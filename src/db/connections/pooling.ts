import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The way in which a pooler in front of the server lends its connections. */
export interface Pooling {
  /** True if it lends them for single transactions, as PgBouncer does with `pool_mode = transaction`. */
  isByTransaction: boolean;
  /** True if prepared statements work: PgBouncer carries them over since 1.21, with `max_prepared_statements`. */
  canPrepare: boolean;
}

export const BY_SESSION: Pooling = { isByTransaction: false, canPrepare: true };

const PROBE_TIMEOUT_MS = 20_000;
const UNKNOWN_STATEMENT = '26000';

/**
 * So many that one of them reaches the pooler of the first connection if several poolers share an address, and takes what it
 * has returned if other clients take connections, too.
 */
const OTHERS = 5;

/**
 * Finds out how connections are pooled, with connections of its own. After a statement, a pooler that lends by transaction
 * lends the connection of the server to the next client: while others hold all that they get, the first one gets another. With
 * `mayLose`, it is not taken for granted that a pooler keeps the connection even if it seems so.
 */
export async function probePooling(
  settings: pg.ClientConfig,
  { mayLose = false }: { mayLose?: boolean } = {},
): Promise<Pooling> {
  const newClient = () => {
    const client = new pg.Client({ ...settings, query_timeout: PROBE_TIMEOUT_MS });
    client.on('error', () => {});
    return client;
  };
  const one = newClient();
  const others = Array.from({ length: OTHERS }, newClient);
  // Another process may have left a statement of a fixed name on a connection that the pooler keeps.
  const name = `redpen_probe_${randomBytes(6).toString('hex')}`;
  const preparedOn = (client: pg.Client) => serverProcess(client, { name });
  try {
    await one.connect();
    await Promise.all(others.map((client) => client.connect()));
    const first = await preparedOn(one);
    const held: number[] = [];
    for (const other of others) {
      await other.query('begin');
      held.push(await serverProcess(other));
    }
    const second = await serverProcess(one);
    if (!mayLose && first === second && !held.includes(first)) return BY_SESSION;
    const again = await preparedOn(one).catch((error: { code?: string }) => {
      if (error.code === UNKNOWN_STATEMENT) return undefined;
      throw error;
    });
    return { isByTransaction: true, canPrepare: again !== undefined && again !== first };
  } finally {
    await Promise.all([one, ...others].map((client) => client.end().catch(() => {})));
  }
}

async function serverProcess(client: pg.Client, options: { name?: string } = {}): Promise<number> {
  const { rows } = await client.query<{ pid: number }>({
    text: 'select pg_backend_pid() as pid',
    ...options,
  });
  return rows[0]!.pid;
}

export type SessionParameters = Readonly<Record<string, string | number>>;

const assignments = (word: 'set' | 'set local', parameters: SessionParameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${word} ${name} = '${value}'`)
    .join('; ');

/**
 * Sets session parameters when a connection is made. They are sent as a statement, because a pooler such as PgBouncer
 * ignores parameters of the startup message.
 */
export const setOnConnect =
  (parameters: SessionParameters) =>
  async (client: pg.ClientBase): Promise<void> => {
    await client.query(assignments('set', parameters));
  };

const BEGINS = /^\s*(begin|start transaction)\b/i;

/**
 * Sets the parameters in each transaction, in the message that begins it. A connection that a pooler lends for single
 * transactions goes to other clients afterwards, and they would get parameters of the session, too.
 */
export function setInTransactions(client: pg.ClientBase, parameters: SessionParameters): void {
  const query = client.query.bind(client) as (...request: unknown[]) => unknown;
  const locals = assignments('set local', parameters);
  client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !BEGINS.test(text)) return query(text, values, ...rest);
    // Several statements in one message take no values, not even an empty list.
    return query(`${text}; ${locals}`, typeof values === 'function' ? values : undefined, ...rest);
  }) as typeof client.query;
}

/** The line of PgBouncer that sets the parameters for statements outside of transactions, too. */
export const connectQuery = (parameters: SessionParameters): string =>
  `connect_query='${assignments('set', parameters).replaceAll("'", "''")}'`;
