// These tests need a server with pgvector. They are included only if REDPEN_TEST_PGVECTOR_URL names one.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connections/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Db } from '../../src/db/tables.ts';
import { randomId } from '../../src/lib/ids.ts';
import { rankJudgments } from '../../src/memory/ranking/rank.ts';
import { createScorer, type Scorer } from '../../src/memory/scoring/scorer.ts';
import type { Embedder } from '../../src/outside/embed/vectors/embedder.ts';
import { nearby } from '../../src/store/memory/judgment-candidates.ts';
import { deleteJudgments } from '../../src/store/memory/judgments.ts';
import { directionOf } from '../../src/store/memory/stored-vectors.ts';
import {
  listJudgmentIndexes,
  maintainJudgmentIndexes,
  nearIndexName,
  wordsIndexName,
} from '../../src/store/memory/vector-indexes.ts';
import { planOf } from '../database/query-plan.ts';
import { writeVectored } from '../memory/judgment-vectors.ts';

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** A new database on the server with pgvector. */
async function newDatabase(): Promise<Database> {
  const url = new URL(process.env.REDPEN_TEST_PGVECTOR_URL!);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const name = `vectors_${randomId(12)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')}`;
  await client.query(`create database ${name}`);
  ends.push(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href, onError: () => {} });
  ends.push(() => database.close());
  return database;
}

const migrations = join(import.meta.dirname, '../../src/db/migrations');

/** Creates the schema of the time when vectors had the type of the extension. */
async function migrateToExtension(db: Db): Promise<void> {
  const plainDb = db.withoutPlugins() as unknown as Kysely<unknown>;
  await sql`create extension vector`.execute(plainDb);
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    plainDb,
  );
  await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`.execute(
    plainDb,
  );
  await sql`insert into kysely_migration_lock values ('migration_lock', 0)`.execute(plainDb);
  for (const file of readdirSync(migrations)
    .filter((name) => name < '0010')
    .sort()) {
    const { up } = (await import(join(migrations, file))) as {
      up(db: Kysely<unknown>): Promise<void>;
    };
    await up(plainDb);
    await sql`insert into kysely_migration values (${file.replace('.ts', '')}, '2026-01-01')`.execute(
      plainDb,
    );
  }
  for (const table of ['judgment_vectors', 'knowledge_vectors'])
    await sql`alter table ${sql.table(table)} alter column embedding type vector using null`.execute(plainDb);
}

test('vectors of the extension become whole numbers, and the extension can be dropped', async () => {
  const { db } = await newDatabase();
  await migrateToExtension(db);
  const vectors = [
    [0.25, -0.5, 0.125],
    [0, 0, 0],
    [1e-3, 2e-3, -3e-3],
  ];
  await sql`
    insert into judgments (api_key_id, judgment_id, organization_id, document_id, origin, decision, reasoning, judge_type,
      reviewer_id, action_user, created_at, recorded_at)
    values ('key', 'one', '', '', 'import', 'approve', 'Fine.', 'human', 'ana', '{}', 1, 1)`.execute(db);
  for (const [at, vector] of vectors.entries())
    await sql`insert into judgment_vectors
      values ('key', 'one', 'review', ${at}, '', '', 'm', cast(${`[${vector.join(',')}]`} as text)::vector)`.execute(
      db,
    );
  await sql`create index ${sql.id(`judgment_vectors_near_${'0a'.repeat(16)}`)} on judgment_vectors
    using hnsw ((embedding::vector(3)) vector_cosine_ops) where vector_dims(embedding) = 3`.execute(db);
  expect(await migrate(db)).toContain('0010-exact-vectors');
  const rows = await db.selectFrom('judgmentVectors').select('embedding').orderBy('windowIndex').execute();
  expect(rows.map(({ embedding }) => [...embedding])).toEqual(
    vectors.map((vector) => [...directionOf(vector)]),
  );
  await sql`drop extension vector`.execute(db);
});

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: each step needs the indexes of the previous ones.
test('among many judgments indexes find the same as a full comparison, including later judgments, and the plan of a vector search uses its index', async () => {
  const database = await newDatabase();
  const { db } = database;
  await migrate(db);
  const scorer: Scorer = createScorer(database.connection);
  ends.push(() => scorer.close());
  const scope = { apiKeyId: 'key', workspaceId: 'workspace' };
  const model = "it's a model";
  const angle = (n: number) =>
    Float32Array.of(Math.cos((n * Math.PI) / 6_000), Math.sin((n * Math.PI) / 6_000), 0);
  const embedQuery = async (text: string) => angle(Number(/\d+/.exec(text)));
  const current: Embedder = { model, embedQuery, embed: async () => [] };
  const embeddings = { current, of: () => undefined, close: async () => {} };
  const write = (from: number, to: number) =>
    writeVectored(
      db,
      scope,
      Array.from({ length: to - from }, (_, at) => {
        const n = from + at;
        return {
          judgmentId: `j${n}`,
          organizationId: `o${n % 2}`,
          decision: n % 10 === 0 ? 'approve' : 'reject',
          createdAt: n,
          words: [`word${n}`],
          model: n < 5 ? '' : model,
          vectors: n < 5 ? [] : [angle(n)],
        };
      }),
    );
  await write(0, 3_000);
  const set = { apiKeyId: 'key', kind: 'review' as const, model, dimensions: 3 };
  const names = [nearIndexName(set), wordsIndexName('key')];
  const { signal } = new AbortController();
  const maintain = (from: number) =>
    database.withoutTimeout!((own) => maintainJudgmentIndexes(own, signal, { from }), signal);

  expect(await maintain(3_500)).toEqual({ made: [], dropped: [] });
  expect((await maintain(2_500)).made.sort()).toEqual(names.toSorted());
  // An invalid index, as a process leaves it that dies while it creates one.
  await sql`drop index ${sql.id(names[0]!)}`.execute(db);
  await sql`create unique index concurrently ${sql.id(names[0]!)} on judgments_near (kind)`
    .execute(db)
    .catch(() => {});
  expect(await maintain(2_500)).toEqual({ made: [names[0]], dropped: [names[0]] });
  expect([...(await listJudgmentIndexes(db))].sort()).toEqual(names.toSorted());
  expect(await maintain(3_500)).toEqual({ made: [], dropped: [] });

  const find = async (query: string, more: object, large: number) => {
    const request = { query, kind: 'review', place: {}, filters: {}, limit: 10, ...more } as const;
    const { ranked, totalInScope } = await rankJudgments({ db, embeddings, scorer, large }, scope, request);
    return {
      totalInScope,
      found: ranked.map(({ judgment, score }) => [judgment.judgmentId, score.toFixed(3)]),
    };
  };
  const compare = async () => {
    for (const [query, more] of [
      ['word1200', {}],
      ['word3', {}],
      ['1500', { place: { organizationId: 'o1' } }],
      ['1500', { filters: { decision: 'approve' } }],
      ['3005', {}],
    ] as const) {
      const exact = await find(query, more, 1e9);
      expect(exact.found).toHaveLength(10);
      expect(await find(query, more, 100)).toEqual(exact);
    }
  };
  await compare();
  await write(3_000, 3_020);
  await db.transaction().execute((tx) => deleteJudgments(tx, scope, ['j1500', 'j1502', 'j3004']));
  await compare();
  await maintain(2_500);
  await compare();
  const copies = await sql<{ many: number }>`select count(*) as many from judgments_near`.execute(db);
  expect(copies.rows[0]!.many).toBe(3_020 - 5 - 3);

  await db
    .transaction()
    .execute(async (tx) => {
      await sql`analyze judgments_near`.execute(tx);
      await sql`set local enable_sort = off`.execute(tx);
      const search = { scope, place: {}, filters: {} };
      const near = nearby(search, 'review', { model, vector: angle(700) }, 20).compile(tx);
      expect((await planOf(tx, near)).indexes).toEqual([names[0]]);
      throw new Error('undone');
    })
    .catch((error: Error) => {
      if (error.message !== 'undone') throw error;
    });
  expect((await maintain(1e9)).dropped.sort()).toEqual(names.toSorted());
});
