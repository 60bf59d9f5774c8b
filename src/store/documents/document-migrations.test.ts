import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { loseJobs } from '../../../test/database/lost-jobs.ts';
import { documentRows, fillDocument } from '../../../test/documents/full-document.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Db } from '../../db/tables.ts';
import { runMigration, takeUpMigrations } from './document-migrations.ts';
import { documentTables } from './move-document.ts';

const never = new AbortController().signal;
const refOf = (w: TestWorkspace, migrationId: string) => ({
  workspaceId: w.workspaceId,
  apiKeyId: w.apiKeyId,
  organizationId: 'o',
  migrationId,
});

const start = async (w: TestWorkspace, documentId = 'old', newDocumentId = 'new'): Promise<string> =>
  (await w.must('/v2/organizations/documents/migrate', { organizationId: 'o', documentId, newDocumentId }))
    .migrationId;

const statusOf = (w: TestWorkspace, migrationId: string) =>
  w.must('/v2/organizations/documents/migrate/status', { organizationId: 'o', migrationId });

const eventsOf = async (db: Db, w: TestWorkspace) =>
  (
    await db
      .selectFrom('events')
      .select('payload')
      .where('apiKeyId', '=', w.apiKeyId)
      .where('name', '=', 'document.migrate')
      .execute()
  ).map((event) => event.payload);

test('a migration covers every table with a document id', async () => {
  const { deps } = await testApp();
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'document_id' order by table_name`.execute(deps.db);
  expect(rows.map((row) => row.name)).toEqual(Object.keys(documentTables).sort());
});

test('a document that gets another id keeps all its contents', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  await fillDocument(deps.db, w, 'beside');
  const before = await documentRows(deps.db, w);
  // A table without rows would not be checked.
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);

  const migrationId = await start(w);
  expect(await statusOf(w, migrationId)).toEqual({ migrationId, status: 'pending' });
  await runMigration(deps.db, refOf(w, migrationId), never);
  expect(await statusOf(w, migrationId)).toEqual({ migrationId, status: 'completed' });

  const after = await documentRows(deps.db, w);
  const renamed = (value: unknown, key?: string): unknown =>
    (key === 'document_id' || key === 'resource_id') && value === 'old' ? 'new' : value;
  const expected = Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [
      table,
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, renamed(value, key)])),
      ),
    ]),
  );
  expected.documents = expected.documents!.map((row) =>
    row.document_id === 'new' ? { ...row, updated_at: expect.any(Number) } : row,
  );
  for (const [table, rows] of Object.entries(after)) {
    const key = (row: unknown) => JSON.stringify(row);
    expect(
      [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1)),
      table,
    ).toEqual([...expected[table]!].sort((a, b) => (key(a) < key(b) ? -1 : 1)));
  }
  expect(await eventsOf(deps.db, w)).toEqual([
    { organizationId: 'o', documentId: 'old', newDocumentId: 'new', migrationId },
  ]);
  const rows = await w.must('/v2/commentannotations/get', { organizationId: 'o', documentId: 'new' });
  expect(rows[0].metadata.documentId).toBe('new');
  expect(rows[0].comments).toHaveLength(2);
  expect(
    (
      await w.post('/v2/organizations/documents/migrate', {
        organizationId: 'o',
        documentId: 'old',
        newDocumentId: 'x',
      })
    ).body.error,
  ).toEqual({ status: 'NOT_FOUND', message: 'Document does not exist' });
});

test('two documents are merged: numbers continue, newer rows win, and grants on the target stay', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old', { annotations: 3, at: 2_000 });
  await fillDocument(deps.db, w, 'new', { annotations: 2, at: 1_000 });
  await deps.db
    .updateTable('presence')
    .set({ updatedAt: 3_000 })
    .where('apiKeyId', '=', w.apiKeyId)
    .where('documentId', '=', 'new')
    .execute();
  await runMigration(deps.db, refOf(w, await start(w)), never);

  const after = await documentRows(deps.db, w);
  expect(after.documents).toMatchObject([
    { document_id: 'new', name: 'Name of new', metadata: { colour: 'new' }, next_annotation_number: 6 },
  ]);
  expect(after.annotations!.map((row) => [row.annotation_id, row.annotation_number]).sort()).toEqual([
    ['new-0', 1],
    ['new-1', 2],
    ['old-0', 3],
    ['old-1', 4],
    ['old-2', 5],
  ]);
  expect(after.comments).toHaveLength(10);
  expect([after.presence, after.live_states, after.notification_settings]).toMatchObject([
    [{ document_id: 'new', body: { from: 'new' } }],
    [{ document_id: 'new', data: { from: 'old' } }],
    [{ document_id: 'new', config: { from: 'old' } }],
  ]);
  expect(after.grants!.map((row) => [row.resource_id, row.user_id, row.access_fields]).sort()).toEqual([
    ['new', 'bob', ['from:new']],
    ['new', 'new', ['from:new']],
    ['new', 'old', ['from:old']],
  ]);
  expect([after.notifications, after.activities, after.executions].map((rows) => rows!.length)).toEqual([
    2, 2, 2,
  ]);
  for (const table of ['crdt_editors', 'crdt_updates', 'crdt_snapshots'] as const) {
    expect(after[table]!.map((row) => row.editor_id).sort(), table).toEqual(['new', 'old']);
  }
  expect(after.crdt_deletions).toMatchObject([
    { client_ids: [1_000, 1_001, 2_000, 2_001], deleted_at: 2_000 },
  ]);
  for (const rows of Object.values(after)) {
    expect(rows.filter((row) => row.document_id === 'old' || row.resource_id === 'old')).toEqual([]);
  }
});

test('documents with annotations of the same id are not merged, and the status says why', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old', { name: 'same', annotations: 7 });
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'new' }],
  });
  await sql`insert into annotations select api_key_id, organization_id, 'new', annotation_id, annotation_number,
      author_id, status_id, location_id, agent_id, execution_id, agent_url, suggestion_status, body, created_at,
      last_updated from annotations where api_key_id = ${w.apiKeyId}`.execute(deps.db);
  const before = await documentRows(deps.db, w);
  const migrationId = await start(w);
  await runMigration(deps.db, refOf(w, migrationId), never);
  expect(await statusOf(w, migrationId)).toEqual({
    migrationId,
    status: 'failed',
    error: 'Both documents have annotations of the same id: same-0, same-1, same-2, same-3, same-4 and more.',
  });
  expect(await documentRows(deps.db, w)).toEqual(before);
  expect(await eventsOf(deps.db, w)).toEqual([]);
  expect(await start(w, 'old', 'other')).toMatch(/^mig_/);
});

test('documents with live editors of the same id are not merged, so that neither is lost', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  await fillDocument(deps.db, w, 'new');
  await sql`insert into crdt_editors select api_key_id, organization_id, document_id, 'same', incarnation, type,
      content_key, snapshot, snapshot_version, created_at, last_update
    from crdt_editors where api_key_id = ${w.apiKeyId}`.execute(deps.db);
  const before = await documentRows(deps.db, w);
  const migrationId = await start(w);
  await runMigration(deps.db, refOf(w, migrationId), never);
  expect(await statusOf(w, migrationId)).toMatchObject({
    status: 'failed',
    error: 'Both documents have live editors of the same id: same.',
  });
  expect(await documentRows(deps.db, w)).toEqual(before);
});

test('a migration fails if its document is deleted before it runs', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  const migrationId = await start(w);
  await w.must('/v2/organizations/documents/delete', { organizationId: 'o', documentIds: ['old'] });
  await runMigration(deps.db, refOf(w, migrationId), never);
  expect(await statusOf(w, migrationId)).toMatchObject({
    status: 'failed',
    error: 'Document does not exist',
  });
  expect(await w.must('/v2/organizations/documents/get', { organizationId: 'o' })).toEqual([]);
});

/** The same database with one statement that fails. `reached` is true once it has been executed. */
function failingAt(db: Db, statement: number): { db: Db; reached(): boolean } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      if (count === statement) throw new Error(`Statement ${statement} failed.`);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), reached: () => count >= statement };
}

test('after a failure of any statement, the document is whole under one id, and the next try completes the migration', async () => {
  const { deps } = await testApp();
  let statement = 0;
  for (let reached = true; reached; ) {
    statement += 1;
    const w = await newWorkspace();
    await fillDocument(deps.db, w, 'old');
    await fillDocument(deps.db, w, 'new');
    const before = await documentRows(deps.db, w);
    const migrationId = await start(w);
    const failing = failingAt(deps.db, statement);
    const outcome = await runMigration(failing.db, refOf(w, migrationId), never).catch(
      (error: Error) => error,
    );
    reached = failing.reached();
    if (reached) {
      expect((outcome as Error).message).toBe(`Statement ${statement} failed.`);
      expect(await documentRows(deps.db, w), `statement ${statement}`).toEqual(before);
      expect(await eventsOf(deps.db, w)).toEqual([]);
      expect((await statusOf(w, migrationId)).status).toMatch(/^(pending|in_progress)$/);
      await runMigration(deps.db, refOf(w, migrationId), never);
    }
    expect((await statusOf(w, migrationId)).status).toBe('completed');
    expect(await eventsOf(deps.db, w)).toHaveLength(1);
  }
  expect(statement).toBeGreaterThan(20);
});

test('a process that stops leaves the document unchanged, and the next one continues', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  const before = await documentRows(deps.db, w);
  const migrationId = await start(w);
  await runMigration(deps.db, refOf(w, migrationId), AbortSignal.abort());
  expect(await statusOf(w, migrationId)).toEqual({ migrationId, status: 'in_progress' });
  expect(await documentRows(deps.db, w)).toEqual(before);

  const enqueued: unknown[] = [];
  const jobs = {
    enqueue: async (_: unknown, name: string, payload: unknown) => void enqueued.push([name, payload]),
  };
  expect(await takeUpMigrations(deps.db, jobs)).not.toContain(migrationId);
  // The job still waits, so no second one is enqueued.
  expect(await takeUpMigrations(deps.db, jobs, 0)).not.toContain(migrationId);
  await loseJobs(deps.db, migrationId);
  expect(await takeUpMigrations(deps.db, jobs, 0)).toContain(migrationId);
  expect(enqueued).toContainEqual(['document.migrate', refOf(w, migrationId)]);
});

test('a migration that fails repeatedly is given up', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  const migrationId = await start(w);
  for (let attempt = 0; attempt < 10; attempt++) {
    await expect(runMigration(failingAt(deps.db, 8).db, refOf(w, migrationId), never)).rejects.toThrow(
      'Statement 8',
    );
  }
  expect(await statusOf(w, migrationId)).toEqual({
    migrationId,
    status: 'failed',
    error: 'It was given up after 10 tries.',
  });
});

test('a migration runs neither again after its end nor twice at once', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  const ref = refOf(w, await start(w));
  await Promise.all([1, 2, 3].map(() => runMigration(deps.db, ref, never)));
  await runMigration(deps.db, ref, never);
  expect(await eventsOf(deps.db, w)).toHaveLength(1);
});
