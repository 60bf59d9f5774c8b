// Searching 100,000 judgments of one API key in scopes of 1 %, of 10 % and in all: p50 and p95 with the query's vector
// made already, how many of the best ten are those of a scan in double precision, how long the first search takes,
// which reads all of them, what is kept of them, and how long a search holds up the process that asks. On the server of
// DATABASE_URL, which is to have a role that may create databases; where it has pgvector, all of them once more by
// the indexes of large keys.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { wordsOf } from '../src/lib/text/search-words.ts';
import { cacheQueryEmbeddings } from '../src/memory/embedding/cached-query-embeddings.ts';
import { searchableText } from '../src/memory/embedding/searchable-text.ts';
import { rankJudgments } from '../src/memory/ranking/rank.ts';
import { CandidatePool, queryWords, selectBest } from '../src/memory/scoring/ranking-score.ts';
import { createScorer } from '../src/memory/scoring/scorer.ts';
import { createEmbeddings } from '../src/outside/embed/create-embeddings.ts';
import type { MemoryPlace } from '../src/shapes/memory/judgment.ts';
import { LARGE, maintainJudgmentIndexes } from '../src/store/memory/vector-indexes.ts';
import { newDatabase, quantile } from './closed-loop.ts';
import { type BenchJudgment, benchJudgments, fillJudgments, vectorsNear } from './judgment-rows.ts';

const COUNT = Number(process.env.ROWS ?? 100_000);
const QUERIES = Number(process.env.QUERIES ?? 200);
const ORGANIZATIONS = 100;
const asked = [
  'is the contrast of the checkout button too low',
  'what about ERR-10010 on the pricing page',
  'missing alternative text for an image in the help section',
  'does the banner claim more than we know',
  'consent notice on the sign-up form',
];

const embeddings = cacheQueryEmbeddings(
  createEmbeddings({ choice: 'local', providers: { openai: {}, gemini: {} } }),
);
const { current } = embeddings;
const judgments = benchJudgments(COUNT, ORGANIZATIONS).map(
  (one, index): BenchJudgment => (index % 10 === 9 ? { ...one, organizationId: 'organization-big' } : one),
);
const vectors = await vectorsNear(judgments, current);
const words = judgments.map(
  (one) => new Set([...wordsOf(searchableText(one, 'review')!), ...wordsOf(one.content)]),
);

/** The best ten by a scan of everything, in double precision. */
async function truth(query: string, { organizationId }: MemoryPlace): Promise<string[]> {
  const vector = await current.embedQuery(query);
  const wanted = queryWords(query);
  const pool = new CandidatePool(10);
  for (const [index, { judgmentId, ...one }] of judgments.entries()) {
    if (organizationId !== undefined && one.organizationId !== organizationId) continue;
    let [scalar, own, other] = [0, 0, 0];
    for (let at = 0; at < vector.length; at++) {
      const [a, b] = [vector[at]!, vectors[index]![at]!];
      scalar += a * b;
      own += a * a;
      other += b * b;
    }
    const matched = wanted.reduce((sum, { word }, bit) => sum + (words[index]!.has(word) ? 2 ** bit : 0), 0);
    const similarity = scalar / Math.sqrt(own * other);
    pool.add({ judgmentId, createdAt: index, matched, similarity, model: current.model });
  }
  const question = { words: wanted, queriedModels: [current.model], limit: 10 };
  return selectBest(pool.candidates(), pool.counts(wanted.length), question).map(
    ({ judgmentId }) => judgmentId,
  );
}

const databaseUrl = await newDatabase('memory_search');
const database = await openDatabase({ databaseUrl, onError: console.error });
await migrate(database.db);
const scope = { apiKeyId: 'key', workspaceId: 'workspace' };
await fillJudgments(database.db, scope, judgments, current.model, vectors);
const scorer = createScorer(database.connection);

async function search(query: string, place: MemoryPlace, large?: number): Promise<string[]> {
  const request = { query, kind: 'review', place, filters: {}, limit: 10 } as const;
  const recall = { db: database.db, embeddings, scorer, ...(large !== undefined && { large }) };
  const { ranked } = await rankJudgments(recall, scope, request);
  return ranked.map(({ judgment }) => judgment.judgmentId);
}

async function measure(name: string, placeOf: (turn: number) => MemoryPlace, turns: number, large?: number) {
  for (let turn = 0; turn < Math.min(turns, 20); turn++)
    await search(asked[turn % asked.length]!, placeOf(turn), large);
  const times: number[] = [];
  let found = 0;
  let wanted = 0;
  for (let turn = 0; turn < turns; turn++) {
    const [query, place] = [asked[turn % asked.length]!, placeOf(turn)];
    const started = performance.now();
    const ids = await search(query, place, large);
    times.push(performance.now() - started);
    if (turn % 10 !== 0) continue;
    const right = new Set(await truth(query, place));
    wanted += right.size;
    found += ids.filter((id) => right.has(id)).length;
  }
  const ms = (share: number) => `${quantile(times, share).toFixed(1)} ms`.padStart(10);
  console.log(`${name.padEnd(28)} p50${ms(0.5)}   p95${ms(0.95)}   recall@10 ${(found / wanted).toFixed(3)}`);
}

for (const query of asked) await current.embedQuery(query);
const timed = async (place: MemoryPlace) => {
  const began = performance.now();
  await search(asked[0]!, place);
  return `${(performance.now() - began).toFixed(0)} ms`;
};
console.log(`the first search of all: ${await timed({})}`);
console.log(`kept: ${((await scorer.cachedBytes()) / 1e6).toFixed(1)} MB`);
const hundredth = (turn: number) => ({ organizationId: `organization-${turn % ORGANIZATIONS}` });
await measure('1 % of the judgments', (turn) => hundredth(turn % 10 === 9 ? turn - 1 : turn), QUERIES);
await measure('10 %', () => ({ organizationId: 'organization-big' }), QUERIES / 4);
await measure('all', () => ({}), QUERIES / 4);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (const query of asked) await search(query, {});
delay.disable();
console.log(`searching all holds up the process for ${(delay.max / 1e6).toFixed(0)} ms at most`);

const { signal } = new AbortController();
const began = performance.now();
const from = Math.min(LARGE, COUNT - 1);
const { made } = await database.withoutTimeout!(
  (db) => maintainJudgmentIndexes(db, signal, { from }),
  signal,
);
if (made.length > 0) {
  console.log(`${made.length} indexes made in ${((performance.now() - began) / 1e3).toFixed(0)} s`);
  // For so long it goes by what it knew of indexes before.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  await measure('all, by the indexes', () => ({}), QUERIES, from);
}
await scorer.close();
await database.close();
await Promise.race([embeddings.close(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
