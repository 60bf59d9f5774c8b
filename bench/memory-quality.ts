// How well judgments are found: nDCG@10 and the share of first places for queries in other words than the
// judgments, and for queries with a name (a code, a ticket, a version) among names that differ in a character.
// The weights of the ranking are chosen on one part of the set and measured on the other.
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
import { judgmentSet, type SetJudgment, type SetQuery } from './judgment-set.ts';

const { default: MiniSearch } = await import(['minisearch'].join());
const { judgments, queries } = judgmentSet;
const embeddings = createEmbeddings({ choice: 'local', providers: { openai: {}, gemini: {} } });
const { current } = embeddings;

const gain = (grade: number, place: number) => (2 ** grade - 1) / Math.log2(place + 2);
function ndcg(ids: readonly string[], grades: SetQuery['grades']): number {
  const got = ids.slice(0, 10).reduce((sum, id, place) => sum + gain(grades.get(id) ?? 0, place), 0);
  const ideal = [...grades.values()].sort((one, other) => other - one);
  return got / ideal.reduce((sum, grade, place) => sum + gain(grade, place), 0);
}

type Rank = (query: SetQuery) => string[];
function measured(rank: Rank, part: SetQuery['part']) {
  const of = (isNamed: boolean, measure: (ids: string[], query: SetQuery) => number) => {
    const some = queries.filter((query) => query.part === part && query.isNamed === isNamed);
    return some.reduce((sum, query) => sum + measure(rank(query), query), 0) / some.length;
  };
  const hit = (ids: string[], { grades }: SetQuery) => (grades.get(ids[0]!) === 3 ? 1 : 0);
  return {
    'nDCG@10': of(false, (ids, { grades }) => ndcg(ids, grades)),
    'hit@1': of(false, hit),
    'names nDCG@10': of(true, (ids, { grades }) => ndcg(ids, grades)),
    'names hit@1': of(true, hit),
  };
}

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

interface Made {
  windows: Float32Array[][];
  words: Set<string>[];
  otherWords: Set<string>[];
}
async function make(text: (judgment: SetJudgment) => string): Promise<Made> {
  const texts = judgments.map(text);
  return {
    windows: await current.embed(texts),
    words: texts.map((one) => new Set(wordsOf(one))),
    otherWords: judgments.map(({ reasoning, content }) => new Set(wordsOf(`${reasoning} ${content}`))),
  };
}

const asked = new Map<string, Float32Array>();
for (const { query } of queries) asked.set(query, await current.embedQuery(query));

function hybrid(
  { windows, words: own, otherWords }: Made,
  weights: RankingWeights,
  isWide: 'all' | 'names' | 'none' = 'all',
): Rank {
  return ({ query }) => {
    const vector = asked.get(query)!;
    const words = queryWords(query);
    const rows = judgments.map(({ id }, at): Candidate => {
      const has = ({ word, isName }: (typeof words)[number]) =>
        own[at]!.has(word) ||
        ((isWide === 'all' || (isWide === 'names' && isName)) && otherWords[at]!.has(word));
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
    const wanted = { words, queriedModels: [current.model], limit: 10 };
    return selectBest(pool.candidates(), pool.counts(words.length), wanted, weights).map(
      ({ judgmentId }) => judgmentId,
    );
  };
}

const show = (name: string, rank: Rank) => {
  const numbers = (part: SetQuery['part']) =>
    Object.values(measured(rank, part)).map((value) => value.toFixed(3).padStart(8));
  console.log(`${name.padEnd(34)} ${numbers('choose').join('')}   |${numbers('measure').join('')}`);
};

console.log(
  `${judgments.length} judgments, ${queries.length} queries; left the part for choosing, right for measuring`,
);
console.log(`${''.padEnd(34)}  nDCG@10   hit@1  n.nDCG n.hit@1   | nDCG@10   hit@1  n.nDCG n.hit@1`);
const review = await make((judgment) => searchableText(judgment, 'review')!);
const decisionFirst = await make(({ decision, reasoning }) => `${decision}: ${reasoning}`);
const bare = await make(({ reasoning }) => reasoning);
const content = await make(({ content }) => content);

const weigh = (words: number, identifiers: number): RankingWeights => ({ words, identifiers });
const chosen = weigh(0.2, 0.5);
show('cosine', hybrid(review, weigh(0, 0)));
const engine = new MiniSearch({
  fields: ['text'],
  extractField: (one: SetJudgment, field: string) =>
    field === 'text' ? `${one.reasoning} ${one.content}` : one[field as 'id'],
});
engine.addAll(judgments);
show('BM25 (minisearch)', ({ query }) =>
  engine
    .search(query)
    .slice(0, 10)
    .map(({ id }: { id: string }) => id),
);
show('hybrid', hybrid(review, chosen));
show('hybrid, names looked for everywhere', hybrid(review, chosen, 'names'));
show('hybrid, words of the kind alone', hybrid(review, chosen, 'none'));
show('hybrid, decision first', hybrid(decisionFirst, chosen));
show('hybrid, reasoning alone', hybrid(bare, chosen));
show('content: cosine', hybrid(content, weigh(0, 0)));
show('content: hybrid', hybrid(content, chosen));
if (process.env.WEIGHTS)
  for (const words of [0, 0.1, 0.2, 0.3, 0.4, 0.6])
    for (const identifiers of [0, 0.25, 0.5, 1])
      show(`hybrid ${words} ${identifiers}`, hybrid(review, weigh(words, identifiers)));
void embeddings.close();
