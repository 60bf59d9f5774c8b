import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { installCitus } from '../../../test/fakes/citus.ts';
import { newDatabase } from '../../../test/new-database.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { type DistributionPlan, planDistribution } from '../../db/distribution/plan-distribution.ts';
import type { Db } from '../../db/tables.ts';
import { distributeTables } from './distribute-command.ts';

async function emptyDatabase(): Promise<Db> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(close);
  return db;
}

async function withCitus(): Promise<Db> {
  const db = await emptyDatabase();
  await installCitus(db);
  return db;
}

const run = (db: Db, statement: string) => sql.raw(statement).execute(db);
const plan = (db: Db) => planDistribution(db, '13.2.0');
const whatOf = ({ refusals }: DistributionPlan) => refusals.map(({ table, what }) => `${table}: ${what}`);

/** Removes what Citus refuses from the schema, as a later version of the service would. */
async function mend(db: Db): Promise<void> {
  for (const { table, what } of (await plan(db)).refusals) {
    await run(db, `alter table ${table} drop constraint ${what.replace('foreign key ', '')}`);
  }
}

const placed = async (db: Db) =>
  (
    await sql<{ name: string; type: string; group: number | null; isCleaned: boolean }>`
      select relation::regclass::text as name, type, colocation as "group", is_cleaned from fake_citus.placed`.execute(
      db,
    )
  ).rows;

test('without Citus, the command says how to get it', async () => {
  const { output, exitCode } = await distributeTables({ db: await emptyDatabase() }, {});
  expect(output).toContain('create extension citus');
  expect(exitCode).toBe(1);
});

// A new entry here needs a reason: each keeps the service from running on a cluster.
test('Citus refuses foreign keys of the schema that rename documents or detach attachments, and nothing else', async () => {
  const db = await withCitus();
  expect(whatOf(await plan(db))).toMatchInlineSnapshot(`
    [
      "activities: foreign key activities_api_key_id_organization_id_document_id_fkey",
      "annotation_views: foreign key annotation_views_api_key_id_organization_id_document_id_an_fkey",
      "annotations: foreign key annotations_on_document",
      "attachments: foreign key attachments_of_comment",
      "attachments: foreign key attachments_on_document",
      "comments: foreign key comments_of_annotation",
      "crdt_deletions: foreign key crdt_deletions_api_key_id_organization_id_document_id_fkey",
      "crdt_editors: foreign key crdt_editors_api_key_id_organization_id_document_id_fkey",
      "crdt_snapshots: foreign key crdt_snapshots_api_key_id_organization_id_document_id_edit_fkey",
      "crdt_updates: foreign key crdt_updates_api_key_id_organization_id_document_id_editor_fkey",
      "live_states: foreign key live_states_api_key_id_organization_id_document_id_fkey",
      "notifications: foreign key notifications_api_key_id_organization_id_document_id_fkey",
      "presence: foreign key presence_api_key_id_organization_id_document_id_fkey",
      "reactions: foreign key reactions_api_key_id_organization_id_document_id_annotatio_fkey",
    ]
  `);
  const { output, exitCode } = await distributeTables({ db }, {});
  expect(output).toContain('Nothing was changed.');
  expect(exitCode).toBe(1);
  expect(await placed(db)).toEqual([]);
});

test('the plan refuses the tables that Citus refuses, and no others', async () => {
  const db = await withCitus();
  const { refusals, steps } = await plan(db);
  const refused = new Set<string>();
  for (const { table, statement } of steps) {
    await run(db, statement).catch(async (error: Error) => {
      // A table that refers to a refused one is refused for that as well.
      refused.add(table);
      if (!error.message.startsWith('referenced table')) {
        expect(
          refusals.map((one) => one.table),
          error.message,
        ).toContain(table);
      }
    });
  }
  expect([...new Set(refusals.map(({ table }) => table))].filter((table) => !refused.has(table))).toEqual([]);
});

test('once nothing is refused, it distributes all tables with an API key in one group', async () => {
  const db = await withCitus();
  await mend(db);
  const dry = await distributeTables({ db }, { dryRun: true });
  expect(dry.exitCode).toBe(0);
  expect(dry.output).toContain(
    "select create_distributed_table('comments', 'api_key_id', colocate_with => '",
  );
  expect(await placed(db)).toEqual([]);

  const { output, exitCode } = await distributeTables({ db }, {});
  expect(output).toMatch(/^\d+ tables were placed/);
  expect(exitCode).toBe(0);
  const tables = await placed(db);
  expect(tables.filter(({ type }) => type === 'reference').map(({ name }) => name)).toEqual([
    'workspaces',
    'api_keys',
    'api_key_tokens',
  ]);
  const distributed = tables.filter(({ type }) => type === 'distributed');
  expect(new Set(distributed.map(({ group }) => group)).size).toBe(1);
  expect(distributed.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['events', 'comments', 'documents']),
  );
  expect(tables.every(({ isCleaned }) => isCleaned)).toBe(true);

  expect((await distributeTables({ db }, {})).output).toBe('All tables are in place already.\n');
});

test('a run that was interrupted is continued by the next', async () => {
  const db = await withCitus();
  await mend(db);
  const { steps } = await plan(db);
  for (const { statement } of steps.slice(0, 5)) await run(db, statement);
  expect((await distributeTables({ db }, {})).output).toContain(`${steps.length - 5} tables were placed`);
  const tables = await placed(db);
  expect(tables).toHaveLength(steps.length);
  expect(tables.every(({ isCleaned }) => isCleaned)).toBe(true);
});

test.each([
  ['a key without the API key', 'create unique index odd on users (user_id)', 'users: unique index odd'],
  [
    'a trigger',
    'create trigger odd before insert on users for each row execute function note_judgment_change()',
    'users: trigger odd',
  ],
  [
    'a foreign key to the coordinator',
    'alter table users add column host text, add constraint odd foreign key (host) references allowed_hosts',
    'users: foreign key odd',
  ],
  [
    'a foreign key from the coordinator',
    'alter table audit_log add constraint odd foreign key (api_key_id, actor_id) references users',
    'audit_log: foreign key odd',
  ],
  [
    'a foreign key that swaps columns',
    `alter table users add column other text,
      add constraint odd foreign key (other, api_key_id) references users (api_key_id, user_id)`,
    'users: foreign key odd',
  ],
])('%s is refused', async (_, statement, expected) => {
  const db = await withCitus();
  await mend(db);
  await run(db, statement);
  expect(whatOf(await plan(db))).toEqual([expected]);
  expect((await distributeTables({ db }, {})).output).toContain('Citus refuses one thing');
});

test('an old version is refused', async () => {
  const { refusals } = await planDistribution(await withCitus(), '10.2');
  expect(refusals[0]).toEqual({ table: '', what: 'Citus 10.2', why: 'Version 11 or later is needed.' });
});
