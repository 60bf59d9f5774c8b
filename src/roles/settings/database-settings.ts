import { judged, oneOf, url, wholeNumber } from './setting-rules.ts';

const server = url('postgres:', 'postgresql:');

/** Addresses of servers, separated by commas. */
const servers = judged((text) => {
  for (const each of addressesIn(text)) {
    const result = server.safeParse(each);
    if (!result.success) return `${result.error.issues[0]!.message} (or several, separated by commas)`;
  }
  return undefined;
}).transform(addressesIn);

function addressesIn(text: string): string[] {
  return text.split(',').map((each) => each.trim());
}

/** Settings of the database, embedded or a server. */
export const databaseSettings = {
  DATABASE_URL: server
    .optional()
    .describe(
      'PostgreSQL server (15 or later) to use instead of the embedded one. No extension is needed; pgvector is used if available.',
    ),
  DATABASE_DIRECT_URL: server
    .optional()
    .describe(
      'The server itself, if DATABASE_URL names a pooler that lends connections for single transactions, such as PgBouncer with `pool_mode = transaction`. Used for notifications between processes, migrations, backups and long background work.',
    ),
  DATABASE_REPLICA_URL: servers
    .optional()
    .describe(
      'Read replicas (streaming standbys of the server), separated by commas. Reads go there once a replica has everything that was committed before; otherwise the primary answers.',
    ),
  REDPEN_REPLICA_READS: oneOf(['lists', 'all'])
    .default('lists')
    .describe(
      'Operations that read from replicas: lists and operations that take much time of the database, or all that read.',
    ),
  REDPEN_POSTGRES_MEMORY: wholeNumber(16, 65_536)
    .default(64)
    .describe('Memory in MB for cached pages of the embedded database.'),
  REDPEN_POSTGRES_CONNECTIONS: wholeNumber(40, 1_000)
    .default(60)
    .describe('Concurrent connections to the embedded database; the service uses up to about 36.'),
};
