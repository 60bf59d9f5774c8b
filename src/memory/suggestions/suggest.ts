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
import { type JudgmentTextKey, listSimilarities } from '../../store/memory/judgment-similarity.ts';
import { cacheQueryEmbeddings } from '../embedding/cached-query-embeddings.ts';
import { type MemoryDeps, type RankRequest, rankJudgments } from '../ranking/rank.ts';
import { type Recommendation, recommend } from './recommend.ts';
import {
  type Precedent,
  type PrecedentCandidate,
  relevanceOf,
  selectPrecedents,
} from './select-precedents.ts';

/** Number of judgments ranked per text kind; large, so that the majority side does not crowd out the other. */
const RANKED_PER_KIND = 100;
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
  /** Default: `rankJudgments`. */
  rank?: typeof rankJudgments;
  scopeLimitMs?: number | undefined;
  now?: number;
}

export interface SuggestRequest {
  /** Description of the item to be decided on. */
  query: string;
  place: MemoryPlace;
}

/**
 * Recommends a decision for an item from earlier decisions. Scopes are searched from the narrowest to the widest: the
 * narrowest with enough precedents answers, wider ones may add caveats. Throws `EmbedFailure`, and `ApiError` if every
 * scope timed out.
 */
export async function suggestDecision(
  deps: SuggestOptions,
  scope: Scope,
  { query, place }: SuggestRequest,
): Promise<Recommendation> {
  const now = deps.now ?? Date.now();
  const memoized = { ...deps, embeddings: cacheQueryEmbeddings(deps.embeddings) };
  // Outside of the first scope's time limit, since a model and a thread may have to start.
  await Promise.all([memoized.embeddings.current.embedQuery(query), deps.scorer.start()]);
  const timedOut: MemoryScope[] = [];
  const searched: { name: MemoryScope; precedents: Precedent[]; recommendation: Recommendation }[] = [];
  const places = scopesOutward(place);
  for (const { name, within } of places) {
    const precedents = await withTimeLimit(deps.scopeLimitMs ?? SCOPE_LIMIT_MS, (signal) =>
      findPrecedents(memoized, scope, { query, place: within, signal, now }),
    );
    if (precedents === undefined) timedOut.push(name);
    else searched.push({ name, precedents, recommendation: recommend(precedents, name, now) });
  }
  if (timedOut.length === places.length) {
    throw new ApiError('DEADLINE_EXCEEDED', 'The memory could not be searched in time.');
  }
  const answer = searched.find(({ recommendation }) => recommendation.primary !== null);
  if (answer?.recommendation.primary == null) return { primary: null, conflict: null };
  const { primary, conflict } = answer.recommendation;
  const wider = searched.slice(searched.indexOf(answer) + 1);
  const caveats = [
    ...primary.caveats,
    ...(await knowledgeCaveat(deps.db, scope, place, now)),
    ...wider.flatMap((one) => widerScopeCaveat(one, primary, answer.precedents)),
    ...timedOut.map((name) => `Partial data: ${scopeLabels[name]} could not be searched in time.`),
  ];
  return { primary: { ...primary, caveats }, conflict };
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

async function findPrecedents(
  deps: SuggestOptions,
  scope: Scope,
  { query, place, signal, now }: { query: string; place: MemoryPlace; signal: AbortSignal; now: number },
): Promise<Precedent[]> {
  const rank = deps.rank ?? rankJudgments;
  const filters: RankRequest['filters'] = { decisions: sidedDecisions };
  const found = new Map<string, PrecedentCandidate>();
  let inScope = 0;
  for (const kind of ['content', 'review'] as const) {
    const { ranked, totalInScope } = await rank(deps, scope, {
      query,
      kind,
      place,
      filters,
      limit: RANKED_PER_KIND,
      signal,
    });
    inScope = Math.max(inScope, totalInScope);
    for (const { judgment, similarity } of ranked) {
      const other = found.get(judgment.judgmentId);
      if (other === undefined || other.similarity < similarity) {
        found.set(judgment.judgmentId, { ...judgment, similarity, linkedSimilarity: similarity });
      }
    }
  }
  const candidates = await withLinked(deps.db, scope, [...found.values()], inScope);
  return selectPrecedents(candidates, { inScope, now });
}

/**
 * Raises the similarity of candidates that are close to a highly relevant one: the query and a judgment may use
 * different words for the same thing, and a third judgment both.
 */
async function withLinked(
  db: Db,
  scope: Scope,
  candidates: readonly PrecedentCandidate[],
  inScope: number,
): Promise<readonly PrecedentCandidate[]> {
  const links = candidates
    .filter(({ linkedSimilarity }) => relevanceOf(linkedSimilarity, inScope) >= LINK_RELEVANCE)
    .sort((one, other) => other.linkedSimilarity - one.linkedSimilarity)
    .slice(0, LINKS);
  if (links.length === 0) return candidates;
  const linkedSimilarity = new Map(links.map((one) => [one.judgmentId, one.linkedSimilarity]));
  const byLink = new Map<string, number>();
  for (const { from, to, similarity } of await listSimilarities(
    db,
    scope,
    links.map(keyOf),
    candidates.map(keyOf),
  )) {
    const linked = Math.min(linkedSimilarity.get(from)!, similarity) - LINK_LOSS;
    byLink.set(to, Math.max(linked, byLink.get(to) ?? -1));
  }
  return candidates.map((one) => ({
    ...one,
    linkedSimilarity: Math.max(one.linkedSimilarity, byLink.get(one.judgmentId) ?? -1),
  }));
}

const keyOf = ({ judgmentId, content }: PrecedentCandidate): JudgmentTextKey => ({
  judgmentId,
  kind: content?.trim() ? 'content' : 'review',
});

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
