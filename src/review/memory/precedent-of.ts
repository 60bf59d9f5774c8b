import type { Precedent } from '../../shapes/agents/execution.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import type { RecallScope } from './recall-scopes.ts';

/** A judgment on a subject similar to a finding. */
export interface SimilarJudgment {
  judgment: StoredJudgment;
  /** Cosine of the subject and the finding. */
  similarity: number;
}

/** Fewer rejections are no habit. */
const MIN_REJECTED = 2;
/** Number of rejections that a single approval outweighs. */
const REJECTED_PER_APPROVED = 9;
const MAX_SHOWN = 10;

/** Outcome of all judgments on one annotation. */
interface Decision {
  side: 'approve' | 'reject';
  at: number;
  judgments: SimilarJudgment[];
}

/**
 * Decides whether reviewers make a habit of rejecting findings like one, by the judgments of one scope on similar
 * subjects; only then is there a precedent. `isDecisive` is true if there are enough decisions not to ask wider scopes.
 */
export function precedentOf(
  scope: RecallScope['scope'],
  similar: readonly SimilarJudgment[],
): { isDecisive: boolean; precedent: Precedent | undefined } {
  const decisions = [...Map.groupBy(similar, ({ judgment }) => subjectKey(judgment)).values()].flatMap(
    decisionOf,
  );
  const rejected = decisions.filter(({ side }) => side === 'reject');
  const approved = decisions.filter(({ side }) => side === 'approve');
  const isDecisive = decisions.length >= MIN_REJECTED;
  const lastAt = (some: readonly Decision[]) =>
    Math.max(Number.NEGATIVE_INFINITY, ...some.map(({ at }) => at));
  const isHabit =
    rejected.length >= MIN_REJECTED &&
    rejected.length >= approved.length * REJECTED_PER_APPROVED &&
    // A later approval means that reviewers changed their minds.
    lastAt(approved) < lastAt(rejected);
  if (!isHabit) return { isDecisive, precedent: undefined };
  const judgments = rejected
    .flatMap((decision) => decision.judgments)
    .sort((a, b) => b.similarity - a.similarity || b.judgment.createdAt - a.judgment.createdAt)
    .slice(0, MAX_SHOWN)
    .map(({ judgment, similarity }) => ({
      recordId: judgment.judgmentId,
      decision: judgment.decision,
      annotationId: judgment.annotationId,
      similarity: Math.round(Math.min(1, similarity) * 1_000) / 1_000,
      createdAt: judgment.createdAt,
    }));
  const counts = { rejected: rejected.length, approved: approved.length };
  return { isDecisive, precedent: { scope, ...counts, note: noteOf(scope, counts), judgments } };
}

/** An annotation counts once, however many people judged it. */
const subjectKey = ({ organizationId, documentId, annotationId, judgmentId }: StoredJudgment): string =>
  annotationId === null ? judgmentId : JSON.stringify([organizationId, documentId, annotationId]);

/** An annotation counts as rejected if no reviewer's last judgment approves it. */
function decisionOf(similar: SimilarJudgment[]): Decision[] {
  const last = [...Map.groupBy(similar, ({ judgment }) => judgment.reviewerId).values()].map((ofReviewer) =>
    ofReviewer.reduce((a, b) => (supersedes(b.judgment, a.judgment) ? b : a)),
  );
  if (last.length === 0) return [];
  const approving = last.filter(({ judgment }) => sideOf(judgment.decision) === 'approve');
  const judgments = approving.length > 0 ? approving : last;
  return [
    {
      side: approving.length > 0 ? 'approve' : 'reject',
      at: Math.max(...judgments.map(({ judgment }) => judgment.createdAt)),
      judgments,
    },
  ];
}

const isVerdict = ({ decision }: StoredJudgment): boolean => decision === 'approve' || decision === 'reject';

/** Approve and reject outrank agree and disagree; otherwise the later judgment counts. */
const supersedes = (one: StoredJudgment, other: StoredJudgment): boolean =>
  isVerdict(one) === isVerdict(other) ? one.createdAt > other.createdAt : isVerdict(one);

const REVIEWERS = {
  document: 'Reviewers of this document',
  organization: 'Reviewers of this organization',
  apiKey: 'Reviewers outside of organizations',
};

const noteOf = (
  scope: RecallScope['scope'],
  { rejected, approved }: { rejected: number; approved: number },
) =>
  `${REVIEWERS[scope]} rejected ${rejected} findings like this one and approved ${approved === 0 ? 'none' : approved}.`;
