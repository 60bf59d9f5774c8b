import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { capturing } from '../../test/captured-queries.ts';
import { newWorkspace, testApp } from '../../test/harness.ts';
import { planOf } from '../../test/query-plan.ts';
import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { Embedder, Embeddings } from '../outside/embed/embedder.ts';
import { readRankingSlice, type TimeKey } from '../store/judgment-ranking.ts';
import { rankJudgments } from './rank.ts';
import { best, count, emptyTally, wantedWords } from './ranking-score.ts';

/** A model of so many dimensions that knows numbers alone: `12` lies at twelve degrees. */
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

/** Judgments number `first` to `last`, each at as many degrees, five to an organization. */
async function keep(db: Db, { apiKeyId }: Scope, first: number, last: number, embedder: Embedder) {
  const numbers = `[%s, %s${', 0'.repeat((await embedder.embedQuery('0')).length - 2)}]`;
  await sql`
    insert into judgments (api_key_id, judgment_id, organization_id, document_id, origin, decision, reasoning,
      judge_type, reviewer_id, action_user, created_at, recorded_at, review_words, embedded_with)
    select ${apiKeyId}, 'j' || n, 'o' || n / 5, '', 'import', 'comment', 'word' || n, 'human', 'ana',
      '{"userId":"ana"}', n / 3, 0, array_to_tsvector(array['word' || n]), ${embedder.model}
    from generate_series(cast(${first} as integer), cast(${last} as integer)) as n`.execute(db);
  await sql`
    insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, organization_id, document_id, model,
      embedding)
    select ${apiKeyId}, 'j' || n, 'review', 0, 'o' || n / 5, '', ${embedder.model},
      cast(format(cast(${numbers} as text), cos(radians(n)), sin(radians(n))) as vector)
    from generate_series(cast(${first} as integer), cast(${last} as integer)) as n`.execute(db);
}

const asking = { kind: 'review', place: {}, filters: {}, limit: 10 } as const;

test('a scope that is read in slices comes to the same as one read at once', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await keep(deps.db, w, 0, 19, young);
  const words = wantedWords('word7');
  const question = {
    kind: 'review' as const,
    words,
    vectors: [{ model: 'young', vector: await young.embedQuery('12.3') }],
    keep: 5,
  };
  const read = async (rows: number | undefined) => {
    const tally = emptyTally(words, ['young']);
    let after: TimeKey | undefined;
    let slices = 0;
    do {
      const slice = await readRankingSlice(deps.db, w, {}, {}, question, { after, rows });
      count(tally, slice.candidates);
      after = slice.next;
      slices += 1;
    } while (after);
    return { slices, total: tally.total, frequencies: tally.frequencies, best: best(tally, words, 5) };
  };
  const whole = await read(undefined);
  expect(whole).toMatchObject({ slices: 1, total: 20, frequencies: [1, 0] });
  expect(whole.best.map(({ judgmentId }) => judgmentId)).toEqual(['j7', 'j12', 'j13', 'j11', 'j14']);
  expect(await read(4)).toEqual({ ...whole, slices: 6 });
  expect(await read(7)).toEqual({ ...whole, slices: 3 });
});

test('while another model takes over, each judgment is compared by its own', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await keep(deps.db, w, 0, 9, young);
  await keep(deps.db, w, 10, 19, old);
  await keep(deps.db, w, 20, 29, degrees('gone', 2));
  const { ranked, totalInScope } = await rankJudgments({ db: deps.db, embeddings }, w, {
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
  // What no model can be asked about any more is found by its words, and is there without them too.
  expect(found.slice(20, 22)).toEqual([
    ['j21', '0.0000'],
    ['j29', '0.0000'],
  ]);
});

const cosine = (angle: number) => Math.cos((angle * Math.PI) / 180).toFixed(4);

test.runIf(process.env.DATABASE_URL)(
  'a search reads its scope by the indexes of scopes, whatever others there are',
  async () => {
    const { deps } = await testApp();
    const w = await newWorkspace();
    await keep(deps.db, w, 0, 4_999, young);
    await deps.db
      .transaction()
      .execute(async (tx) => {
        await sql`create index on judgment_vectors using hnsw ((embedding::vector(3)) vector_cosine_ops)
      where model = 'young'`.execute(tx);
        await sql`analyze judgments`.execute(tx);
        await sql`analyze judgment_vectors`.execute(tx);
        const { db, queries } = capturing(tx);
        const { ranked } = await rankJudgments({ db, embeddings }, w, {
          ...asking,
          query: '12',
          place: { organizationId: 'o900' },
        });
        expect(ranked).toHaveLength(5);
        // Which indexes there are is looked up now and then, in tables that grow with nothing.
        const searching = queries.filter((query) => !query.sql.includes('pg_index'));
        const plans = await Promise.all(searching.map((query) => planOf(tx, query)));
        const text = plans.map((plan) => plan.text).join('\n');
        expect(
          plans.flatMap(({ sequential }) => sequential),
          text,
        ).toEqual([]);
        expect([...new Set(plans.flatMap(({ indexes }) => indexes))].sort(), text).toEqual([
          'judgment_vectors_in_scope',
          expect.stringMatching(/^judgments_of_(organization|document)$/),
          'judgments_pkey',
        ]);
        throw new Error('undone');
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error;
      });
  },
);
