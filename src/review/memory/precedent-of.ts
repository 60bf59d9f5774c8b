import type { Precedent } from '../../shapes/agents/execution.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import type { RunPlace } from './memory-scopes.ts';

/** A judgment on something like a finding. */
export interface CloseJudgment {
  judgment: StoredJudgment;
  /** Cosine. */
  similarity: number;
}

/** Fewer rejected ones are no habit. */
const LEAST_REJECTED = 2;
/** Rejected ones that one approved outweighs. */
const REJECTED_FOR_EACH_APPROVED = 9;
const MAX_SHOWN = 10;

interface Decided {
  side: 'approve' | 'reject';
  at: number;
  close: CloseJudgment[];
}

/**
 * What the judgments on things like a finding come to: undefined where they leave it be, and otherwise that reviewers
 * keep rejecting it. `enough` tells whether they say anything at all, so that no wider place need be asked.
 */
export function precedentOf(
  scope: RunPlace['scope'],
  close: readonly CloseJudgment[],
): { enough: boolean; precedent: Precedent | undefined } {
  const decided = [...Map.groupBy(close, ({ judgment }) => thingOf(judgment)).values()].flatMap(decisionOn);
  const rejected = decided.filter(({ side }) => side === 'reject');
  const approved = decided.filter(({ side }) => side === 'approve');
  const enough = decided.length >= LEAST_REJECTED;
  const lastOf = (some: readonly Decided[]) =>
    Math.max(Number.NEGATIVE_INFINITY, ...some.map(({ at }) => at));
  const isHabit =
    rejected.length >= LEAST_REJECTED &&
    rejected.length >= approved.length * REJECTED_FOR_EACH_APPROVED &&
    // Who approves one after all that has changed their mind.
    lastOf(approved) < lastOf(rejected);
  if (!isHabit) return { enough, precedent: undefined };
  const judgments = rejected
    .flatMap((one) => one.close)
    .sort(
      (one, other) => other.similarity - one.similarity || other.judgment.createdAt - one.judgment.createdAt,
    )
    .slice(0, MAX_SHOWN)
    .map(({ judgment, similarity }) => ({
      recordId: judgment.judgmentId,
      decision: judgment.decision,
      annotationId: judgment.annotationId,
      similarity: Math.round(Math.min(1, similarity) * 1_000) / 1_000,
      createdAt: judgment.createdAt,
    }));
  const counts = { rejected: rejected.length, approved: approved.length };
  return { enough, precedent: { scope, ...counts, note: noteOf(scope, counts), judgments } };
}

/** An annotation counts once, however many judged it. */
const thingOf = ({ organizationId, documentId, annotationId, judgmentId }: StoredJudgment): string =>
  annotationId === null ? judgmentId : JSON.stringify([organizationId, documentId, annotationId]);

/** It is rejected where nobody's last word is for it. */
function decisionOn(close: CloseJudgment[]): Decided[] {
  const last = [...Map.groupBy(close, ({ judgment }) => judgment.reviewerId).values()].map((some) =>
    some.reduce((one, other) => (stands(other.judgment, one.judgment) ? other : one)),
  );
  if (last.length === 0) return [];
  const approving = last.filter(({ judgment }) => sideOf(judgment.decision) === 'approve');
  const counting = approving.length > 0 ? approving : last;
  return [
    {
      side: approving.length > 0 ? 'approve' : 'reject',
      at: Math.max(...counting.map(({ judgment }) => judgment.createdAt)),
      close: counting,
    },
  ];
}

const isDecision = ({ decision }: StoredJudgment): boolean => decision === 'approve' || decision === 'reject';

const stands = (one: StoredJudgment, other: StoredJudgment): boolean =>
  isDecision(one) === isDecision(other) ? one.createdAt > other.createdAt : isDecision(one);

const REVIEWERS = {
  document: 'Reviewers of this document',
  organization: 'Reviewers of this organization',
  apiKey: 'Reviewers outside of organizations',
};

const noteOf = (scope: RunPlace['scope'], { rejected, approved }: { rejected: number; approved: number }) =>
  `${REVIEWERS[scope]} rejected ${rejected} findings like this one and approved ${approved === 0 ? 'none' : approved}.`;
