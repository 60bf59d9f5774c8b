// Measures the search among 100,000 judgments of one API key, in scopes of 1 %, 10 % and all: p50 and p95 with
// cached query vectors, recall@10 compared with a scan in double precision, the time of the first search, which
// reads all judgments, the memory of the cached vectors, and how long a search blocks the event loop. The role of
// DATABASE_URL must be able to create databases. If the server has pgvector, searches of all judgments are repeated
// with the indexes of large API keys.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openDatabase } from '../src/db/connections/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { wordsOf } from '../src/lib/text/search-words.ts';
import { searchableText } from '../src/memory/embedding/searchable-text.ts';
import { rankJudgments } from '../src/memory/ranking/rank.ts';
import { CandidatePool, queryWords, selectBest } from '../src/memory/scoring/ranking-score.ts';
import { createScorer } from '../src/memory/scoring/scorer.ts';
import { createEmbeddings } from '../src/outside/embed/create-embeddings.ts';
import type { MemoryPlace } from '../src/shapes/memory/judgment.ts';
import { LARGE, maintainJudgmentIndexes } from '../src/store/memory/vector-indexes.ts';
import { newDatabase, quantile } from './closed-loop.ts';
import { report } from './figures.ts';
import { type BenchJudgment, benchJudgments, fillJudgments, vectorsNear } from './judgment-rows.ts';

const COUNT = Number(process.env.ROWS ?? 100_000);
const QUERIES = Number(process.env.QUERIES ?? 200);
const ORGANIZATIONS = 100;
const queries = [
  'is the contrast of the checkout button too low',
  'what about ERR-10010 on the pricing page',
  'missing alternative text for an image in the help section',
  'does the banner claim more than we know',
  'consent notice on the sign-up form',
];

const embeddings = createEmbeddings({ choice: 'local', providers: { openai: {}, gemini: {} } });
const { current } = embeddings;
const judgments = benchJudgments(COUNT, ORGANIZATIONS).map(
  (judgment, index): BenchJudgment =>
    index % 10 === 9 ? { ...judgment, organizationId: 'organization-big' } : judgment,
);
const vectors = await vectorsNear(judgments, current);
const words = judgments.map(
  (judgment) => new Set([...wordsOf(searchableText(judgment, 'review')!), ...wordsOf(judgment.content)]),
);

/** Ids of the best ten judgments, by a scan of all in double precision. */
async function exactBest(query: string, { organizationId }: MemoryPlace): Promise<string[]> {
  const vector = await current.embedQuery(query);
  const queryTerms = queryWords(query);
  const pool = new CandidatePool(10);
  for (const [index, { judgmentId, ...judgment }] of judgments.entries()) {
    if (organizationId !== undefined && judgment.organizationId !== organizationId) continue;
    let [dot, queryNorm, norm] = [0, 0, 0];
    for (let at = 0; at < vector.length; at++) {
      const [a, b] = [vector[at]!, vectors[index]![at]!];
      dot += a * b;
      queryNorm += a * a;
      norm += b * b;
    }
    const matched = queryTerms.reduce(
      (sum, { word }, bit) => sum + (words[index]!.has(word) ? 2 ** bit : 0),
      0,
    );
    const similarity = dot / Math.sqrt(queryNorm * norm);
    pool.add({ judgmentId, createdAt: index, matched, similarity, model: current.model });
  }
  const question = { words: queryTerms, queriedModels: [current.model], limit: 10 };
  return selectBest(pool.candidates(), pool.counts(queryTerms.length), question).map(
    ({ judgmentId }) => judgmentId,
  );
}

const databaseUrl = await newDatabase('memory_search');
const database = await openDatabase({ databaseUrl, onError: console.error });
await migrate(database.db);
const scope = { apiKeyId: 'key', workspaceId: 'workspace' };
await fillJudgments(database.db, scope, judgments, current.model, vectors);
const scorer = createScorer(database.connection);

async function search(query: string, place: MemoryPlace, indexedFrom?: number): Promise<string[]> {
  const request = { query, kind: 'review', place, filters: {}, limit: 10 } as const;
  const recall = {
    db: database.db,
    embeddings,
    scorer,
    ...(indexedFrom !== undefined && { large: indexedFrom }),
  };
  const { ranked } = await rankJudgments(recall, scope, request);
  return ranked.map(({ judgment }) => judgment.judgmentId);
}

async function measure(
  name: string,
  placeOf: (turn: number) => MemoryPlace,
  turns: number,
  indexedFrom?: number,
) {
  for (let turn = 0; turn < Math.min(turns, 20); turn++)
    await search(queries[turn % queries.length]!, placeOf(turn), indexedFrom);
  const times: number[] = [];
  let found = 0;
  let expected = 0;
  for (let turn = 0; turn < turns; turn++) {
    const [query, place] = [queries[turn % queries.length]!, placeOf(turn)];
    const startedAt = performance.now();
    const ids = await search(query, place, indexedFrom);
    times.push(performance.now() - startedAt);
    if (turn % 10 !== 0) continue;
    const right = new Set(await exactBest(query, place));
    expected += right.size;
    found += ids.filter((id) => right.has(id)).length;
  }
  report({ name: `search of judgments, ${name}, of ${COUNT}, p50`, value: quantile(times, 0.5), unit: 'ms' });
  report({ name: `search of judgments, ${name}, recall@10`, value: found / expected, unit: 'score' });
  const ms = (share: number) => `${quantile(times, share).toFixed(1)} ms`.padStart(10);
  console.log(
    `${name.padEnd(28)} p50${ms(0.5)}   p95${ms(0.95)}   recall@10 ${(found / expected).toFixed(3)}`,
  );
}

for (const query of queries) await current.embedQuery(query);
const timeOfSearch = async (place: MemoryPlace) => {
  const startedAt = performance.now();
  await search(queries[0]!, place);
  return `${(performance.now() - startedAt).toFixed(0)} ms`;
};
console.log(`first search of all: ${await timeOfSearch({})}`);
console.log(`cached vectors: ${((await scorer.cachedBytes()) / 1e6).toFixed(1)} MB`);
const hundredth = (turn: number) => ({ organizationId: `organization-${turn % ORGANIZATIONS}` });
await measure('1 % of the judgments', (turn) => hundredth(turn % 10 === 9 ? turn - 1 : turn), QUERIES);
await measure('10 %', () => ({ organizationId: 'organization-big' }), QUERIES / 4);
await measure('all', () => ({}), QUERIES / 4);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (const query of queries) await search(query, {});
delay.disable();
console.log(`searching all blocks the event loop for at most ${(delay.max / 1e6).toFixed(0)} ms`);

const { signal } = new AbortController();
const buildStartedAt = performance.now();
const from = Math.min(LARGE, COUNT - 1);
const { made } = await database.withoutTimeout!(
  (db) => maintainJudgmentIndexes(db, signal, { from }),
  signal,
);
if (made.length > 0) {
  console.log(`${made.length} indexes built in ${((performance.now() - buildStartedAt) / 1e3).toFixed(0)} s`);
  // The search caches for 10 s which indexes exist.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  await measure('all, with the indexes', () => ({}), QUERIES, from);
}
await scorer.close();
await database.close();
await Promise.race([embeddings.close(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
