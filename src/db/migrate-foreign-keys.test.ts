import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { openDatabase } from './connections/connect.ts';
import { migrate, migrator } from './migrate.ts';
import { up as checkForeignKeys } from './migrations/from-0026/0031-checked-foreign-keys.ts';
import type { Db } from './tables.ts';

/** A database as it is after a migration. */
async function databaseAt(last: string): Promise<Db> {
  const { url, drop } = await newDatabase({ empty: true });
  onTestFinished(drop);
  const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(close);
  const { error } = await migrator(db).migrateTo(last);
  expect(error).toBeUndefined();
  return db;
}

const run = (db: Db, ...statements: string[]) =>
  statements.reduce<Promise<unknown>>(
    (before, statement) => before.then(() => sql.raw(statement).execute(db)),
    Promise.resolve(),
  );

const PLACE = "'key', 'acme', 'home'";
const addComment = (id: number) => `insert into comments values (${PLACE}, 'a', ${id}, 'ann', '{}', 1, 1)`;

/** A document with an annotation, a comment and a live editor. */
const fill = (db: Db) =>
  run(
    db,
    "insert into organizations values ('key', 'acme', 'Acme', false, '{}', 1, 1)",
    `insert into documents values (${PLACE}, 'x', null, null, false, '{}', 3, 5, 5)`,
    `insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number, author_id,
      status_id, body, created_at, last_updated) values (${PLACE}, 'a', 1, 'ann', 'OPEN', '{}', 1, 1)`,
    addComment(1),
    `insert into crdt_editors (api_key_id, organization_id, document_id, editor_id, incarnation, snapshot_version,
      created_at, last_update) values (${PLACE}, 'text', 'i', 0, 1, 1)`,
    `insert into crdt_updates (api_key_id, organization_id, document_id, editor_id, payload, created_at)
      values (${PLACE}, 'text', '\\x00', 1)`,
  );

interface ForeignKey {
  name: string;
  definition: string;
  isChecked: boolean;
}

const foreignKeys = async (db: Db): Promise<ForeignKey[]> =>
  (
    await sql<ForeignKey>`select conname as name, pg_get_constraintdef(oid) as definition, convalidated as is_checked
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`.execute(db)
  ).rows;

const many = async (db: Db, table: string): Promise<number> =>
  (await sql<{ many: number }>`select count(*)::int as many from ${sql.table(table)}`.execute(db)).rows[0]!
    .many;

test('the foreign keys change without a look at the rows, still hold new ones, and are checked by the next migration', async () => {
  const db = await databaseAt('0029-log-partitions');
  await fill(db);
  const before = await foreignKeys(db);
  expect(before.filter(({ definition }) => definition.includes('ON UPDATE')).length).toBe(14);

  await migrator(db).migrateTo('0030-foreign-keys');
  expect((await foreignKeys(db)).filter(({ isChecked }) => !isChecked)).toHaveLength(12);
  const orphan = `insert into comments values (${PLACE}, 'missing', 1, 'ann', '{}', 1, 1)`;
  await expect(run(db, orphan)).rejects.toThrow('comments_of_annotation');

  await migrate(db);
  const after = await foreignKeys(db);
  expect(after.filter(({ isChecked }) => !isChecked)).toEqual([]);
  expect(after.filter(({ definition }) => /ON UPDATE|SET NULL/.test(definition))).toEqual([]);
  expect(after.map(({ name }) => name)).toContain('crdt_updates_of_editor');
  // Those of attachments are gone, and the others refer to the same.
  expect(after).toHaveLength(before.length - 2);
  const targets = (keys: ForeignKey[]) =>
    keys.map(({ definition }) => definition.replace(/ ON UPDATE CASCADE/, '')).sort();
  expect(targets(after)).toEqual(targets(before.filter(({ name }) => !name.startsWith('attachments_'))));
  await run(db, "delete from documents where document_id = 'home'");
  for (const table of ['annotations', 'comments', 'crdt_editors', 'crdt_updates']) {
    expect(await many(db, table), table).toBe(0);
  }
});

test('while the rows are checked, others read and write', async () => {
  const db = await databaseAt('0030-foreign-keys');
  await fill(db);
  await db.transaction().execute(async (tx) => {
    await checkForeignKeys(tx as unknown as Kysely<unknown>);
    // Another connection, which would wait for a lock in vain.
    await run(
      db,
      addComment(2),
      'update comments set body = \'{"a": 1}\' where comment_id = 1',
      "delete from crdt_editors where editor_id = 'text'",
    );
  });
  expect(await many(db, 'comments')).toBe(2);
});
