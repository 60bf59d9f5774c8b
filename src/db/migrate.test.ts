import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { version } from '../lib/version.ts';
import { fingerprintBase, newFingerprint } from '../review/findings/finding-fingerprint.ts';
import { countFindings, findingsOfPage } from '../store/agents/execution-findings.ts';
import { listPages } from '../store/agents/execution-pages.ts';
import { listAnchors } from '../store/annotation-lists/list-anchors.ts';
import { pageAnnotations } from '../store/annotation-lists/list-annotations.ts';
import type { AnnotationFilter } from '../store/annotations/annotation-filter.ts';
import { loadDue } from '../store/webhooks/due-deliveries.ts';
import { insertMessages } from '../store/webhooks/messages.ts';
import { openDatabase } from './connections/connect.ts';
import { findNewerSchema, migrate, migrator, pendingMigrations } from './migrate.ts';
import type { Db } from './tables.ts';

/** Brings a database to the state after a migration. */
async function migrateTo(db: Db, last: string): Promise<void> {
  const { error } = await migrator(db).migrateTo(last);
  if (error) throw error;
}

/** Opens a separate database without tables. */
async function openEmpty() {
  const { url, drop } = await newDatabase({ empty: true });
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  return {
    db: database.db,
    async close() {
      await database.close();
      await drop();
    },
  };
}

test('the migration to collaboration creates the folders that documents name, and keeps private findings private', async () => {
  const { db, close } = await openEmpty();
  try {
    await migrateTo(db, '0001-foundation');
    await sql`insert into organizations values ('key', 'acme', 'Acme', false, '{}', 1, 1)`.execute(db);
    for (const [id, folder] of [
      ['a', 'plans'],
      ['b', 'plans'],
      ['c', null],
    ]) {
      await sql`insert into documents values ('key', 'acme', ${id}, 'x', ${folder}, null, false, '{}', 3, 5, 5)`.execute(
        db,
      );
    }
    for (const [id, type] of [
      ['open', 'public'],
      ['private', 'organizationPrivate'],
    ]) {
      const body = JSON.stringify({ visibilityConfig: { type, organizationId: 'acme' } });
      await sql`insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number,
          author_id, status_id, body, created_at, last_updated)
        values ('key', 'acme', 'a', ${id}, 1, 'agent', 'OPEN', cast(${body} as jsonb), 1, 1)`.execute(db);
      await sql`insert into comments values ('key', 'acme', 'a', ${id}, 7, 'agent', '{}', 1, 1)`.execute(db);
    }
    expect(await migrate(db)).toContain('0002-collaboration');
    expect(await pendingMigrations(db)).toEqual([]);
    const folders = await db.selectFrom('folders').select(['folderId', 'parentId', 'createdAt']).execute();
    expect(folders).toEqual([{ folderId: 'plans', parentId: null, createdAt: 5 }]);
    const annotations = await db
      .selectFrom('annotations')
      .select(['annotationId', 'visibility'])
      .orderBy('annotationId')
      .execute();
    expect(annotations).toEqual([
      { annotationId: 'open', visibility: null },
      { annotationId: 'private', visibility: { type: 'organizationPrivate', organizationId: 'acme' } },
    ]);
    await sql`delete from documents where document_id = 'a'`.execute(db);
    expect(await db.selectFrom('comments').select(['documentId']).execute()).toEqual([]);
  } finally {
    await close();
  }
});

test('deliveries that wait before the migration are still sent, ahead of newer ones of the same subject', async () => {
  const { db, close } = await openEmpty();
  const message = (messageId: string, seq: number) => ({
    apiKeyId: 'key',
    messageId,
    seq,
    eventType: 'comment.add',
    organizationId: 'acme',
    body: '{}',
    basicBody: null,
    orderKey: 'annotation:a',
    createdAt: seq,
    deliveries: [{ endpointId: 'ep', status: 'waiting' as const }],
  });
  const dueIds = async () => {
    const request = { now: Date.now(), limit: 10, except: [], basic: false, bytes: 1_000 };
    const found = await loadDue(db, { apiKeyId: 'key', endpointId: 'ep' }, request);
    return found.map(({ messageId }) => messageId);
  };
  try {
    await migrateTo(db, '0003-webhooks');
    await sql`insert into workspaces values ('ws', 'x', 'x', 'x', 'x', 'x', 'x', 'free', 'x', 'x', 1)`.execute(
      db,
    );
    await sql`insert into api_keys values ('key', 'ws', 'x', 'testing', 'x', '[]', '{}', 1)`.execute(db);
    await sql`insert into webhook_endpoints
        (api_key_id, endpoint_id, workspace_id, kind, url, disabled, created_at, updated_at)
      values ('key', 'ep', 'ws', 'advanced', 'https://example.com', false, 1, 1)`.execute(db);
    await sql`insert into webhook_messages values ('key', 'evt_early', 1, 'comment.add', 'acme', '{}', null, 1)`.execute(
      db,
    );
    await sql`insert into webhook_deliveries
      values ('key', 'evt_early', 'ep', 1, 'annotation:a', 'waiting', 0, 1, '[]', 1, null)`.execute(db);
    expect(await migrate(db)).toContain('0004-webhook-lookups');
    await db.transaction().execute((tx) => insertMessages(tx, [message('evt_late', 2)]));
    expect(await dueIds()).toEqual(['evt_early', 'evt_late']);
    const typed = db
      .selectFrom('webhookDeliveries')
      .select('messageId')
      .where('eventType', '=', 'comment.add');
    expect(await typed.orderBy('messageId').execute()).toEqual([
      { messageId: 'evt_early' },
      { messageId: 'evt_late' },
    ]);
    await sql`update webhook_deliveries set next_at = ${Date.now() + 60_000} where message_id = 'evt_early'`.execute(
      db,
    );
    expect(await dueIds()).toEqual([]);
  } finally {
    await close();
  }
});

test('a database that already has the changes of the fourth migration stays unchanged', async () => {
  const { db, close } = await openEmpty();
  const orderKeys = () => sql`select order_key from webhook_deliveries`.execute(db).then(({ rows }) => rows);
  try {
    await migrateTo(db, '0004-webhook-lookups');
    await sql`insert into webhook_deliveries
      values ('key', 'evt', 'ep', 1, 'made-already', 'waiting', 0, 1, '[]', 1, null)`.execute(db);
    await sql`delete from kysely_migration where name = '0004-webhook-lookups'`.execute(db);
    expect(await migrate(db)).toContain('0004-webhook-lookups');
    expect(await orderKeys()).toEqual([{ orderKey: 'made-already' }]);
  } finally {
    await close();
  }
});

test('findings that stood in the rows of their pages become rows of their own, and are read as before', async () => {
  const { db, close } = await openEmpty();
  try {
    await migrateTo(db, '0013-allowed-hosts');
    await sql`insert into executions (api_key_id, execution_id, agent_id, agent_name, agent_version, organization_id,
        document_id, status, seed_url, request, trigger, outcome, started_at, lease_until, attempts)
      values ('key', 'exec', 'a', 'A', 1, '', '', 'failed', 'https://example.com/', '{}', 'api', '{}', 1, 0, 1)`.execute(
      db,
    );
    const findings = [
      { id: 'finding-1', title: 'One', severity: 'low', comparison: 'new' },
      { id: 'finding-2', title: 'Two', severity: 'high' },
    ];
    for (const [position, path, found] of [
      [0, 'a', findings],
      [1, 'b', []],
    ] as const)
      await sql`insert into execution_pages (api_key_id, execution_id, url_hash, url, position, status, findings,
          annotations_created, detail, processed_at)
        values ('key', 'exec', md5(${`https://example.com/${path}`}), ${`https://example.com/${path}`}, ${position},
          'completed', ${JSON.stringify(found)}::jsonb, 0, '{}', 1)`.execute(db);
    expect(await migrate(db)).toContain('0014-findings');
    const ref = { apiKeyId: 'key', executionId: 'exec' };
    expect(await findingsOfPage(db, ref, 'https://example.com/a')).toEqual(
      findings.map((finding) => ({ ...finding, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) })),
    );
    expect(await findingsOfPage(db, ref, 'https://example.com/b')).toEqual([]);
    const pages = await listPages(db, ref);
    expect(pages.map(({ findingCount }) => findingCount)).toEqual([2, 0]);
    expect(await countFindings(db, ref)).toEqual(
      expect.arrayContaining([
        { severity: 'low', comparison: 'new', decision: null, count: 1 },
        { severity: 'high', comparison: null, decision: null, count: 1 },
      ]),
    );
  } finally {
    await close();
  }
});

test('findings of earlier runs become one row each over all runs, with the decision on their suggestion', async () => {
  const { db, close } = await openEmpty();
  try {
    await migrateTo(db, '0016-delivery-lookups');
    await sql`insert into organizations values ('key', 'acme', 'Acme', false, '{}', 1, 1)`.execute(db);
    await sql`insert into documents values ('key', 'acme', 'site', 'x', null, null, false, '{}', 3, 5, 5)`.execute(
      db,
    );
    await sql`insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number,
        author_id, status_id, agent_id, suggestion_status, body, created_at, last_updated)
      values ('key', 'acme', 'site', 'note', 1, 'a', 'OPEN', 'a', 'rejected', '{}', 1, 7)`.execute(db);
    const url = 'https://example.com/a';
    const note = { title: 'One', severity: 'low', issueType: 'spelling', causeId: 'c1', commentId: 'note' };
    const gone = { title: 'Two', severity: 'high', issueType: 'spelling', causeId: 'c2' };
    for (const [executionId, at, found] of [
      ['first', 10, [note, gone]],
      ['second', 20, [note]],
    ] as const) {
      await sql`insert into executions (api_key_id, execution_id, agent_id, agent_name, agent_version,
          organization_id, document_id, status, seed_url, request, trigger, outcome, started_at, lease_until, attempts)
        values ('key', ${executionId}, 'a', 'A', 1, 'acme', 'site', 'failed', ${url}, '{}', 'api', '{}', ${at}, 0,
          1)`.execute(db);
      await sql`insert into execution_pages (api_key_id, execution_id, url_hash, url, position, status, finding_count,
          annotations_created, detail, processed_at)
        values ('key', ${executionId}, md5(${url}), ${url}, 0, 'completed', 1, 0, '{}', ${at + 1})`.execute(
        db,
      );
      await db.transaction().execute((tx) =>
        sql`insert into execution_findings (api_key_id, execution_id, page_position, number, cause_id, severity, body)
            select 'key', ${executionId}, 0, place - 1, body ->> 'causeId', body ->> 'severity', body
            from jsonb_array_elements(${JSON.stringify(found)}::jsonb) with ordinality as item(body, place)`.execute(
          tx,
        ),
      );
    }
    expect(await migrate(db)).toContain('0018-finding-records');
    const rows = await db.selectFrom('findingRecords').selectAll().orderBy('firstExecutionId').execute();
    const both = { organizationId: 'acme', documentId: 'site', agentId: 'a', pageUrl: url, firstSeenAt: 11 };
    expect(rows.sort((one, other) => other.seenCount - one.seenCount)).toMatchObject([
      {
        ...both,
        state: 'still_there',
        decision: 'rejected',
        decidedAt: 7,
        annotationId: 'note',
        lastSeenAt: 21,
        seenCount: 2,
        firstExecutionId: 'first',
        lastExecutionId: 'second',
        fingerprint: newFingerprint(fingerprintBase('a', url, { ...note, targetText: '' }), () => false),
        fixedAt: null,
      },
      {
        ...both,
        state: 'fixed',
        decision: null,
        annotationId: null,
        seenCount: 1,
        lastExecutionId: 'first',
        fixedAt: 21,
        fixedExecutionId: 'second',
      },
    ]);
    expect(rows[0]!.body).not.toHaveProperty('commentId');
    const ref = { apiKeyId: 'key', executionId: 'second' };
    expect(await findingsOfPage(db, ref, url)).toMatchObject([{ fingerprint: rows[0]!.fingerprint }]);
  } finally {
    await close();
  }
});

test('annotations from before the migration are found by page, finding and words', async () => {
  const { db, close } = await openEmpty();
  try {
    await migrateTo(db, '0016-delivery-lookups');
    await sql`insert into organizations values ('key', 'acme', 'Acme', false, '{}', 1, 1)`.execute(db);
    await sql`insert into documents values ('key', 'acme', 'a', 'x', null, null, false, '{}', 3, 5, 5)`.execute(
      db,
    );
    const reason = { title: 'Old price', severity: 'high', issueType: 'price' };
    const bodies = {
      person: { pageInfo: { url: 'HTTPS://Example.com:443#top' } },
      agent: { agent: { url: 'https://example.com/', reason }, suggestion: { status: 'pending' } },
      odd: { pageInfo: { url: { no: 'text' } }, suggestion: 'no object', agent: [] },
    };
    for (const [id, body] of Object.entries(bodies)) {
      await sql`insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number,
          author_id, status_id, agent_url, suggestion_status, body, created_at, last_updated)
        values ('key', 'acme', 'a', ${id}, 1, 'ann', 'OPEN', ${id === 'agent' ? 'https://example.com/' : null},
          ${id === 'agent' ? 'pending' : null}, cast(${JSON.stringify(body)} as jsonb), 1, 1)`.execute(db);
      const comment = {
        person: { commentHtml: '<p>Too <b>dear</b></p>' },
        agent: {},
        odd: { commentText: 7 },
      };
      await sql`insert into comments values ('key', 'acme', 'a', ${id}, 7, 'ann',
        cast(${JSON.stringify(comment[id as keyof typeof comment])} as jsonb), 1, 1)`.execute(db);
    }
    expect(await migrate(db)).toContain('0017-annotation-lookups');
    const scope = { apiKeyId: 'key', workspaceId: 'ws', organizationId: 'acme' };
    const found = async (filter: AnnotationFilter) => {
      const listing = { organizationId: 'acme', filter, reader: undefined };
      const page = await pageAnnotations(listAnchors, db, scope, listing, {
        order: 'asc',
        position: [],
        size: 10,
      });
      return page.rows.map((row) => row?.annotationId);
    };
    expect(await found({ pageUrls: ['https://example.com'] })).toEqual(['agent', 'person']);
    expect(await found({ severity: ['high'], issueType: ['price'] })).toEqual(['agent']);
    expect(await found({ suggestionStatus: ['pending'] })).toEqual(['agent']);
    expect(await found({ text: { ...scope, text: 'PRICE old' } })).toEqual(['agent']);
    expect(await found({ text: { ...scope, text: 'dear' } })).toEqual(['person']);
  } finally {
    await close();
  }
});

test('a database knows the version that has run its newest migration', async () => {
  const { db, close } = await openEmpty();
  try {
    expect(await findNewerSchema(db)).toBeUndefined();
    await migrate(db);
    await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(db);
    expect(await findNewerSchema(db)).toBe(
      `This is Redpen ${version}, and Redpen ${version} has changed the tables of the database (9999-later).`,
    );
    await expect(migrate(db)).rejects.toThrow('Run the newer version');
  } finally {
    await close();
  }
});
