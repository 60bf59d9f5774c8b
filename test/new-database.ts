import pg from 'pg';
import { inject } from 'vitest';
import { randomId } from '../src/lib/ids.ts';

/** Where the databases of a run of the suite are. */
export interface Databases {
  /** URL of a database there, as a superuser. */
  admin: string;
  /** URL by which the service comes there; of it, the role and the name of the database are put in. */
  service: string;
  /** What the service works as, and owns its databases as. */
  role: string;
  /** How the names of all databases of the run begin. */
  prefix: string;
}

export interface NewDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Name of the database that has the tables and nothing in them. */
export const templateOf = ({ prefix }: Databases): string => `${prefix}_template`;

/** Name of the database that the files of a worker share; workers count from 1. */
export const workerDatabase = ({ prefix }: Databases, worker: number): string => `${prefix}_worker_${worker}`;

/** The address of a database as the service is given it. */
export function urlOf({ service, role }: Databases, name: string): string {
  const url = new URL(service);
  url.pathname = `/${name}`;
  // A socket is reached by an address without a host, which has no place for a user.
  if (url.hostname === '') url.searchParams.set('user', role);
  else url.username = role;
  return url.href;
}

/** Lends a connection that may make and drop databases. */
export async function asAdmin<T>({ admin }: Databases, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Wish {
  /** Without tables. */
  empty?: boolean;
  /** Of an empty one; by default UTF8. */
  encoding?: 'LATIN1' | undefined;
}

/** A database of its own, with all tables and no row; or, where it is asked to be empty, without tables. */
export async function newDatabase({ empty = false, encoding }: Wish = {}): Promise<NewDatabase> {
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
