import pg from 'pg';

export interface TestServer {
  /** URL of a database, as a superuser. */
  admin: string;
  /** URL as the service comes there, perhaps through a pooler. */
  service: string;
  /** The role of the service, where there is one already. */
  owner: string | undefined;
  /** How a new database is made other than by default, as words of `create database`. */
  like: string;
  stop(): Promise<void>;
}

/** The server that `DATABASE_URL` names, as a superuser. */
export async function openTestServer(): Promise<TestServer> {
  const admin = process.env.DATABASE_URL;
  if (!admin) throw new Error('DATABASE_URL must name a server.');
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.end();
  return { admin, service: admin, owner: undefined, like: '', stop: async () => {} };
}
