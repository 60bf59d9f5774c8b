import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { newDatabase } from '../../test/new-database.ts';
import { loadDue } from '../store/webhooks/due-deliveries.ts';
import { insertMessages } from '../store/webhooks/messages.ts';
import { openDatabase } from './connect.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import * as foundation from './migrations/0001-foundation.ts';
import * as collaboration from './migrations/0002-collaboration.ts';
import * as webhooks from './migrations/0003-webhooks.ts';
import * as webhookLookups from './migrations/0004-webhook-lookups.ts';
import type { Db } from './tables.ts';

const ups = {
  '0001-foundation': foundation,
  '0002-collaboration': collaboration,
  '0003-webhooks': webhooks,
  '0004-webhook-lookups': webhookLookups,
};

/** Brings a database to the state after a migration, with the migrator's record of that. */
async function migrateTo(db: Db, last: keyof typeof ups): Promise<void> {
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`.execute(
    db,
  );
  await sql`insert into kysely_migration_lock values ('migration_lock', 0)`.execute(db);
  for (const [name, { up }] of Object.entries(ups).filter(([candidate]) => candidate <= last)) {
    await up(db.withoutPlugins() as unknown as Kysely<unknown>);
    await sql`insert into kysely_migration values (${name}, '2026-01-01')`.execute(db);
  }
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
    await sql`update documents set document_id = 'renamed' where document_id = 'a'`.execute(db);
    const comments = await db.selectFrom('comments').select(['documentId']).execute();
    expect(comments).toEqual([{ documentId: 'renamed' }, { documentId: 'renamed' }]);
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
