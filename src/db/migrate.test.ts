import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './connect.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import * as foundation from './migrations/0001-foundation.ts';
import type { Db } from './tables.ts';

/** A database as the first migration left it, with the migrator's own note of that. */
async function beforeCollaboration(db: Db): Promise<void> {
  await foundation.up(db.withoutPlugins() as unknown as Kysely<unknown>);
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`.execute(
    db,
  );
  await sql`insert into kysely_migration values ('0001-foundation', '2026-01-01')`.execute(db);
  await sql`insert into kysely_migration_lock values ('migration_lock', 0)`.execute(db);
}

test('collaboration finds folders that documents named, and keeps private findings private', async () => {
  const { db, close } = await openDatabase({ onError: () => {} });
  try {
    await beforeCollaboration(db);
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
