import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { capturing } from '../../../test/database/captured-queries.ts';
import { planOf } from '../../../test/database/query-plan.ts';
import { writeVectored } from '../../../test/memory/judgment-vectors.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Embedder, Embeddings } from '../../outside/embed/vectors/embedder.ts';
import { judgmentsById } from '../../store/memory/judgments.ts';
import { JudgmentCaches } from '../scoring/judgment-caches.ts';
import { rankInThread } from '../scoring/rank-in-thread.ts';
import { queryWords } from '../scoring/ranking-score.ts';
import { rankJudgments } from './rank.ts';

/** A model with these dimensions that only understands numbers: `12` has an angle of twelve degrees. */
const degrees = (model: string, dimensions: number): Embedder => {
  const embedQuery = async (text: string) => {
    const angle = (Number(/[\d.]+/.exec(text)?.[0]) * Math.PI) / 180;
    return Float32Array.from({ length: dimensions }, (_, at) => [Math.cos(angle), Math.sin(angle)][at] ?? 0);
  };
  return {
    model,
    embedQuery,
    embed: (texts) => Promise.all(texts.map(async (text) => [await embedQuery(text)])),
  };
};
const young = degrees('young', 3);
const old = degrees('old', 2);
const embeddings: Embeddings = {
  current: young,
  of: (model) => [young, old].find((one) => one.model === model),
  close: async () => {},
};

/** Stores judgments `first` to `last`, each at as many degrees, five per organization. */
async function keep(db: Db, scope: Scope, first: number, last: number, embedder: Embedder) {
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const judgments = numbers.map(async (n) => ({
    judgmentId: `j${n}`,
    organizationId: `o${Math.floor(n / 5)}`,
    createdAt: Math.floor(n / 3),
    words: [`word${n}`],
    model: embedder.model,
    vectors: [await embedder.embedQuery(String(n))],
  }));
  await writeVectored(db, scope, await Promise.all(judgments));
}

const asking = { kind: 'review', place: {}, filters: {}, limit: 10 } as const;

test('during a change of the model, each judgment is compared by its own model', async () => {
  const { deps } = await testApp();
  const { db, scorer } = deps;
  const w = await newWorkspace();
  await keep(db, w, 0, 9, young);
  await keep(db, w, 10, 19, old);
  await keep(db, w, 20, 29, degrees('gone', 2));
  const { ranked, totalInScope } = await rankJudgments({ db, embeddings, scorer }, w, {
    ...asking,
    query: 'word21',
    limit: 30,
  });
  expect(totalInScope).toBe(30);
  const found = ranked.map(({ judgment, similarity }) => [judgment.judgmentId, similarity.toFixed(4)]);
  expect(found.slice(0, 11)).toEqual([
    ...[19, 18, 17, 16, 15, 14, 13, 12, 11, 10].map((n) => [`j${n}`, cosine(21 - n)]),
    ['j9', cosine(12)],
  ]);
  // Judgments whose model is no longer available are found by words, or come last.
  expect(found.slice(20, 22)).toEqual([
    ['j21', '0.0000'],
    ['j29', '0.0000'],
  ]);
});

const cosine = (angle: number) => Math.cos((angle * Math.PI) / 180).toFixed(4);

test('a search reads by indexes, however much other keys have, with and without a cache', async () => {
  const { deps } = await testApp();
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  await deps.db
    .transaction()
    .execute(async (tx) => {
      await keep(tx, other, 0, 5_999, young);
      await keep(tx, w, 0, 19, young);
      await sql`analyze judgments`.execute(tx);
      await sql`analyze judgment_vectors`.execute(tx);
      const { db, queries } = capturing(tx);
      const caches = new JudgmentCaches(db, 2 ** 28);
      const { signal } = new AbortController();
      const question = {
        ...asking,
        apiKeyId: w.apiKeyId,
        words: queryWords('word2'),
        vectors: [{ model: 'young', vector: Float32Array.of(1, 0, 0) }],
      };
      const place = { organizationId: 'o2' };
      for (const variant of [
        { place: {} },
        { place },
        { place, preselected: undefined, filters: { annotationId: 'a' } },
      ])
        await rankInThread(db, caches, { ...question, ...variant }, signal);
      await judgmentsById(db, w, place, {}, ['j12']);
      const plans = await Promise.all(queries.map((query) => planOf(tx, query)));
      const text = plans.map((plan) => plan.text).join('\n');
      // There are no deletions here, and at most one row of their floor.
      const sequential = plans.flatMap((plan) => plan.sequential);
      expect(
        sequential.filter((name) => !name.startsWith('judgment_deletions')),
        text,
      ).toEqual([]);
      const indexes = new Set(plans.flatMap((plan) => plan.indexes));
      expect([...indexes].sort(), text).toEqual(
        expect.arrayContaining(['judgment_vectors_pkey', 'judgments_pkey']),
      );
      throw new Error('undone');
    })
    .catch((error: Error) => {
      if (error.message !== 'undone') throw error;
    });
});
