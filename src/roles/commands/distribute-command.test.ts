import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { installCitus } from '../../../test/fakes/citus.ts';
import { statementsOf } from '../../../test/routing/captured-statements.ts';
import { isDistributed, schemaOfService } from '../../../test/routing/service-schema.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { type DistributionPlan, planDistribution } from '../../db/distribution/plan-distribution.ts';
import type { Db } from '../../db/tables.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { distributeTables } from './distribute-command.ts';

type Opened = Awaited<ReturnType<typeof openDatabase>>;

async function emptyDatabase(): Promise<Opened> {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const database = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(database.close);
  return database;
}

async function withCitus(): Promise<Opened> {
  const database = await emptyDatabase();
  await installCitus(database.db);
  return database;
}

const run = (db: Db, statement: string) => sql.raw(statement).execute(db);
const plan = (db: Db) => planDistribution(db, '13.2.0');
const whatOf = ({ refusals }: Pick<DistributionPlan, 'refusals'>) =>
  refusals.map(({ table, what }) => `${table}: ${what}`);

const placed = async (db: Db) =>
  (
    await sql<{ name: string; type: string; group: number | null; isCleaned: boolean }>`
      select relation::regclass::text as name, type, colocation as "group", is_cleaned from fake_citus.placed`.execute(
      db,
    )
  ).rows;

test('without Citus, the command says how to get it', async () => {
  const { output, exitCode } = await distributeTables(await emptyDatabase(), {});
  expect(output).toContain('create extension citus');
  expect(exitCode).toBe(1);
});

test('Citus refuses nothing in the schema, and each statement of the plan is sent, once and in its order', async () => {
  const database = await withCitus();
  const { refusals, steps } = await plan(database.db);
  expect(refusals).toEqual([]);
  const dry = await distributeTables(database, { dryRun: true });
  expect(dry.exitCode).toBe(0);
  expect(await placed(database.db)).toEqual([]);

  let outcome: Outcome | undefined;
  const statements = await statementsOf(async () => {
    outcome = await distributeTables(database, {});
  });
  expect(outcome).toEqual({
    output: expect.stringMatching(/^\d+ tables were placed .* stay on the coordinator.\n.*docs\/scaling.md/),
    exitCode: 0,
  });
  const sent = statements
    .map(({ sql: text }) => text)
    .filter((text) => /^set citus|create_(?:reference|distributed)_table|truncate_local/.test(text));
  expect(dry.output.split('\n').filter((line) => line.endsWith(';'))).toEqual(sent.map((text) => `${text};`));
  expect(sent.slice(0, 5)).toEqual([
    'set citus.enable_local_reference_table_foreign_keys to off',
    "select create_reference_table('workspaces')",
    "select create_reference_table('api_keys')",
    "select create_reference_table('api_key_tokens')",
    "select create_distributed_table('organizations', 'api_key_id', colocate_with => 'none')",
  ]);
  expect(sent).toContain(
    "select create_distributed_table('comments', 'api_key_id', colocate_with => 'organizations')",
  );
  // The partitions of the log come with their table.
  expect(steps.filter(({ table }) => table.startsWith('execution_log')).map(({ table }) => table)).toEqual([
    'execution_log',
  ]);

  const tables = await placed(database.db);
  expect(tables.filter(({ type }) => type === 'reference').map(({ name }) => name)).toEqual([
    'workspaces',
    'api_keys',
    'api_key_tokens',
  ]);
  const distributed = tables.filter(({ type }) => type === 'distributed');
  expect(new Set(distributed.map(({ group }) => group)).size).toBe(1);
  const schema = await schemaOfService();
  const expected = [...schema.keys()].filter(
    (table) => isDistributed(table, schema) && !/^execution_log_/.test(table),
  );
  expect(distributed.map(({ name }) => name).sort()).toEqual(expected.sort());
  expect(tables.every(({ isCleaned }) => isCleaned)).toBe(true);

  expect((await distributeTables(database, {})).output).toBe('All tables are in place already.\n');
});

test('without its setting, Citus refuses the same statements', async () => {
  const { db } = await withCitus();
  const { steps } = await plan(db);
  const all = async () => {
    for (const { statement } of steps) await run(db, statement);
  };
  await expect(all()).rejects.toThrow('local tables to distributed tables are not supported');
});

test('a run that was interrupted is continued by the next', async () => {
  const database = await withCitus();
  const { settings, steps } = await plan(database.db);
  await database.db.connection().execute(async (db) => {
    for (const statement of [...settings, ...steps.slice(0, 5).map((step) => step.statement)]) {
      await run(db, statement);
    }
    await run(db, 'reset all');
  });
  expect((await distributeTables(database, {})).output).toContain(`${steps.length - 5} tables were placed`);
  const tables = await placed(database.db);
  expect(tables).toHaveLength(steps.length);
  expect(tables.every(({ isCleaned }) => isCleaned)).toBe(true);
});

test('what Citus refuses on the way is printed, and the next run goes on there', async () => {
  const database = await withCitus();
  const { steps } = await plan(database.db);
  await run(database.db, 'alter function create_distributed_table rename to away');
  const { output, exitCode } = await distributeTables(database, {});
  expect(output).toMatch(
    /^organizations: function create_distributed_table.*\nThe 3 tables before it are in place/,
  );
  expect(exitCode).toBe(1);
  await run(database.db, 'alter function away rename to create_distributed_table');
  expect((await distributeTables(database, {})).output).toContain(`${steps.length - 3} tables were placed`);
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
  [
    'a foreign key that renames',
    `alter table comments drop constraint comments_of_annotation, add constraint odd
      foreign key (api_key_id, organization_id, document_id, annotation_id) references annotations on update cascade`,
    'comments: foreign key odd',
  ],
  [
    'a foreign key that detaches',
    `alter table attachments add constraint odd foreign key (api_key_id, organization_id, document_id)
      references documents on delete set null (document_id)`,
    'attachments: foreign key odd',
  ],
  [
    'a foreign key from the coordinator to a copied table',
    'alter table judgments add constraint odd foreign key (api_key_id) references api_keys',
    'judgments: foreign key odd',
  ],
])('%s is refused, by the plan and by Citus', async (_, statement, expected) => {
  const database = await withCitus();
  const { db } = database;
  await run(db, statement);
  const { refusals, settings, steps, cleaning } = await plan(db);
  expect(whatOf({ refusals })).toEqual([expected]);
  const { output, exitCode } = await distributeTables(database, {});
  expect(output).toContain('Citus refuses one thing');
  expect(output).toContain('Nothing was changed.');
  expect(exitCode).toBe(1);
  expect(await placed(db)).toEqual([]);
  await expect(
    db.connection().execute(async (own) => {
      for (const each of [...settings, ...steps.map((step) => step.statement), ...cleaning])
        await run(own, each);
    }),
  ).rejects.toThrow();
});

test('replicas of shards are refused', async () => {
  const { db } = await withCitus();
  const refusals = await db.connection().execute(async (own) => {
    await run(own, 'set citus.shard_replication_factor to 2');
    const found = await plan(own);
    await run(own, 'reset all');
    return found.refusals;
  });
  expect(refusals.map(({ what }) => what)).toEqual(['citus.shard_replication_factor = 2']);
});

test('an old version is refused', async () => {
  const { refusals } = await planDistribution((await withCitus()).db, '10.2');
  expect(refusals[0]).toEqual({ table: '', what: 'Citus 10.2', why: 'Version 11 or later is needed.' });
});
