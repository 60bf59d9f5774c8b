import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newWorkspace, testApp } from '../../test/harness.ts';
import { planOf } from '../../test/query-plan.ts';
import type { Embedder } from '../outside/embed/embedder.ts';
import { nearby } from '../store/judgment-candidates.ts';
import {
  keepJudgmentIndexes,
  listJudgmentIndexes,
  nearIndexName,
  wordsIndexName,
} from '../store/judgment-indexes.ts';
import { likelyWords } from './likely-words.ts';
import { rankJudgments } from './rank.ts';

test('the best combinations of words are looked for, as many as leave few enough', () => {
  const words = ['red', 'blue', "it's"].map((word, bit) => ({ word, bit }));
  const weights = [4, 2, 1];
  const bonusOf = (matched: number) =>
    weights.reduce((sum, weight, bit) => sum + (matched & (2 ** bit) ? weight : 0), 0);
  // One has all three, one the first two, three the first alone, and many the others.
  const sample = [7, 3, 1, 1, 1, ...Array(50).fill(6)];
  expect(likelyWords(words, bonusOf, sample, 1)).toBe("'red'&('blue'&('it''s'))");
  expect(likelyWords(words, bonusOf, sample, 2)).toBe("'red'&('blue'|'it''s')");
  expect(likelyWords(words, bonusOf, sample, 5)).toBe("'red'");
  expect(likelyWords(words, bonusOf, sample, 0)).toBeUndefined();
});

test.runIf(process.env.DATABASE_URL)(
  'among many judgments indexes find those that are compared, and nothing else ever uses these indexes',
  async () => {
    const { deps } = await testApp();
    const { db, database } = deps;
    const { apiKeyId, workspaceId } = await newWorkspace();
    const scope = { apiKeyId, workspaceId };
    const model = "it's a model";
    const angle = (degrees: number) => Float32Array.of(Math.cos(degrees), Math.sin(degrees), 0);
    const embedQuery = async (text: string) => angle((Number(/\d+/.exec(text)) * Math.PI) / 6_000);
    const current: Embedder = { model, embedQuery, embed: async () => [] };
    const embeddings = { current, of: () => undefined, close: async () => {} };
    await sql`
      insert into judgments (api_key_id, judgment_id, organization_id, document_id, origin, decision, reasoning,
        judge_type, reviewer_id, action_user, created_at, recorded_at, review_words, embedded_with)
      select ${apiKeyId}, 'j' || n, 'o' || n % 2, '', 'import', case when n % 10 = 0 then 'approve' else 'reject' end,
        'word' || n, 'human', 'ana', '{"userId":"ana"}', n, 0, array_to_tsvector(array['word' || n]),
        case when n < 5 then '' else ${model} end
      from generate_series(0, 2999) as n`.execute(db);
    await sql`
      insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, organization_id, document_id, model,
        embedding)
      select ${apiKeyId}, 'j' || n, 'review', 0, 'o' || n % 2, '', ${model},
        cast(format('[%s, %s, 0]', cos(n * pi() / 6000), sin(n * pi() / 6000)) as vector)
      from generate_series(5, 2999) as n`.execute(db);
    const set = { apiKeyId, kind: 'review' as const, model };
    const names = [nearIndexName(set), wordsIndexName(apiKeyId)];
    const { signal } = new AbortController();
    const keep = (from: number) =>
      database.unhurried!((own) => keepJudgmentIndexes(own, signal, { from }), signal);
    onTestFinished(async () => {
      await keep(1e9);
    });

    // What a process left behind that died while it made an index.
    await sql`create unique index concurrently ${sql.id(names[0]!)} on judgment_vectors (kind)`
      .execute(db)
      .catch(() => {});
    const { made, dropped } = await keep(2_500);
    expect(made).toEqual(expect.arrayContaining(names));
    expect(dropped).toEqual([names[0]]);
    expect([...(await listJudgmentIndexes(db))]).toEqual(expect.arrayContaining(names));
    expect(await keep(3_500)).toEqual({ made: [], dropped: [] });

    const find = async (query: string, more: object, large: number) => {
      const request = { query, kind: 'review', place: {}, filters: {}, limit: 10, ...more } as const;
      // Whether an index is there is asked once for each database.
      const recall = {
        db: db.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => result,
        }),
        embeddings,
        large,
      };
      const { ranked, totalInScope } = await rankJudgments(recall, scope, request);
      return {
        totalInScope,
        found: ranked.map(({ judgment, score }) => [judgment.judgmentId, score.toFixed(3)]),
      };
    };
    for (const [query, more] of [
      ['word1200', {}],
      ['word3', {}],
      ['1500', { place: { organizationId: 'o1' } }],
      ['1500', { filters: { decision: 'approve' } }],
    ] as const) {
      const exact = await find(query, more, 1e9);
      expect(exact.found).toHaveLength(10);
      expect(await find(query, more, 100)).toEqual(exact);
    }

    await db
      .transaction()
      .execute(async (tx) => {
        await sql`analyze judgment_vectors`.execute(tx);
        await sql`set local enable_sort = off`.execute(tx);
        const looked = { scope, place: {}, filters: {} };
        const near = nearby(looked, 'review', { model, vector: await embedQuery('700') }, 20).compile(tx);
        expect((await planOf(tx, near)).indexes).toEqual([names[0]]);
        const exact =
          sql`select judgment_id from judgment_vectors where api_key_id = ${apiKeyId} and kind = 'review'
          and model = ${model} order by embedding <=> '[1,0,0]' limit 20`.compile(tx);
        expect((await planOf(tx, exact)).indexes).not.toContain(names[0]);
        throw new Error('undone');
      })
      .catch((error: Error) => {
        if (error.message !== 'undone') throw error;
      });

    expect((await keep(1e9)).dropped.sort()).toEqual(expect.arrayContaining(names));
  },
);
