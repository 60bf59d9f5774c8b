import { gammaln } from 'simple-statistics';

export type Side = 'approve' | 'reject';

export interface Vote {
  side: Side;
  /** Epoch milliseconds. */
  at: number;
  /** Above 0; 1 is one independent decision on exactly the item in question. */
  weight: number;
  /** User id of the voter. */
  by: string;
}

export interface ApprovalEstimate {
  /** Probability that the next decision is an approval, 0 to 1. */
  approve: number;
  /** The likeliest time at which opinion changed, and the probability that it changed at all. */
  change: { at: number; probability: number } | undefined;
}

/** Both parameters of the beta prior of the share of approvals. Below 1, because most questions are settled one way. */
const PRIOR = 0.12;
/** Prior probability of a change of opinion. */
const CHANGE = 0.25;
/** Factor on `CHANGE` if no voter voted both before and after: the two groups may simply disagree. */
const NO_COMMON_VOTER = 0.1;
/** Votes closer together than this have no order in time. */
const MOMENT_MS = 3_600_000;

interface VoteSum {
  approve: number;
  reject: number;
}

interface PossibleChange {
  at: number;
  prior: number;
  evidence: number;
  after: VoteSum;
}

const logBeta = (a: number, b: number): number => gammaln(a) + gammaln(b) - gammaln(a + b);

/** Logarithm of the probability of the votes under one unknown, constant share of approvals. */
const logEvidence = ({ approve, reject }: VoteSum): number =>
  logBeta(PRIOR + approve, PRIOR + reject) - logBeta(PRIOR, PRIOR);

/** Mean of the posterior beta distribution. */
const expectedShare = ({ approve, reject }: VoteSum): number =>
  (PRIOR + approve) / (2 * PRIOR + approve + reject);

/** Clamped, because differences of sums may end slightly below 0. */
const subtract = (all: VoteSum, part: VoteSum): VoteSum => ({
  approve: Math.max(0, all.approve - part.approve),
  reject: Math.max(0, all.reject - part.reject),
});

/**
 * Bayesian estimate of the next decision: either all votes follow one share of approvals, or there was one change
 * point after which another share holds. Both explanations are averaged by how well they fit the votes. With a
 * change point, only the votes after it count for the future.
 */
export function estimateApproval(votes: readonly Vote[]): ApprovalEstimate {
  const inOrder = votes.toSorted((one, other) => one.at - other.at);
  const all: VoteSum = { approve: 0, reject: 0 };
  for (const { side, weight } of inOrder) all[side] += weight;
  const changes = possibleChanges(inOrder, all);
  const priorOfAnyChange = changes.reduce((sum, { prior }) => sum + prior / changes.length, 0);

  const unchanged = {
    weight: Math.log(1 - priorOfAnyChange) + logEvidence(all),
    share: expectedShare(all),
  };
  const changed = changes.map(({ evidence, prior, after, at }) => ({
    weight: Math.log(prior / changes.length) + evidence,
    share: expectedShare(after),
    at,
  }));
  const highest = Math.max(unchanged.weight, ...changed.map(({ weight }) => weight));
  const likelihood = ({ weight }: { weight: number }) => Math.exp(weight - highest);
  const ofChange = changed.reduce((sum, one) => sum + likelihood(one), 0);
  const total = likelihood(unchanged) + ofChange;
  const approve =
    (likelihood(unchanged) * unchanged.share +
      changed.reduce((sum, one) => sum + likelihood(one) * one.share, 0)) /
    total;
  const likeliest = changed.reduce<(typeof changed)[number] | undefined>(
    (best, one) => (best === undefined || one.weight > best.weight ? one : best),
    undefined,
  );
  return { approve, change: likeliest && { at: likeliest.at, probability: ofChange / total } };
}

/** Every point in time between votes at which opinion may have changed, with at least two votes on either side. */
function possibleChanges(inOrder: readonly Vote[], all: VoteSum): PossibleChange[] {
  const changes: PossibleChange[] = [];
  const before: VoteSum = { approve: 0, reject: 0 };
  for (const [index, { side, weight, at }] of inOrder.entries()) {
    const next = inOrder[index + 1];
    before[side] += weight;
    if (next === undefined || next.at - at < MOMENT_MS || index < 1 || index > inOrder.length - 3) continue;
    const earlier = new Set(inOrder.slice(0, index + 1).map(({ by }) => by));
    const hasCommonVoter = inOrder.slice(index + 1).some(({ by }) => earlier.has(by));
    const after = subtract(all, before);
    changes.push({
      at: next.at,
      prior: hasCommonVoter ? CHANGE : CHANGE * NO_COMMON_VOTER,
      evidence: logEvidence(before) + logEvidence(after),
      after,
    });
  }
  return changes;
}
