import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { untilBlocks } from '../../../test/database/lock-waits.ts';
import { documentRows, fillDocument } from '../../../test/documents/full-document.ts';
import { statementsOf } from '../../../test/routing/captured-statements.ts';
import { isDistributed, schemaOfService } from '../../../test/routing/service-schema.ts';
import { tablesOf } from '../../../test/routing/statement-tables.ts';
import { newWorkspace, type Reply, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { KEY_COLUMN } from '../../db/distribution/placement.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { createAttachment } from '../attachments/attachments.ts';
import { runMigration } from './document-migrations.ts';
import { lockDocument } from './documents.ts';
import { moveDocument } from './move-document.ts';

const never = new AbortController().signal;
const OLD = { organizationId: 'o', documentId: 'old' };
const MOVE = { ...OLD, newDocumentId: 'new' };
const NOTE = { ...OLD, annotationId: 'old-0' };

async function filled(): Promise<{ w: TestWorkspace; db: Db }> {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await fillDocument(deps.db, w, 'old');
  return { w, db: deps.db };
}

const place = ({ apiKeyId }: TestWorkspace) => sql`${apiKeyId}, 'o', 'old'`;

/** Additions of a transaction that commits while the move waits for it, each a row of the table. */
const additions: Record<string, (tx: Tx, w: TestWorkspace) => Promise<unknown>> = {
  comments: (tx, w) =>
    sql`insert into comments values (${place(w)}, 'old-1', 9, 'ada', '{"commentText": "late"}', 5, 5)`.execute(
      tx,
    ),
  reactions: (tx, w) =>
    sql`insert into reactions values (${place(w)}, 'old-1', 1, 'late', 'bob', '{"userId": "bob"}', 5)`.execute(
      tx,
    ),
  annotation_views: (tx, w) =>
    sql`insert into annotation_views values (${place(w)}, 'old-1', 'late', 5)`.execute(tx),
  annotations: (tx, w) =>
    sql`insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number,
        author_id, status_id, body, created_at, last_updated)
      values (${place(w)}, 'late', 3, 'ada', 'OPEN', '{}', 5, 5)`.execute(tx),
  crdt_updates: (tx, w) =>
    sql`insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, created_at)
      values (${place(w)}, 'old', '\\x0000', 5)`.execute(tx),
  crdt_snapshots: (tx, w) =>
    sql`insert into crdt_snapshots (api_key_id, organization_id, document_id, editor_id, snapshot_id, name, state,
        created_at)
      values (${place(w)}, 'old', 'late', 'Late', '\\x0000', 5)`.execute(tx),
  crdt_editors: (tx, w) =>
    sql`insert into crdt_editors (api_key_id, organization_id, document_id, editor_id, incarnation,
        snapshot_version, created_at, last_update)
      values (${place(w)}, 'late', 'late', 0, 5, 5)`.execute(tx),
  async attachments(tx, w) {
    await lockDocument(tx, w, OLD, { create: false });
    const file = { fileName: 'late', mimeType: 'text/plain', byteSize: 1 };
    await createAttachment(tx, w, { ...OLD, ...file, uploaderId: null });
  },
};

test.for(Object.keys(additions))(
  'a row of %s that another transaction adds meanwhile moves along',
  async (table) => {
    const { w, db } = await filled();
    const before = (await documentRows(db, w))[table]!.length;
    const { migrationId } = await w.must('/v2/organizations/documents/migrate', MOVE);
    const ref = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, organizationId: 'o', migrationId };
    let moving: Promise<void> | undefined;
    await db.transaction().execute(async (tx) => {
      await additions[table]!(tx, w);
      moving = runMigration(db, ref, never);
      await untilBlocks(tx);
    });
    await moving;
    const rows = (await documentRows(db, w))[table]!;
    expect(rows.map((row) => row.document_id)).toEqual(Array(before + 1).fill('new'));
  },
);

const from = { userId: 'ada', name: 'Ada' };

/** Requests about what is on the document, which arrive while it moves. */
const requests: Record<string, (w: TestWorkspace) => Promise<Reply>> = {
  'a new comment': ({ post }) =>
    post('/v2/commentannotations/comments/add', { ...NOTE, commentData: [{ commentText: 'late', from }] }),
  'several new comments': ({ post }) =>
    post('/v2/commentannotations/comments/add', {
      ...NOTE,
      commentData: [1, 2].map((at) => ({ commentText: `late ${at}`, from })),
    }),
  'a change of a comment': ({ post }) =>
    post('/v2/commentannotations/comments/update', {
      ...NOTE,
      commentIds: [1],
      updatedData: { commentText: 'late', from },
    }),
  'the deletion of a comment': ({ post }) =>
    post('/v2/commentannotations/comments/delete', { ...NOTE, commentIds: [1] }),
  'a reaction': ({ post }) =>
    post('/v2/commentannotations/reactions/add', { ...NOTE, commentId: 1, reactionId: 'like', from }),
  'an attachment': ({ post }) =>
    post('/v2/attachments/create', { ...OLD, fileName: 'late.txt', mimeType: 'text/plain', size: 1 }),
  'a live state': ({ post }) =>
    post('/v2/livestate/broadcast', { ...OLD, liveStateDataId: 'late', data: { at: 1 } }),
};

test.for(Object.keys(requests))(
  'a request that waits for a move is refused, and leaves nothing on the old id: %s',
  async (name) => {
    const { w, db } = await filled();
    let waiting: Promise<Reply> | undefined;
    await db.transaction().execute(async (tx) => {
      await moveDocument(tx, w, MOVE, never);
      waiting = requests[name]!(w);
      await untilBlocks(tx);
    });
    const { status, body } = await waiting!;
    expect([status, JSON.stringify(body)]).toEqual([
      expect.any(Number),
      expect.stringMatching(/not found|not exist/i),
    ]);
    expect(status).toBeLessThan(500);
    for (const [table, rows] of Object.entries(await documentRows(db, w))) {
      expect(
        rows.filter((row) => row.document_id === 'old'),
        table,
      ).toEqual([]);
    }
  },
);

test('each statement of a move names one API key for all tables that a cluster distributes', async () => {
  const { w, db } = await filled();
  await fillDocument(db, w, 'new');
  const schema = await schemaOfService();
  const statements = await statementsOf(() =>
    db.transaction().execute((tx) => moveDocument(tx, w, MOVE, never)),
  );
  const moved = new Set<string>();
  for (const { sql: text, parameters } of statements) {
    for (const { table, bound } of tablesOf(text, parameters, schema)) {
      if (!isDistributed(table, schema)) continue;
      moved.add(table);
      expect(bound[KEY_COLUMN], text).toBe(w.apiKeyId);
    }
  }
  expect([...moved]).toEqual(expect.arrayContaining(['comments', 'crdt_updates', 'attachments', 'grants']));
});
