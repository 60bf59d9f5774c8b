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
import type { Scorer } from '../scoring/scorer.ts';
import { type Recommendation, recommend } from './recommend.ts';
import {
  MIN_RELEVANCE,
  type Precedent,
  type PrecedentCandidate,
  relevanceOf,
  selectPrecedents,
} from './select-precedents.ts';

/** Number of judgments ranked per text kind; large, so that the majority side does not crowd out the other. */
const RANKED_PER_KIND = 100;
const BY_SIDE: RankRequest['filters'] = { decisions: sidedDecisions };
/** Time limit of one scope. */
const SCOPE_LIMIT_MS = 2_000;
/** Age up to which a knowledge source counts as newer than the decisions. */
const FRESH_HOURS = 48;
/** Number of judgments whose neighbors are followed. */
const LINKS = 3;
/** Least relevance of a judgment whose neighbors are followed. */
const LINK_RELEVANCE = 0.7;
/** Similarity deducted from a judgment that is found by a link. */
const LINK_LOSS = 0.1;

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

interface SearchedScope {
  name: MemoryScope;
  within: MemoryPlace;
  /** Number of judgments that pass the filters. */
  inScope: number;
  /** Cosine of the query and the nearer text of each candidate. */
  similarities: Map<string, number>;
}

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
  await Promise.all([queryVector(deps.embeddings.current, scope, query), deps.scorer.start()]);
  const places = scopesOutward(place);
  const ranked = await Promise.all(
    places.map((one) =>
      withTimeLimit(scopeLimitMs, (signal) => rankScope(deps, scope, { ...one, query, signal })),
    ),
  );
  const inTime = ranked.filter((one) => one !== undefined);
  const found =
    inTime.length === 0
      ? undefined
      : await withTimeLimit(scopeLimitMs, () =>
          Promise.all([
            findPrecedents(deps, scope, inTime, now),
            knowledgeCaveat(deps.db, scope, place, now),
          ]),
        );
  if (!found) throw new ApiError('DEADLINE_EXCEEDED', 'The memory could not be searched in time.');
  const [searched, ofKnowledge] = found;
  for (const [index, { name, precedents }] of searched.entries()) {
    const { primary, conflict } = recommend(precedents, name, now);
    if (primary === null) continue;
    const wider = searched.slice(index + 1);
    const timedOut = places.filter((_, at) => ranked[at] === undefined);
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
function scopesOutward({
  organizationId,
  documentId,
}: MemoryPlace): { name: MemoryScope; within: MemoryPlace }[] {
  return [
    ...(documentId === undefined
      ? []
      : [{ name: 'document' as const, within: { organizationId, documentId } }]),
    ...(organizationId === undefined ? [] : [{ name: 'organization' as const, within: { organizationId } }]),
    { name: 'apiKey', within: {} },
  ];
}

async function rankScope(
  deps: SuggestOptions,
  scope: Scope,
  {
    name,
    within,
    query,
    signal,
  }: Pick<SearchedScope, 'name' | 'within'> & { query: string; signal: AbortSignal },
): Promise<SearchedScope> {
  const rank = deps.rank ?? rankIds;
  const request = { query, place: within, filters: BY_SIDE, limit: RANKED_PER_KIND, signal };
  const rankings = await Promise.all(
    (['content', 'review'] as const).map((kind) => rank(deps, scope, { ...request, kind })),
  );
  const similarities = new Map<string, number>();
  for (const { judgmentId, similarity } of rankings.flatMap(({ scored }) => scored))
    similarities.set(judgmentId, Math.max(similarity, similarities.get(judgmentId) ?? -1));
  return { name, within, inScope: Math.max(...rankings.map(({ total }) => total)), similarities };
}

/** The precedents of each scope. Reads only judgments that are relevant enough, and those of all scopes together. */
async function findPrecedents(
  { db, scorer }: SuggestOptions,
  scope: Scope,
  searched: readonly SearchedScope[],
  now: number,
): Promise<{ name: MemoryScope; precedents: Precedent[] }[]> {
  const linked = await linkedSimilarities(scorer, scope, searched);
  const isRelevant = (judgmentId: string, index: number) =>
    relevanceOf(linked[index]!.get(judgmentId)!, searched[index]!.inScope) >= MIN_RELEVANCE;
  const relevantIds = searched.map(({ similarities }, index) =>
    [...similarities.keys()].filter((judgmentId) => isRelevant(judgmentId, index)),
  );
  // Judgments that were revoked since the ranking are missing.
  const judgments = await judgmentsById(db, scope, {}, BY_SIDE, [...new Set(relevantIds.flat())]);
  return searched.map(({ name, within, inScope, similarities }, index) => {
    const candidates = relevantIds[index]!.flatMap((judgmentId): PrecedentCandidate[] => {
      const judgment = judgments.get(judgmentId);
      if (!judgment || !isOf(judgment, within)) return [];
      const similarity = similarities.get(judgmentId)!;
      return [{ ...judgment, similarity, linkedSimilarity: linked[index]!.get(judgmentId)! }];
    });
    return { name, precedents: selectPrecedents(candidates, { inScope, now }) };
  });
}

const isOf = (judgment: StoredJudgment, { organizationId, documentId }: MemoryPlace): boolean =>
  (organizationId === undefined || judgment.organizationId === organizationId) &&
  (documentId === undefined || judgment.documentId === documentId);

/**
 * The similarities of each scope, raised for candidates that are close to a highly relevant one: the query and a
 * judgment may use different words for the same thing, and a third judgment both.
 */
async function linkedSimilarities(
  scorer: Scorer,
  { apiKeyId }: Scope,
  searched: readonly SearchedScope[],
): Promise<Map<string, number>[]> {
  const linksOf = searched.map(({ similarities, inScope }) =>
    [...similarities]
      .filter(([, similarity]) => relevanceOf(similarity, inScope) >= LINK_RELEVANCE)
      .sort(([, one], [, other]) => other - one)
      .slice(0, LINKS),
  );
  const from = [...new Set(linksOf.flat().map(([judgmentId]) => judgmentId))];
  if (from.length === 0) return searched.map(({ similarities }) => similarities);
  const to = [...new Set(searched.flatMap(({ similarities }) => [...similarities.keys()]))];
  const compared = await scorer.compareJudgments({ apiKeyId, from, to });
  const [rowOf, columnOf] = [from, to].map((ids) => new Map(ids.map((id, at) => [id, at]))) as [
    Map<string, number>,
    Map<string, number>,
  ];
  return searched.map(({ similarities }, index) => {
    const raised = new Map(similarities);
    for (const [link, ofLink] of linksOf[index]!) {
      const row = rowOf.get(link)! * to.length;
      for (const [judgmentId, similarity] of raised) {
        const linked = Math.min(ofLink, compared[row + columnOf.get(judgmentId)!]!) - LINK_LOSS;
        if (linked > similarity) raised.set(judgmentId, linked);
      }
    }
    return raised;
  });
}

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
