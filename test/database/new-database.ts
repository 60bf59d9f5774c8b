import pg from 'pg';
import { inject } from 'vitest';
import { randomId } from '../../src/lib/ids.ts';

/** The databases of one run of the tests. */
export interface Databases {
  /** URL of a database on the server, as a superuser. */
  admin: string;
  /** URL over which the service connects; `urlOf` replaces its role and database. */
  service: string;
  /** True if that is a pooler that lends connections for single transactions. */
  poolsTransactions: boolean;
  /** The role of the service, which owns its databases. */
  role: string;
  /** Prefix of the names of all databases of the run. */
  prefix: string;
}

export interface NewDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Name of the database with all tables and no rows. */
export const templateOf = ({ prefix }: Databases): string => `${prefix}_template`;

/** Name of the database that the test files of a worker share; workers are numbered from 1. */
export const workerDatabase = ({ prefix }: Databases, worker: number): string => `${prefix}_worker_${worker}`;

/** URL of a database, for the service. */
export function urlOf({ service, role }: Databases, name: string): string {
  const url = new URL(service);
  url.pathname = `/${name}`;
  // The URL of a socket has no host, and so no place for a user.
  if (url.hostname === '') url.searchParams.set('user', role);
  else url.username = role;
  return url.href;
}

/** The same database over connections on which nothing can be written, as on a standby. */
export function readOnly(url: string): string {
  const address = new URL(url);
  address.searchParams.set('options', '-c default_transaction_read_only=on');
  return address.href;
}

/** Calls `work` with a connection that may create and drop databases. */
export async function asAdmin<T>({ admin }: Databases, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface NewDatabaseOptions {
  /** Without tables. */
  empty?: boolean;
  /** Encoding of a database without tables; UTF8 by default. */
  encoding?: 'LATIN1' | undefined;
}

/** Creates a database with all tables and no rows; without tables if `empty` or `encoding` is given. */
export async function newDatabase({
  empty = false,
  encoding,
}: NewDatabaseOptions = {}): Promise<NewDatabase> {
  const databases = inject('databases');
  const name = `${databases.prefix}_${randomId(8).toLowerCase()}`;
  const template =
    encoding !== undefined
      ? `template0 encoding '${encoding}' locale_provider libc locale 'C'`
      : empty
        ? 'template1'
        : templateOf(databases);
  await asAdmin(databases, (client) =>
    client.query(`create database ${name} owner ${databases.role} template ${template}`),
  );
  return {
    url: urlOf(databases, name),
    drop: () =>
      asAdmin(databases, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}
