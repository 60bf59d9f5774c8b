import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { prepared } from '../../src/db/prepared.ts';
import { newDatabase, urlOf } from '../database/new-database.ts';
import { newWorkspace, testApp } from '../service/harness.ts';
import { startService } from '../service/service.ts';
import { newPgBouncer } from './pgbouncer.ts';

const onError = () => {};

test('the server is not older than the service allows, and the role has no further rights', async () => {
  const { deps } = await testApp();
  const { rows } = await sql<{ version: number; rights: boolean }>`
    select current_setting('server_version_num')::int as version,
      rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as rights
    from pg_roles where rolname = current_user`.execute(deps.db);
  expect(rows).toEqual([{ version: expect.any(Number), rights: false }]);
  expect(rows[0]!.version).toBeGreaterThanOrEqual(150_000);
});

test('in an empty database that its role owns, the service creates its tables and works', async () => {
  const { url, drop } = await newDatabase({ empty: true });
  onTestFinished(drop);
  const service = await startService({ DATABASE_URL: url });
  onTestFinished(() => service.kill('SIGKILL').then(() => {}));
  const created = await service.post('/v2/workspace/create', { ownerEmail: 'ana@example.com' });
  expect(created.status).toBe(200);
  expect(await service.kill('SIGTERM')).toBe(0);
});

test('the pages of a list contain every row once, however the database sorts text', async () => {
  const w = await newWorkspace();
  const ids = [
    'a',
    'B',
    'b',
    'A',
    'ä',
    'Z',
    'z',
    '_a',
    'a-b',
    'ab',
    'a b',
    '1',
    '10',
    '2',
    'é',
    'e',
    'ß',
    'ss',
  ];
  const documents = ids.map((documentId) => ({ documentId, documentName: documentId }));
  await w.must('/v2/organizations/documents/add', { organizationId: 'o', documents });
  const seen: string[] = [];
  let pageToken: string | undefined;
  do {
    const request = { organizationId: 'o', pageSize: 4, pageToken };
    const { body } = await w.post('/v2/organizations/documents/get', request);
    seen.push(...body.result.data.map(({ id }: { id: string }) => id));
    pageToken = body.result.pageToken;
  } while (pageToken !== undefined);
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

/** The addresses of a database with all tables: over a PgBouncer that pools by transaction, and without it. */
async function behindTransactions(options: { settings?: string } = {}) {
  const databases = inject('databases');
  const bouncer = newPgBouncer('transaction', options);
  onTestFinished(bouncer.stop);
  await bouncer.start(databases);
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const name = new URL(url).pathname.slice(1);
  return {
    databaseUrl: urlOf({ ...databases, service: bouncer.service }, name),
    directUrl: urlOf({ ...databases, service: databases.admin }, name),
    otherUrl: databases.admin,
  };
}

test('a pooler in transaction mode needs the address of the server itself', async () => {
  const { databaseUrl, otherUrl } = await behindTransactions();
  await expect(openDatabase({ databaseUrl, onError })).rejects.toThrow(
    /^The database that DATABASE_URL names cannot be used: a pooler there lends .* Set DATABASE_DIRECT_URL .*pool_mode = session/,
  );
  await expect(openDatabase({ databaseUrl, directUrl: otherUrl, onError })).rejects.toThrow(
    'DATABASE_DIRECT_URL leads to another database.',
  );
});

test('over a pooler in transaction mode, statements work at once, have limits in transactions, and notify', async () => {
  const { databaseUrl, directUrl } = await behindTransactions();
  const database = await openDatabase({ databaseUrl, directUrl, onError });
  onTestFinished(() => database.close());
  expect(database.pooling).toBe('transaction');
  expect(database.advice).toEqual([
    expect.stringMatching(
      /add connect_query='set jit = ''off''; set statement_timeout = ''55000''; .*' to the line/,
    ),
  ]);
  const { db } = database;
  const countUsers = prepared((from: typeof db, { apiKeyId }: { apiKeyId: string }) =>
    from.selectFrom('users').select('userId').where('apiKeyId', '=', apiKeyId),
  );
  // More than there are connections, so that each is lent to several.
  await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      if (at % 2 === 0) return void (await countUsers(db, { apiKeyId: String(at) }));
      const limit = await db.transaction().execute((tx) =>
        sql<{ limit: string }>`
        select current_setting('statement_timeout') as limit`.execute(tx),
      );
      expect(limit.rows).toEqual([{ limit: '55s' }]);
    }),
  );
  const heard = Promise.withResolvers<string>();
  const listening = Promise.withResolvers<void>();
  const stop = await database.listen('pooled', heard.resolve, () => listening.resolve());
  await listening.promise;
  await sql`select pg_notify('pooled', 'hello')`.execute(db);
  expect(await heard.promise).toBe('hello');
  await stop();
});

test('a pooler that sets the limits itself needs no advice', async () => {
  const { databaseUrl, directUrl } = await behindTransactions({
    settings: "connect_query='set jit = ''off''; set statement_timeout = ''55000'''",
  });
  const database = await openDatabase({ databaseUrl, directUrl, onError });
  onTestFinished(() => database.close());
  expect(database.advice).toEqual([]);
});
