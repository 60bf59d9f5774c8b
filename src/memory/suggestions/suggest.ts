import type { Db } from '../../db/tables.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { untilAborted } from '../../lib/time.ts';
import type { Suggestion } from '../../shapes/annotations/suggestion.ts';
import {
  type MemoryPlace,
  type MemoryScope,
  scopeLabels,
  sidedDecisions,
} from '../../shapes/memory/judgment.ts';
import { recentlyUpdatedSources } from '../../store/knowledge/knowledge-sources.ts';
import { judgmentsById, type StoredJudgment } from '../../store/memory/judgments.ts';
import { queryVector } from '../embedding/query-vectors.ts';
import { type MemoryDeps, type RankRequest, rankIds } from '../ranking/rank.ts';
import { nearerOf, pairsToCompare, relevantIn, type SearchedPlace } from '../scoring/links.ts';
import type { RankedPlace } from '../scoring/packed-ranking.ts';
import { queryWords } from '../scoring/ranking-score.ts';
import { type Recommendation, recommend } from './recommend.ts';
import { type Precedent, type PrecedentCandidate, selectPrecedents } from './select-precedents.ts';

/** Number of judgments ranked per text kind; large, so that the majority side does not crowd out the other. */
const RANKED_PER_KIND = 100;
const BY_SIDE: RankRequest['filters'] = { decisions: sidedDecisions, withoutAssistants: true };
/** Time limit of one scope. */
const SCOPE_LIMIT_MS = 2_000;
/** Age up to which a knowledge source counts as newer than the decisions. */
const FRESH_HOURS = 48;

export interface SuggestOptions extends MemoryDeps {
  /** Default: `rankIds`. */
  rank?: typeof rankIds;
  scopeLimitMs?: number | undefined;
  now?: number;
}

export interface SuggestRequest {
  /** Description of the item to be decided on. */
  query: string;
  place: MemoryPlace;
}

interface Place {
  name: MemoryScope;
  within: MemoryPlace;
}

/** A place that was searched in time. */
type SearchedScope = Place & RankedPlace;

/**
 * Recommends a decision for an item from earlier decisions. The narrowest scope with enough precedents answers, wider
 * ones may add caveats. Throws `EmbedFailure`, and `ApiError` if every scope timed out.
 */
export async function suggestDecision(
  deps: SuggestOptions,
  scope: Scope,
  { query, place }: SuggestRequest,
): Promise<Recommendation> {
  const { now = Date.now(), scopeLimitMs = SCOPE_LIMIT_MS } = deps;
  // Outside of the time limit, since a model and a thread may have to start.
  const [vector] = await Promise.all([
    queryVector(deps.embeddings.current, scope, query),
    deps.scorer.start(),
  ]);
  const places = scopesOutward(place);
  const inTime =
    (await rankAtOnce(deps, scope, places, query, vector)) ?? (await rankEach(deps, scope, places, query));
  const found =
    inTime.length === 0
      ? undefined
      : await withTimeLimit(scopeLimitMs, () =>
          Promise.all([
            findPrecedents(deps.db, scope, inTime, now),
            knowledgeCaveat(deps.db, scope, place, now),
          ]),
        );
  if (!found) throw new ApiError('DEADLINE_EXCEEDED', 'The memory could not be searched in time.');
  const [searched, ofKnowledge] = found;
  for (const [index, { name, precedents }] of searched.entries()) {
    const { primary, conflict } = recommend(precedents, name, now);
    if (primary === null) continue;
    const wider = searched.slice(index + 1);
    const timedOut = places.filter((one) => !inTime.some((other) => other.name === one.name));
    const caveats = [
      ...primary.caveats,
      ...ofKnowledge,
      ...wider.flatMap((one) => widerScopeCaveat(one, primary, precedents)),
      ...timedOut.map((one) => `Partial data: ${scopeLabels[one.name]} could not be searched in time.`),
    ];
    return { primary: { ...primary, caveats }, conflict };
  }
  return { primary: null, conflict: null };
}

/** A caveat about knowledge that is newer than the decisions. */
async function knowledgeCaveat(db: Db, scope: Scope, place: MemoryPlace, now: number): Promise<string[]> {
  const fresh = await recentlyUpdatedSources(db, scope, now - FRESH_HOURS * 3_600_000);
  const names = fresh
    .filter(
      ({ organizationId, documentId }) =>
        isWithin(organizationId, place.organizationId) && isWithin(documentId, place.documentId),
    )
    .map(({ fileName }) => `“${shorten(fileName, 80)}”`);
  if (names.length === 0) return [];
  const shown = names.slice(0, 3).join(', ');
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return [`Knowledge source updated in the last ${FRESH_HOURS} hours: ${shown}${more}.`];
}

/** A source without an organization or document applies to all of them. */
const isWithin = (id: string | null, requested: string | undefined): boolean => !id || id === requested;

/** Scopes to search, narrowest first. */
function scopesOutward({ organizationId, documentId }: MemoryPlace): Place[] {
  return [
    ...(documentId === undefined
      ? []
      : [{ name: 'document' as const, within: { organizationId, documentId } }]),
    ...(organizationId === undefined ? [] : [{ name: 'organization' as const, within: { organizationId } }]),
    { name: 'apiKey', within: {} },
  ];
}

/**
 * Ranks all places by one message to the thread that has the caches; none if that takes too long. Undefined if it needs
 * more than the caches.
 */
async function rankAtOnce(
  { scorer, embeddings, rank, scopeLimitMs = SCOPE_LIMIT_MS }: SuggestOptions,
  { apiKeyId }: Scope,
  places: readonly Place[],
  query: string,
  vector: Float32Array,
): Promise<SearchedScope[] | undefined> {
  if (rank) return undefined;
  const question = {
    apiKeyId,
    places: places.map(({ within }) => within),
    filters: BY_SIDE,
    words: queryWords(query),
    vector: { model: embeddings.current.model, vector },
    limit: RANKED_PER_KIND,
  };
  const answer = await withTimeLimit(scopeLimitMs, async (signal) => ({
    ranked: await scorer.rankPlaces(question, signal),
  }));
  if (!answer) return [];
  return answer.ranked?.map((one, index) => ({ ...places[index]!, ...one }));
}

/** Ranks each place within a time limit of its own; those that take too long are missing. */
async function rankEach(
  deps: SuggestOptions,
  scope: Scope,
  places: readonly Place[],
  query: string,
): Promise<SearchedScope[]> {
  const { scorer, scopeLimitMs = SCOPE_LIMIT_MS } = deps;
  const searching = places.map((place) =>
    withTimeLimit(scopeLimitMs, (signal) => searchPlace(deps, scope, place, { query, signal })),
  );
  const inTime = (await Promise.all(searching)).filter((one) => one !== undefined);
  const pairs = pairsToCompare(inTime);
  const relevant = await withTimeLimit(scopeLimitMs, async () => {
    const compared =
      pairs.from.length === 0
        ? new Float64Array()
        : await scorer.compareJudgments({ apiKeyId: scope.apiKeyId, ...pairs });
    return relevantIn(inTime, pairs, compared);
  });
  return relevant ? inTime.map((place, index) => ({ ...place, relevant: relevant[index]! })) : [];
}

async function searchPlace(
  deps: SuggestOptions,
  scope: Scope,
  place: Place,
  { query, signal }: { query: string; signal: AbortSignal },
): Promise<Place & SearchedPlace> {
  const rank = deps.rank ?? rankIds;
  const request = { query, place: place.within, filters: BY_SIDE, limit: RANKED_PER_KIND, signal };
  const rankings = await Promise.all(
    (['content', 'review'] as const).map((kind) => rank(deps, scope, { ...request, kind })),
  );
  const inScope = Math.max(...rankings.map(({ total }) => total));
  return { ...place, inScope, similarities: nearerOf(rankings) };
}

/** The precedents of each scope. Reads the relevant judgments of all scopes together. */
async function findPrecedents(
  db: Db,
  scope: Scope,
  searched: readonly SearchedScope[],
  now: number,
): Promise<{ name: MemoryScope; precedents: Precedent[] }[]> {
  const ids = new Set(searched.flatMap(({ relevant }) => relevant.map(({ judgmentId }) => judgmentId)));
  // Judgments that were revoked since the ranking are missing.
  const judgments = await judgmentsById(db, scope, {}, BY_SIDE, [...ids]);
  return searched.map(({ name, within, inScope, relevant }) => {
    const candidates = relevant.flatMap((one): PrecedentCandidate[] => {
      const judgment = judgments.get(one.judgmentId);
      return judgment && isOf(judgment, within) ? [{ ...judgment, ...one }] : [];
    });
    return { name, precedents: selectPrecedents(candidates, { inScope, now }) };
  });
}

const isOf = (judgment: StoredJudgment, { organizationId, documentId }: MemoryPlace): boolean =>
  (organizationId === undefined || judgment.organizationId === organizationId) &&
  (documentId === undefined || judgment.documentId === documentId);

/** The result, or undefined after the time limit. */
async function withTimeLimit<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const signal = AbortSignal.timeout(ms);
  return await untilAborted(work(signal), signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
}

/** A caveat if the further precedents of a wider scope mostly go the other way. */
function widerScopeCaveat(
  { name, precedents }: { name: MemoryScope; precedents: readonly Precedent[] },
  primary: Suggestion,
  answering: readonly Precedent[],
): string[] {
  const known = new Set(answering.map(({ judgmentId }) => judgmentId));
  const elsewhere = precedents.filter(({ judgmentId }) => !known.has(judgmentId));
  const against = elsewhere.filter(({ side }) => side !== primary.recommendation);
  return against.length >= 2 && against.length * 2 > elsewhere.length
    ? [
        `${scopeLabels[name]}: ${against.length} of ${elsewhere.length} further similar decisions went the other way.`,
      ]
    : [];
}
