import { DAY_MS } from '../../lib/day.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import type { Suggestion } from '../../shapes/annotations/suggestion.ts';
import { type MemoryScope, scopeLabels } from '../../shapes/memory/judgment.ts';
import { estimateApproval, type Side } from './approval-estimate.ts';
import type { Precedent } from './select-precedents.ts';

/** Age of an old judgment: half a year. */
const STALE_MS = 183 * DAY_MS;
const STALE_SHARE = 0.7;
const MIN_PRECEDENTS = 2;
/** Minimum sum of relevance of a side: the expected number of its precedents that are about the same thing. */
const MIN_RELEVANCE_SUM = 1.2;
const MAX_REASONS = 3;
const MAX_REASON = 300;
const MAX_SHOWN = 10;

export interface Recommendation {
  primary: Suggestion | null;
  conflict: Suggestion | null;
}

const opposite = (side: Side): Side => (side === 'approve' ? 'reject' : 'approve');

/**
 * Turns the precedents of one scope into a recommendation. A side needs two precedents; both sides are returned if both
 * have enough. The confidence is the estimated probability of the recommended decision, drawn towards a half as far as
 * relevance is uncertain.
 */
export function recommend(precedents: readonly Precedent[], scope: MemoryScope, now: number): Recommendation {
  const of = (side: Side) => precedents.filter((one) => one.side === side);
  const estimate = estimateApproval(
    precedents
      .filter(({ weight }) => weight > 0)
      .map(({ side, createdAt, weight, reviewerId }) => ({ side, at: createdAt, weight, by: reviewerId })),
  );
  const relevance = Math.max(0, ...precedents.map((one) => one.relevance));
  const confidence = (side: Side): number =>
    0.5 + ((side === 'approve' ? estimate.approve : 1 - estimate.approve) - 0.5) * relevance;

  const likelier: Side = estimate.approve >= 0.5 ? 'approve' : 'reject';
  const supported = [likelier, opposite(likelier)].filter((side) => isEnough(of(side)));
  const [leading, other] = supported;
  if (leading === undefined) return { primary: null, conflict: null };

  const suggest = (side: Side, caveats: string[]): Suggestion => {
    const support = of(side);
    return {
      recommendation: side,
      confidence: Math.round(confidence(side) * 1_000) / 1_000,
      basedOn: support.length,
      scope,
      scopeLabel: scopeLabels[scope],
      topReasons: reasonsOf(support),
      uniqueReviewers: reviewersOf(support),
      caveats,
      precedents: heaviest(support).slice(0, MAX_SHOWN).map(toPrecedentRecord),
    };
  };
  const total = precedents.length;
  const against = total - of(leading).length;
  const support = of(leading);
  const caveats = [
    other !== undefined && `Conflict: ${against} of ${total} similar decisions went the other way.`,
    estimate.change !== undefined && changeCaveat(precedents, estimate.change),
    support.filter(({ createdAt }) => now - createdAt > STALE_MS).length > STALE_SHARE * support.length &&
      'Stale pattern: >70% of supporting data is older than 6 months',
    reviewersOf(support) === 1 && 'Few reviewers: all of these decisions are of one reviewer.',
    support.every(({ judgeType }) => judgeType === 'agent') &&
      'No person has decided so: these are decisions of agents.',
  ].filter((caveat) => typeof caveat === 'string');
  return {
    primary: suggest(leading, caveats),
    conflict:
      other === undefined
        ? null
        : suggest(other, [
            `Minority view: ${against} of ${total} similar decisions, counting less in all by likeness, age and reviewers.`,
          ]),
  };
}

const isEnough = (support: readonly Precedent[]): boolean =>
  support.length >= MIN_PRECEDENTS &&
  support.reduce((sum, { relevance }) => sum + relevance, 0) >= MIN_RELEVANCE_SUM;

/** The drift caveat, if opinion probably changed and the majority with it. */
function changeCaveat(
  precedents: readonly Precedent[],
  { at, probability }: { at: number; probability: number },
): string | false {
  const later = precedents.filter(({ createdAt }) => createdAt >= at);
  const earlier = precedents.filter(({ createdAt }) => createdAt < at);
  const approvals = (some: readonly Precedent[]) => some.filter(({ side }) => side === 'approve').length;
  const turned =
    Math.sign(2 * approvals(later) - later.length) !== Math.sign(2 * approvals(earlier) - earlier.length);
  return (
    probability > 0.5 &&
    turned &&
    `Drift: recent decisions differ from older ones. Since ${new Date(at).toISOString().slice(0, 10)}, ${approvals(later)} of ${later.length} approve; before, ${approvals(earlier)} of ${earlier.length}.`
  );
}

const heaviest = (precedents: readonly Precedent[]): Precedent[] =>
  [...precedents].sort((one, other) => other.weight - one.weight);

const reviewersOf = (precedents: readonly Precedent[]): number =>
  new Set(precedents.map(({ reviewerId }) => reviewerId)).size;

function reasonsOf(precedents: readonly Precedent[]): string[] {
  const reasons = new Map<string, string>();
  for (const { reasoning } of heaviest(precedents)) {
    const text = reasoning.replace(/\s+/g, ' ').trim();
    const key = text.toLowerCase();
    if (text !== '' && !reasons.has(key)) reasons.set(key, shorten(text, MAX_REASON));
  }
  return [...reasons.values()].slice(0, MAX_REASONS);
}

const toPrecedentRecord = (one: Precedent): Suggestion['precedents'][number] => ({
  recordId: one.judgmentId,
  decision: one.decision,
  similarity: one.similarity,
  actionUser: { name: '', ...one.actionUser },
  agent: one.agent,
  createdAt: one.createdAt,
  origin: one.origin,
  organizationId: one.organizationId || null,
  documentId: one.documentId || null,
  annotationId: one.annotationId,
});
