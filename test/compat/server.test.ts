import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { startService } from '../e2e/service.ts';
import { newWorkspace, testApp } from '../harness.ts';
import { newDatabase, urlOf } from '../new-database.ts';
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

test('a pooler in transaction mode is refused with an explanation', async () => {
  const databases = inject('databases');
  const bouncer = newPgBouncer('transaction');
  onTestFinished(bouncer.stop);
  await bouncer.start(databases);
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const databaseUrl = urlOf({ ...databases, service: bouncer.service }, new URL(url).pathname.slice(1));
  await expect(openDatabase({ databaseUrl, onError })).rejects.toThrow(
    /^The database that DATABASE_URL names cannot be used: a pooler there lends .*pool_mode = session/,
  );
});
