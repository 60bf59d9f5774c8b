import { Kysely, PostgresDialect, type Transaction, type TransactionBuilder } from 'kysely';
import pg from 'pg';
import { inSpan, isTraced } from '../../lib/tracing/tracing.ts';
import { countError } from '../database-metrics.ts';
import { plugins, types } from '../driver-settings.ts';
import { prepareKnownStatements } from '../prepared.ts';
import { limitResultSize } from '../result-size-limit.ts';
import type { OnStatement } from '../statement-watch.ts';
import type { Db, Tables } from '../tables.ts';
import {
  BY_SESSION,
  type Pooling,
  type SessionParameters,
  setInTransactions,
  setOnConnect,
} from './pooling.ts';

// Statements are short, and compiling one costs more than it saves.
export const WITHOUT_JIT: SessionParameters = { jit: 'off' };

/** A stuck statement must not hold its row locks. */
export const PARAMETERS: SessionParameters = {
  ...WITHOUT_JIT,
  statement_timeout: 55_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** Settings of every connection of this process. */
export const connectionSettings = (connection: pg.ClientConfig): pg.PoolConfig => ({
  ...connection,
  types,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  // Without keep-alive, a connection that only listens would notice a lost network after hours.
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'redpen',
});

interface PoolOptions {
  kind: 'embedded' | 'server';
  pooling?: Pooling;
  /** Called with errors of idle connections. */
  onError: (error: Error) => void;
  onStatement: OnStatement;
}

export interface SharedPool {
  pool: pg.Pool;
  /** The query builder over the pool; errors of connections and statements are counted. */
  db: Db;
  close(): Promise<void>;
}

/** The connections that requests and background work of a process share. */
export function openPool(connection: pg.ClientConfig, options: PoolOptions): SharedPool {
  const { kind, pooling = BY_SESSION, onError, onStatement } = options;
  const pool = new pg.Pool({
    ...connectionSettings(connection),
    // The embedded server is sized for a small machine, and an idle connection takes memory. Background work of an
    // idle process uses three at a time: opening them anew each time takes more processor time than their statements.
    ...(kind === 'embedded'
      ? { min: 3, max: 18, idleTimeoutMillis: 10_000 }
      : { min: 3, max: 28, idleTimeoutMillis: 60_000 }),
    // A query on a half-open connection must fail in a bounded time.
    query_timeout: 60_000,
    ...(!pooling.isByTransaction && { onConnect: setOnConnect(PARAMETERS) }),
  });
  const bound = limitResultSize();
  const watchEnd = closeOnceServerEnds(pool);
  let isClosing = false;
  pool.on('error', (error: Error & { client?: unknown }) => {
    // A server that stops right after this pool may close a connection before the pool does.
    if (isClosing) return;
    // The error refers to its connection, which does not belong in a log.
    delete error.client;
    onError(error);
  });
  pool.on('connect', (client) => {
    // The pool handles errors of idle connections only. Without this listener, a connection that breaks between two
    // statements of a transaction would end the process; with it, the next statement fails.
    client.on('error', () => {});
    const failureOf = bound(client);
    watchEnd(client);
    if (pooling.isByTransaction) setInTransactions(client, PARAMETERS);
    prepareKnownStatements(client, { failureOf, canPrepare: pooling.canPrepare });
  });
  return {
    pool,
    db: createQueryBuilder(pool, onStatement),
    async close() {
      isClosing = true;
      await pool.end();
    },
  };
}

/**
 * Closes a connection, instead of lending it again, once the server has said that it ends it: the end itself arrives after
 * the message, and the next statement would fail, or wait if the end never arrives. Returns a function that watches a
 * connection.
 */
function closeOnceServerEnds(pool: pg.Pool): (client: pg.PoolClient) => void {
  const ended = new WeakSet<pg.PoolClient>();
  pool.on('release', (_error, client) => {
    if (ended.has(client)) void client.end();
  });
  return (client) => {
    // The driver's types lack this field.
    const { connection } = client as pg.PoolClient & { connection: NodeJS.EventEmitter };
    connection.on('errorMessage', ({ severity = '', code = '' }: pg.DatabaseError) => {
      // The severity is in the language of the server, so that the codes of a shutdown and of a timeout count, too.
      if (/^(FATAL|PANIC)$/.test(severity) || /^(57P|25P03|25P04)/.test(code)) ended.add(client);
    });
  };
}

/** Has a span for each transaction, which also shows the wait for a connection. */
class TracedKysely extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    if (!isTraced()) return builder;
    return Object.assign(super.transaction(), {
      execute: <T>(work: (tx: Transaction<Tables>) => Promise<T>) =>
        inSpan('transaction', { attributes: { 'db.system.name': 'postgresql' } }, () =>
          builder.execute(work),
        ),
    });
  }
}

const createQueryBuilder = (pool: pg.Pool, onStatement: OnStatement): Db =>
  new TracedKysely({
    dialect: new PostgresDialect({
      pool: {
        connect: () =>
          pool.connect().catch((error: unknown) => {
            countError(error);
            throw error;
          }),
        end: () => pool.end(),
        options: pool.options,
        Client: pg.Client,
      },
    }),
    plugins: plugins(),
    log(event) {
      const error = event.level === 'error' ? event.error : undefined;
      if (event.level === 'error') countError(error);
      onStatement(event.query.sql, event.queryDurationMillis, error);
    },
  });
