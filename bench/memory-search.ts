// memory/search over HTTP, embedding of the query included: p50 and p95 among 100,000 judgments, in scopes of 1 %, of
// 10 % and in all, and how many of the best ten are those of a scan in double precision. On the PostgreSQL of
// DATABASE_URL, all of them once more by the indexes of large keys; on the embedded database where it is not set,
// without HTTP, with how long it holds up the process.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool } from 'undici';
import { openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { wordsOf } from '../src/lib/search-words.ts';
import { textOf } from '../src/memory/judgment-text.ts';
import { rankJudgments } from '../src/memory/rank.ts';
import { best, count, emptyTally, wantedWords } from '../src/memory/ranking-score.ts';
import { createEmbeddings } from '../src/outside/embed/create-embeddings.ts';
import type { MemoryPlace } from '../src/shapes/judgment.ts';
import { keepJudgmentIndexes, LARGE } from '../src/store/judgment-indexes.ts';
import { newDatabase, newKey, quantile, start, stopAll } from './closed-loop.ts';
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

const embeddings = createEmbeddings({ choice: 'local', providers: { openai: {}, gemini: {} } });
const { current } = embeddings;
const judgments = benchJudgments(COUNT, ORGANIZATIONS).map(
  (one, index): BenchJudgment => (index % 10 === 9 ? { ...one, organizationId: 'organization-big' } : one),
);
const vectors = await vectorsNear(judgments, current);
const words = judgments.map((one) => new Set([...wordsOf(textOf(one, 'review')!), ...wordsOf(one.content)]));

/** The best ten by a scan of everything, in double precision. */
async function truth(query: string, { organizationId }: MemoryPlace): Promise<string[]> {
  const vector = await current.embedQuery(query);
  const wanted = wantedWords(query);
  const groups = new Map<number, number>();
  const rows = judgments.flatMap((one, index) => {
    if (organizationId !== undefined && one.organizationId !== organizationId) return [];
    let [scalar, own, other] = [0, 0, 0];
    for (let at = 0; at < vector.length; at++) {
      const [a, b] = [vector[at]!, vectors[index]![at]!];
      scalar += a * b;
      own += a * a;
      other += b * b;
    }
    const matched = wanted.reduce((sum, { word }, bit) => sum + (words[index]!.has(word) ? 2 ** bit : 0), 0);
    groups.set(matched, (groups.get(matched) ?? 0) + 1);
    return [
      { judgmentId: one.judgmentId, createdAt: index, matched, similarity: scalar / Math.sqrt(own * other) },
    ];
  });
  const tally = emptyTally(wanted, [current.model]);
  count(
    tally,
    rows.map((row) => ({ ...row, model: current.model, alike: groups.get(row.matched)! })),
  );
  return best(tally, wanted, 10).map(({ judgmentId }) => judgmentId);
}

type Search = (query: string, place: MemoryPlace) => Promise<string[]>;
async function measure(name: string, search: Search, placeOf: (turn: number) => MemoryPlace, turns: number) {
  for (let turn = 0; turn < Math.min(turns, 20); turn++)
    await search(asked[turn % asked.length]!, placeOf(turn));
  const times: number[] = [];
  let found = 0;
  let wanted = 0;
  for (let turn = 0; turn < turns; turn++) {
    const [query, place] = [asked[turn % asked.length]!, placeOf(turn)];
    const started = performance.now();
    const ids = await search(query, place);
    times.push(performance.now() - started);
    if (turn % 10 !== 0) continue;
    const right = new Set(await truth(query, place));
    wanted += right.size;
    found += ids.filter((id) => right.has(id)).length;
  }
  const ms = (share: number) => `${quantile(times, share).toFixed(1)} ms`.padStart(10);
  console.log(`${name.padEnd(28)} p50${ms(0.5)}   p95${ms(0.95)}   recall@10 ${(found / wanted).toFixed(3)}`);
}

async function measureScopes(search: Search) {
  const hundredth = (turn: number) => ({ organizationId: `organization-${turn % ORGANIZATIONS}` });
  const isThere = (turn: number) => hundredth(turn % 10 === 9 ? turn - 1 : turn);
  await measure('1 % of the judgments', search, isThere, QUERIES);
  await measure('10 %', search, () => ({ organizationId: 'organization-big' }), QUERIES / 4);
  await measure('all', search, () => ({}), QUERIES / 10);
}

if (process.env.DATABASE_URL) {
  const databaseUrl = await newDatabase('memory');
  const folder = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const service = new Pool(
    await start('src/main.ts', { PORT: '0', DATABASE_URL: databaseUrl, REDPEN_DATA_DIR: folder }),
  );
  const { headers, ...scope } = await newKey(service);
  const database = await openDatabase({ databaseUrl, onError: console.error });
  await fillJudgments(database.db, scope, judgments, current.model, vectors);
  const search: Search = async (query, place) => {
    const { body } = await service.request({
      method: 'POST',
      path: '/v2/memory/search',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ data: { query, ...place } }),
    });
    const answer = (await body.json()) as { result: { results: { recordId: string }[] } };
    return answer.result.results.map(({ recordId }) => recordId);
  };
  await measureScopes(search);
  const { signal } = new AbortController();
  const began = performance.now();
  const from = Math.min(LARGE, COUNT - 1);
  const { made } = await database.unhurried!((db) => keepJudgmentIndexes(db, signal, { from }), signal);
  console.log(`${made.length} indexes made in ${((performance.now() - began) / 1e3).toFixed(0)} s`);
  // For so long it goes by what it knew of indexes before.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  if (COUNT > LARGE) await measure('all, by the indexes', search, () => ({}), QUERIES);
  await database.close();
  stopAll();
} else {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-bench-'));
  const database = await openDatabase({ dataDir, onError: console.error });
  await migrate(database.db);
  const scope = { apiKeyId: 'key', workspaceId: 'workspace' };
  await fillJudgments(database.db, scope, judgments, current.model, vectors);
  const search: Search = async (query, place) => {
    const request = { query, kind: 'review', place, filters: {}, limit: 10 } as const;
    const { ranked } = await rankJudgments({ db: database.db, embeddings }, scope, request);
    return ranked.map(({ judgment }) => judgment.judgmentId);
  };
  await measureScopes(search);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await search(asked[0]!, {});
  delay.enable();
  for (const query of asked) await search(query, {});
  delay.disable();
  console.log(`searching all holds up the process for ${(delay.max / 1e6).toFixed(0)} ms at most`);
  await database.close();
}
await Promise.race([embeddings.close(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
