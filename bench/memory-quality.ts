// Measures the quality of searching judgments: nDCG@10 and hit@1, for queries that paraphrase the judgments, and for
// queries with a name (a code, a ticket, a version) among names that differ in a character. The weights of the
// ranking are tuned on one part of the set and tested on the other.
import { wordsOf } from '../src/lib/text/search-words.ts';
import { searchableText } from '../src/memory/embedding/searchable-text.ts';
import {
  type Candidate,
  CandidatePool,
  queryWords,
  type RankingWeights,
  selectBest,
} from '../src/memory/scoring/ranking-score.ts';
import { createEmbeddings } from '../src/outside/embed/create-embeddings.ts';
import { report } from './figures.ts';
import { judgmentSet, type SetJudgment, type SetQuery } from './judgment-set.ts';

const { default: MiniSearch } = await import(['minisearch'].join());
const { judgments, queries } = judgmentSet;
const embeddings = createEmbeddings({ choice: 'local', providers: { openai: {}, gemini: {} } });
const { current } = embeddings;

const gain = (grade: number, place: number) => (2 ** grade - 1) / Math.log2(place + 2);
function ndcg(ids: readonly string[], grades: SetQuery['grades']): number {
  const dcg = ids.slice(0, 10).reduce((sum, id, place) => sum + gain(grades.get(id) ?? 0, place), 0);
  const ideal = [...grades.values()].sort((a, b) => b - a);
  return dcg / ideal.reduce((sum, grade, place) => sum + gain(grade, place), 0);
}

type Rank = (query: SetQuery) => string[];
function scoresOf(rank: Rank, part: SetQuery['part']) {
  const average = (hasName: boolean, measure: (ids: string[], query: SetQuery) => number) => {
    const selected = queries.filter((query) => query.part === part && query.hasName === hasName);
    return selected.reduce((sum, query) => sum + measure(rank(query), query), 0) / selected.length;
  };
  const hit = (ids: string[], { grades }: SetQuery) => (grades.get(ids[0]!) === 3 ? 1 : 0);
  return {
    'nDCG@10': average(false, (ids, { grades }) => ndcg(ids, grades)),
    'hit@1': average(false, hit),
    'names nDCG@10': average(true, (ids, { grades }) => ndcg(ids, grades)),
    'names hit@1': average(true, hit),
  };
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

interface Index {
  windows: Float32Array[][];
  words: Set<string>[];
  otherWords: Set<string>[];
}
async function buildIndex(text: (judgment: SetJudgment) => string): Promise<Index> {
  const texts = judgments.map(text);
  return {
    windows: await current.embed(texts),
    words: texts.map((ownText) => new Set(wordsOf(ownText))),
    otherWords: judgments.map(({ reasoning, content }) => new Set(wordsOf(`${reasoning} ${content}`))),
  };
}

const queryVectors = new Map<string, Float32Array>();
for (const { query } of queries) queryVectors.set(query, await current.embedQuery(query));

/** `matchEverywhere` selects the query words that are also looked up in the reasoning and the content. */
function hybrid(
  { windows, words: ownWords, otherWords }: Index,
  weights: RankingWeights,
  matchEverywhere: 'all' | 'names' | 'none' = 'all',
): Rank {
  return ({ query }) => {
    const vector = queryVectors.get(query)!;
    const words = queryWords(query);
    const rows = judgments.map(({ id }, at): Candidate => {
      const has = ({ word, isName }: (typeof words)[number]) =>
        ownWords[at]!.has(word) ||
        ((matchEverywhere === 'all' || (matchEverywhere === 'names' && isName)) && otherWords[at]!.has(word));
      return {
        judgmentId: id,
        createdAt: 0,
        matched: words.reduce((sum, word, bit) => sum + (has(word) ? 2 ** bit : 0), 0),
        similarity: Math.max(...windows[at]!.map((window) => dot(window, vector))),
        model: current.model,
      };
    });
    const pool = new CandidatePool(10);
    for (const row of rows) pool.add(row);
    const options = { words, queriedModels: [current.model], limit: 10 };
    return selectBest(pool.candidates(), pool.counts(words.length), options, weights).map(
      ({ judgmentId }) => judgmentId,
    );
  };
}

const show = (name: string, rank: Rank) => {
  const numbers = (part: SetQuery['part']) =>
    Object.values(scoresOf(rank, part)).map((value) => value.toFixed(3).padStart(8));
  console.log(`${name.padEnd(34)} ${numbers('tune').join('')}   |${numbers('test').join('')}`);
};

console.log(
  `${judgments.length} judgments, ${queries.length} queries; left the tuning part, right the test part`,
);
console.log(`${''.padEnd(34)}  nDCG@10   hit@1  n.nDCG n.hit@1   | nDCG@10   hit@1  n.nDCG n.hit@1`);
const review = await buildIndex((judgment) => searchableText(judgment, 'review')!);
const decisionFirst = await buildIndex(({ decision, reasoning }) => `${decision}: ${reasoning}`);
const reasoningOnly = await buildIndex(({ reasoning }) => reasoning);
const content = await buildIndex(({ content }) => content);

const weightsOf = (words: number, identifiers: number): RankingWeights => ({ words, identifiers });
const tuned = weightsOf(0.2, 0.5);
show('cosine', hybrid(review, weightsOf(0, 0)));
const engine = new MiniSearch({
  fields: ['text'],
  extractField: (judgment: SetJudgment, field: string) =>
    field === 'text' ? `${judgment.reasoning} ${judgment.content}` : judgment[field as 'id'],
});
engine.addAll(judgments);
show('BM25 (minisearch)', ({ query }) =>
  engine
    .search(query)
    .slice(0, 10)
    .map(({ id }: { id: string }) => id),
);
show('hybrid', hybrid(review, tuned));
const testScore = (rank: Rank) => scoresOf(rank, 'test')['nDCG@10'];
report({
  name: 'search of judgments, nDCG@10',
  value: testScore(hybrid(review, tuned)),
  unit: 'score',
  references: { cosine: testScore(hybrid(review, weightsOf(0, 0))) },
});
show('hybrid, names matched everywhere', hybrid(review, tuned, 'names'));
show('hybrid, own words only', hybrid(review, tuned, 'none'));
show('hybrid, decision first', hybrid(decisionFirst, tuned));
show('hybrid, reasoning only', hybrid(reasoningOnly, tuned));
show('content: cosine', hybrid(content, weightsOf(0, 0)));
show('content: hybrid', hybrid(content, tuned));
if (process.env.WEIGHTS)
  for (const words of [0, 0.1, 0.2, 0.3, 0.4, 0.6])
    for (const identifiers of [0, 0.25, 0.5, 1])
      show(`hybrid ${words} ${identifiers}`, hybrid(review, weightsOf(words, identifiers)));
void embeddings.close();
