import { DAY_MS } from '../../lib/day.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import { MIN_RELEVANCE, relevanceOf } from '../scoring/relevance.ts';
import type { Side } from './approval-estimate.ts';

/** A judgment that may be a precedent. */
export interface PrecedentCandidate
  extends Pick<
    StoredJudgment,
    | 'judgmentId'
    | 'decision'
    | 'reasoning'
    | 'content'
    | 'organizationId'
    | 'documentId'
    | 'annotationId'
    | 'reviewerId'
    | 'judgeType'
    | 'actionUser'
    | 'agent'
    | 'confidence'
    | 'createdAt'
    | 'origin'
  > {
  /** Cosine of the query and the nearer of its two texts. */
  similarity: number;
  /** `similarity`, raised if the judgment is similar to another one that is close to the query. */
  linkedSimilarity: number;
}

export interface Precedent extends PrecedentCandidate {
  side: Side;
  /** Probability that it is about the same thing as the query, 0 to 1. */
  relevance: number;
  /** Weight among the precedents, 0 to 1. */
  weight: number;
}

/** Half-life of the weight of a judgment. */
const HALF_LIFE_MS = 730 * DAY_MS;
/** Assumed correlation of one reviewer's judgments; at 1, all of them together would count as one vote. */
const SAME_REVIEWER_CORRELATION = 0.1;
/** Weight of an agent's decision relative to a person's: it may itself follow the advice of this memory. */
const AGENT_WEIGHT = 0.25;
const MAX_PRECEDENTS = 60;

/**
 * Selects and weighs precedents, most relevant first. One reviewer counts once per annotation: decisions take
 * precedence over comments, newer ones over older. Further judgments of a reviewer count less, and repeated texts do
 * not add weight.
 */
export function selectPrecedents(
  candidates: readonly PrecedentCandidate[],
  { inScope, now }: { inScope: number; now: number },
): Precedent[] {
  const relevant = candidates.flatMap((one) => {
    const side = sideOf(one.decision);
    const relevance = relevanceOf(one.linkedSimilarity, inScope);
    return side === undefined || one.agent?.injected === true || relevance < MIN_RELEVANCE
      ? []
      : [{ ...one, side, relevance, weight: 0 }];
  });
  const chosen = oncePerAnnotation(relevant)
    .sort(
      (one, other) =>
        other.linkedSimilarity - one.linkedSimilarity || one.judgmentId.localeCompare(other.judgmentId),
    )
    .slice(0, MAX_PRECEDENTS);
  const best = chosen[0]?.relevance ?? 1;
  const statementOf = new Map(chosen.map((one) => [one, statementKey(one)]));
  const byStatement = Map.groupBy(chosen, (one) => statementOf.get(one)!);
  const different = Map.groupBy(
    [...byStatement.values()].map(([first]) => first!),
    ({ reviewerId }) => reviewerId,
  );
  return chosen.map((one) => {
    const freshness = 0.5 ** (Math.max(0, now - one.createdAt) / HALF_LIFE_MS);
    const trust = (one.confidence ?? 1) * (one.judgeType === 'agent' ? AGENT_WEIGHT : 1);
    const others = different.get(one.reviewerId)!.length - 1;
    const repeated = byStatement.get(statementOf.get(one)!)!.length;
    const weight =
      ((one.relevance / best) * freshness * trust) / (1 + others * SAME_REVIEWER_CORRELATION) / repeated;
    return { ...one, weight };
  });
}

/** Equal for judgments of one reviewer that repeat each other. */
const statementKey = ({ reviewerId, side, reasoning, content }: Precedent): string =>
  JSON.stringify([reviewerId, side, normalize(reasoning), normalize(content ?? '')]);

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const isDecision = ({ decision }: Precedent): boolean => decision === 'approve' || decision === 'reject';

function oncePerAnnotation(precedents: readonly Precedent[]): Precedent[] {
  const kept = new Map<string, Precedent>();
  for (const one of precedents) {
    const { organizationId, documentId, annotationId, reviewerId, judgmentId } = one;
    const key =
      annotationId === null
        ? JSON.stringify([judgmentId])
        : JSON.stringify([organizationId, documentId, annotationId, reviewerId]);
    const other = kept.get(key);
    if (other === undefined || takesPrecedence(one, other)) kept.set(key, one);
  }
  return [...kept.values()];
}

const takesPrecedence = (one: Precedent, other: Precedent): boolean =>
  isDecision(one) === isDecision(other) ? one.createdAt > other.createdAt : isDecision(one);
