import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { dice } from '../../../bench/memory-worlds.ts';
import { type Vectored, writeVectored } from '../../../test/memory/judgment-vectors.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { isUnavailable } from '../../db/database-errors.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { wordsOf } from '../../lib/text/search-words.ts';
import { type EmbeddedJudgment, replaceVectors } from '../../store/memory/judgment-embedding.ts';
import { deleteJudgments, listJudgments } from '../../store/memory/judgments.ts';
import { pruneJudgmentDeletions } from '../../store/memory/search-rows.ts';
import { directionOf } from '../../store/memory/stored-vectors.ts';
import type { Ranking } from './packed-ranking.ts';
import { CandidatePool, queryWords, selectBest } from './ranking-score.ts';
import { createScorer, type RankingQuery, type Scorer } from './scorer.ts';

const DIMENSIONS = 20;
const VOCABULARY = ['button', 'contrast', 'heading', 'price', 'tax', 'err4521', 'banner', 'footer'];
const ORGANIZATIONS = ['', 'acme', 'globex'];

const nodes: Scorer[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.close())));

/** Two nodes with separate caches, as in two processes. */
async function twoNodes(): Promise<[Scorer, Scorer]> {
  const { deps } = await testApp();
  if (nodes.length === 0)
    nodes.push(createScorer(deps.database.connection), createScorer(deps.database.connection));
  return [nodes[0]!, nodes[1]!];
}

interface Row {
  judgmentId: string;
  createdAt: number;
  organizationId: string;
  decision: string;
  reasoning: string;
  model: string;
  words: string[] | null;
  vectors: Uint8Array[];
}

/** The same ranking in double precision, by a full scan. */
async function reference(db: Db, question: RankingQuery): Promise<Ranking> {
  const { apiKeyId, place, filters, words, vectors, limit } = question;
  const { rows } = await sql<Omit<Row, 'vectors'>>`
    select judgment_id, created_at, organization_id, decision, reasoning, embedded_with as model,
      tsvector_to_array(review_words) as words
    from judgments where api_key_id = ${apiKeyId}`.execute(db);
  const windows = await sql<{ judgmentId: string; model: string; embedding: Uint8Array }>`
    select judgment_id, model, embedding from judgment_vectors where api_key_id = ${apiKeyId}`.execute(db);
  const pool = new CandidatePool(10_000);
  for (const row of rows) {
    if (place.organizationId !== undefined && row.organizationId !== place.organizationId) continue;
    if (filters.decision !== undefined && row.decision !== filters.decision) continue;
    const has = new Set(row.words ?? wordsOf(`${row.reasoning} (${row.decision})`));
    let similarity: number | null = null;
    for (const { judgmentId, model, embedding } of windows.rows) {
      const wanted = vectors.find((one) => one.model === model);
      if (judgmentId !== row.judgmentId || model !== row.model || !wanted) continue;
      if (embedding.length !== 2 * wanted.vector.length) continue;
      const view = new DataView(embedding.buffer, embedding.byteOffset);
      let [product, own, other] = [0, 0, 0];
      wanted.vector.forEach((value, at) => {
        const stored = view.getInt16(2 * at);
        product += value * stored;
        own += value ** 2;
        other += stored ** 2;
      });
      similarity = Math.max(similarity ?? -1, product / Math.sqrt(own * other));
    }
    const matched = words.reduce((sum, { word }, bit) => sum + (has.has(word) ? 2 ** bit : 0), 0);
    const { judgmentId, createdAt, model } = row;
    pool.add({ judgmentId, createdAt, model, matched, similarity });
  }
  const counts = pool.counts(words.length);
  const queriedModels = vectors.map(({ model }) => model);
  return {
    scored: selectBest(pool.candidates(), counts, { words, queriedModels, limit }),
    total: counts.total,
    models: [...pool.models],
  };
}

const comparable = ({ scored, total, models }: Ranking) => ({
  total,
  models: models.toSorted(),
  scored: scored.map(({ judgmentId, similarity, score }) => [
    judgmentId,
    similarity.toFixed(9),
    score.toFixed(9),
  ]),
});

/** Vectors around a few directions, so that many are similar and some equal. */
const vectorsFrom = (roll: () => number) => {
  const one = () => Float32Array.from({ length: DIMENSIONS }, () => roll() - 0.5);
  const topics = Array.from({ length: 6 }, one);
  return () => {
    const topic = topics[Math.floor(roll() * topics.length)]!;
    const own = roll() < 0.3 ? 0 : 0.02 * roll();
    return topic.map((value) => value + own * (roll() - 0.5));
  };
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the property needs rows, writers and the check in one place.
test('two nodes find what a plain scan finds, whatever is written and however transactions end', async () => {
  const { deps } = await testApp();
  const { db } = deps;
  const both = await twoNodes();
  const w = await newWorkspace();
  const roll = dice(5);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)]!;
  const vector = vectorsFrom(roll);
  let last = 0;
  const newJudgment = (): Vectored => {
    const isWaiting = roll() < 0.1;
    last += 1;
    return {
      judgmentId: `j${last}`,
      organizationId: pick(ORGANIZATIONS),
      decision: pick(['approve', 'reject']),
      createdAt: Math.floor(roll() * 50),
      words: VOCABULARY.filter(() => roll() < 0.3),
      model: isWaiting ? '' : pick(['young', 'young', 'old']),
      vectors: isWaiting || roll() < 0.05 ? [] : Array.from({ length: 1 + Math.floor(roll() * 2.2) }, vector),
    };
  };
  const some = () =>
    Array.from({ length: 1 + Math.floor(roll() * 6) }, () => `j${1 + Math.floor(roll() * last)}`);
  const anyOf = (ids: readonly string[]) =>
    sql`api_key_id = ${w.apiKeyId} and judgment_id = any(cast(${[...ids]} as text[]))`;
  /** Writes of all kinds, on judgments that no other open transaction has locked. */
  const writes: ((tx: Tx, ids: string[]) => Promise<unknown>)[] = [
    (tx) => writeVectored(tx, w, Array.from({ length: 5 }, newJudgment)),
    (tx, ids) => deleteJudgments(tx, w, ids),
    (tx, ids) =>
      sql`update judgments set organization_id = ${pick(ORGANIZATIONS)} where ${anyOf(ids)}`.execute(tx),
    (tx, ids) =>
      sql`update judgments set decision = ${pick(['approve', 'reject'])} where ${anyOf(ids)}`.execute(tx),
    async (tx, ids) => {
      await sql`update judgments set reasoning = ${`The ${pick(VOCABULARY)} again`}, embedded_with = '',
        review_words = null where ${anyOf(ids)}`.execute(tx);
      await sql`delete from judgment_vectors where ${anyOf(ids)}`.execute(tx);
    },
    async (tx, ids) => {
      await deleteJudgments(tx, w, ids);
      await writeVectored(
        tx,
        w,
        [...new Set(ids)].map((judgmentId) => ({ ...newJudgment(), judgmentId })),
      );
    },
  ];
  const embed = async (ids: readonly string[]) => {
    const rows = await listJudgments(db, w, {}, {}, 10_000);
    const items = rows
      .filter(({ judgmentId }) => ids.includes(judgmentId))
      .map(
        ({ judgmentId, recordedAt, reasoning }): EmbeddedJudgment => ({
          apiKeyId: w.apiKeyId,
          judgmentId,
          recordedAt,
          review: wordsOf(reasoning),
          content: undefined,
          vectors: [{ kind: 'review', windowIndex: 0, embedding: directionOf(vector()) }],
        }),
      );
    await replaceVectors(db, 'young', items);
  };
  const compare = async () => {
    const question = (): RankingQuery => ({
      apiKeyId: w.apiKeyId,
      kind: 'review',
      place: pick([{}, {}, { organizationId: 'acme' }]),
      filters: pick([{}, {}, { decision: 'reject' }]),
      words: queryWords(pick(['', 'contrast', 'price and tax of ERR-4521', 'unheard of'])),
      vectors: [
        { model: 'young', vector: vector() },
        ...(roll() < 0.5 ? [{ model: 'old', vector: vector() }] : []),
      ],
      limit: pick([1, 5, 30]),
    });
    for (const node of both) {
      const query = question();
      expect(comparable(await node.rank(query))).toEqual(comparable(await reference(db, query)));
    }
  };
  await writeVectored(db, w, Array.from({ length: 300 }, newJudgment));
  await compare();
  for (let round = 0; round < 25; round++) {
    // The transaction that writes first commits last, so it commits after searches that saw the other.
    const [early, late] = [some(), some()];
    const free = late.filter((id) => !early.includes(id));
    const first = Promise.withResolvers<void>();
    const wrote = Promise.withResolvers<void>();
    const isUndone = roll() < 0.2;
    const write = pick(writes);
    const outer = db.transaction().execute(async (tx) => {
      await write(tx, early);
      wrote.resolve();
      await first.promise;
      if (isUndone) throw new Error('undone');
    });
    outer.catch((error: Error) => wrote.reject(error));
    await wrote.promise;
    await db.transaction().execute(async (tx) => await pick(writes)(tx, free));
    await compare();
    first.resolve();
    await outer.catch((error: Error) => {
      if (error.message !== 'undone') throw error;
    });
    await compare();
    if (roll() < 0.5) await embed(some());
    await compare();
  }
});

async function remembering(many: number): Promise<{ w: TestWorkspace; question: RankingQuery }> {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const vector = vectorsFrom(dice(3));
  const judgments = Array.from(
    { length: many },
    (_, at): Vectored => ({
      judgmentId: `j${at}`,
      createdAt: at,
      words: ['contrast'],
      model: 'young',
      vectors: [vector()],
    }),
  );
  await writeVectored(deps.db, w, judgments);
  const question: RankingQuery = {
    apiKeyId: w.apiKeyId,
    kind: 'review',
    place: {},
    filters: {},
    words: queryWords('contrast'),
    vectors: [{ model: 'young', vector: vector() }],
    limit: 20,
  };
  return { w, question };
}

test('a key that does not fit the cache is read each time, with the same result', async () => {
  const { deps } = await testApp();
  const { question } = await remembering(4_500);
  const [node] = await twoNodes();
  const bare = createScorer(deps.database.connection, { cacheBytes: 50_000 });
  onTestFinished(() => bare.close());
  const kept = await node.rank(question);
  expect(await bare.rank(question)).toEqual(kept);
  expect(await bare.cachedBytes()).toBe(0);
  expect(comparable(kept)).toEqual(comparable(await reference(deps.db, question)));
});

test('the least recently used key is evicted first', async () => {
  const { deps } = await testApp();
  const [one, other] = [await remembering(600), await remembering(600)];
  const roomy = createScorer(deps.database.connection);
  const narrow = createScorer(deps.database.connection, { cacheBytes: 150_000 });
  onTestFinished(async () => void (await Promise.all([roomy.close(), narrow.close()])));
  for (const scorer of [roomy, narrow])
    for (const { question } of [one, other, one]) expect((await scorer.rank(question)).total).toBe(600);
  expect(await roomy.cachedBytes()).toBeGreaterThan(150_000);
  expect(await narrow.cachedBytes()).toBeLessThanOrEqual(150_000);
  expect(await narrow.cachedBytes()).toBeGreaterThan(0);
});

test('deleted judgments are gone even if their deletions are no longer listed', async () => {
  const { deps } = await testApp();
  const { db } = deps;
  const { w, question } = await remembering(30);
  const [node] = await twoNodes();
  expect((await node.rank(question)).total).toBe(30);
  await db.transaction().execute((tx) => deleteJudgments(tx, w, ['j1', 'j2']));
  // Deletions stay listed while transactions of other tests on the server are open.
  await vi.waitFor(
    async () => {
      await pruneJudgmentDeletions(db, Date.now() + 48 * 3_600_000);
      const { rows } = await sql`select 1 from judgment_deletions where api_key_id = ${w.apiKeyId}`.execute(
        db,
      );
      expect(rows).toEqual([]);
    },
    { timeout: 300_000, interval: 50 },
  );
  expect((await node.rank(question)).total).toBe(28);
});

test('a database restored from a server with higher transaction ids is searched correctly', async () => {
  const { deps } = await testApp();
  const { db } = deps;
  const { w, question } = await remembering(30);
  // As in a restored table, whose triggers are created after its rows.
  await db.transaction().execute(async (tx) => {
    await sql`alter table judgments disable trigger judgments_changed`.execute(tx);
    await sql`update judgments set changed = '9000000000000' where api_key_id = ${w.apiKeyId}`.execute(tx);
    await sql`alter table judgments enable trigger judgments_changed`.execute(tx);
    await sql`update judgment_deletions_floor set changed = '9000000000000'`.execute(tx);
  });
  for (const node of await twoNodes()) expect((await node.rank(question)).total).toBe(30);
  const { rows } = await sql`
    select 1 from judgments where changed >= pg_snapshot_xmax(pg_current_snapshot())
    union all
    select 1 from judgment_deletions_floor where changed >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db,
  );
  expect(rows).toEqual([]);
  await sql`update judgments set decision = 'reject' where api_key_id = ${w.apiKeyId}`.execute(db);
  for (const node of await twoNodes())
    expect((await node.rank({ ...question, filters: { decision: 'reject' } })).total).toBe(30);
});

test('a change of many judgments at once reaches the cache', async () => {
  const { deps } = await testApp();
  const { w, question } = await remembering(250);
  const [node] = await twoNodes();
  await node.rank(question);
  await sql`update judgments set decision = 'endorse' where api_key_id = ${w.apiKeyId}`.execute(deps.db);
  const changed = { ...question, filters: { decision: 'endorse' as const } };
  const found = await node.rank(changed);
  expect(found.total).toBe(250);
  expect(comparable(found)).toEqual(comparable(await reference(deps.db, changed)));
});

test('judgments are as similar to each other by the cache as by the database', async () => {
  const { deps } = await testApp();
  const { w, question } = await remembering(30);
  const rows = await listJudgments(deps.db, w, {}, {}, 30);
  const ids = rows.map(({ judgmentId }) => judgmentId);
  const [node] = await twoNodes();
  const pairs = { apiKeyId: w.apiKeyId, from: ids.slice(0, 3), to: [...ids, 'unknown'] };
  const read = [...(await node.compareJudgments(pairs))];
  for (const kind of ['review', 'content'] as const) await node.rank({ ...question, kind });
  const cached = [...(await node.compareJudgments({ ...pairs, to: ids }))];
  expect(read).toHaveLength(3 * 31);
  expect(cached).toEqual(read.filter((_, at) => at % 31 < 30));
  expect(cached.filter((similarity) => !Number.isNaN(similarity)).length).toBeGreaterThan(60);
});

test('a cancelled search ends at once, and the next one is answered', async () => {
  const { deps } = await testApp();
  const { question } = await remembering(10);
  const [node] = await twoNodes();
  const giveUp = new AbortController();
  await deps.db.transaction().execute(async (tx) => {
    await sql`lock table judgments in access exclusive mode`.execute(tx);
    const pending = node.rank(question, giveUp.signal);
    giveUp.abort(new Error('No longer wanted.'));
    await expect(pending).rejects.toThrow('No longer wanted.');
  });
  expect((await node.rank(question)).total).toBe(10);
});

test('a broken connection is replaced, and a missing database is reported as such', async () => {
  const { deps } = await testApp();
  const { question } = await remembering(10);
  const lone = createScorer({ ...deps.database.connection, application_name: 'redpen lone' });
  onTestFinished(() => lone.close());
  expect((await lone.rank(question)).total).toBe(10);
  const { rows } = await sql<{ ended: boolean }>`
    select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = 'redpen lone'`.execute(
    deps.db,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect((await lone.rank(question)).total).toBe(10);
  const nowhere = createScorer({ host: '127.0.0.1', port: 1, user: 'redpen', database: 'none' });
  onTestFinished(() => nowhere.close());
  const fault = await nowhere.rank(question).catch((error: unknown) => error);
  expect(isUnavailable(fault)).toBe(true);
});

test('a thread that runs out of memory does not end the process, and rejects what waits for it', async () => {
  const { deps } = await testApp();
  const { question } = await remembering(10);
  const poor = createScorer(deps.database.connection, { heapMb: 8 });
  onTestFinished(() => poor.close());
  const fault = await poor.rank(question).catch((error: unknown) => error);
  expect(fault).toMatchObject({ name: 'ThreadLost' });
  expect(isUnavailable(fault)).toBe(true);
});
