import { DAY_MS } from '../../lib/day.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import type { Side } from './approval-estimate.ts';

/** A judgment that may speak to what is asked about. */
export interface Candidate
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
  /** Cosine of the query and what was reviewed or said, whichever is more like it. */
  similarity: number;
  /** The same, or more where it is like another that is like the query. */
  likeness: number;
}

export interface Precedent extends Candidate {
  side: Side;
  /** How likely it is about the same thing, 0 to 1. */
  relevance: number;
  /** How much it counts beside the others, 0 to 1. */
  weight: number;
}

/** After so long, a judgment counts half. */
const HALF_LIFE_MS = 730 * DAY_MS;
/** How alike the judgments of one reviewer are beyond what the matter explains; 1 would be one vote however many. */
const ALIKE = 0.1;
/** An agent's decision beside a person's: it may have been made on the advice of this very memory. */
const AGENT_WEIGHT = 0.25;
/** What is less likely than this about the same thing is no precedent. */
const LEAST_RELEVANCE = 0.5;
const MAX_PRECEDENTS = 60;

/**
 * Where a likeness leaves it open whether a judgment is about the same thing, and how fast it becomes clear: a logistic
 * fit with the local model over the topics of `bench/memory-topics.ts`, told in other words. Among more judgments, more
 * are alike by chance.
 */
const SAME_THING = { half: 0.31, growth: 0.02, width: 0.045 };

/** How likely a judgment is about what is asked for, by its likeness and how many there are to be found. */
export const relevanceOf = (likeness: number, inScope: number): number => {
  const half = SAME_THING.half + SAME_THING.growth * Math.log(Math.max(1, inScope));
  return 1 / (1 + Math.exp(-(likeness - half) / SAME_THING.width));
};

/**
 * Of judgments that were found, those that are precedents, the likeliest about the same thing first. Of what one
 * reviewer said of one annotation, the decision stands before a word of agreement and the newest before older ones;
 * the further ones of a reviewer count less and less, and the same words again count nothing.
 */
export function selectPrecedents(
  candidates: readonly Candidate[],
  { inScope, now }: { inScope: number; now: number },
): Precedent[] {
  const able = candidates.flatMap((one) => {
    const side = sideOf(one.decision);
    const relevance = relevanceOf(one.likeness, inScope);
    return side === undefined || one.agent?.injected === true || relevance < LEAST_RELEVANCE
      ? []
      : [{ ...one, side, relevance, weight: 0 }];
  });
  const chosen = onceAnAnnotation(able)
    .sort((one, other) => other.likeness - one.likeness || one.judgmentId.localeCompare(other.judgmentId))
    .slice(0, MAX_PRECEDENTS);
  const best = chosen[0]?.relevance ?? 1;
  const said = Map.groupBy(chosen, saidBy);
  const different = Map.groupBy(
    [...said.values()].map(([first]) => first!),
    ({ reviewerId }) => reviewerId,
  );
  return chosen.map((one) => {
    const freshness = 0.5 ** (Math.max(0, now - one.createdAt) / HALF_LIFE_MS);
    const standing = (one.confidence ?? 1) * (one.judgeType === 'agent' ? AGENT_WEIGHT : 1);
    const others = different.get(one.reviewerId)!.length - 1;
    const repeated = said.get(saidBy(one))!.length;
    const weight = ((one.relevance / best) * freshness * standing) / (1 + others * ALIKE) / repeated;
    return { ...one, weight };
  });
}

/** The same for judgments of one reviewer that say the same of the same. */
const saidBy = ({ reviewerId, side, reasoning, content }: Precedent): string =>
  JSON.stringify([reviewerId, side, plain(reasoning), plain(content ?? '')]);

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const isDecision = ({ decision }: Precedent): boolean => decision === 'approve' || decision === 'reject';

function onceAnAnnotation(precedents: readonly Precedent[]): Precedent[] {
  const kept = new Map<string, Precedent>();
  for (const one of precedents) {
    const { organizationId, documentId, annotationId, reviewerId, judgmentId } = one;
    const key =
      annotationId === null
        ? JSON.stringify([judgmentId])
        : JSON.stringify([organizationId, documentId, annotationId, reviewerId]);
    const other = kept.get(key);
    if (other === undefined || stands(one, other)) kept.set(key, one);
  }
  return [...kept.values()];
}

const stands = (one: Precedent, other: Precedent): boolean =>
  isDecision(one) === isDecision(other) ? one.createdAt > other.createdAt : isDecision(one);
