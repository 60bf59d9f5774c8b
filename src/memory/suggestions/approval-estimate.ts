import { logBeta } from '../../lib/log-gamma.ts';

export type Side = 'approve' | 'reject';

export interface Vote {
  side: Side;
  /** Epoch milliseconds. */
  at: number;
  /** How much it counts, above 0; 1 is one independent decision on exactly this. */
  weight: number;
  /** Who voted. */
  by: string;
}

export interface Outlook {
  /** How likely the next one like these is approved, 0 to 1. */
  approve: number;
  /** Where the votes say that minds were changed: the likeliest moment, and how likely it is that there was one. */
  change: { at: number; probability: number } | undefined;
}

/**
 * What is believed of a share before anybody voted: most questions are settled one way, so that the ends are likelier
 * than the middle.
 */
const PRIOR = 0.12;
/** How likely a change of mind is before anybody voted. */
const CHANGE = 0.25;
/** The same, as a share, of one that nobody went through: other people may think otherwise all along. */
const UNWITNESSED = 0.1;
/** Votes that are no further apart are of one moment. */
const MOMENT_MS = 3_600_000;

interface Tally {
  approve: number;
  reject: number;
}

/** How well one unchanging share explains a stretch of votes, as a logarithm. */
const evidence = ({ approve, reject }: Tally): number =>
  logBeta(PRIOR + approve, PRIOR + reject) - logBeta(PRIOR, PRIOR);

const share = ({ approve, reject }: Tally): number => (PRIOR + approve) / (2 * PRIOR + approve + reject);

const without = (all: Tally, part: Tally): Tally => ({
  // Differences of sums may end a hair below 0.
  approve: Math.max(0, all.approve - part.approve),
  reject: Math.max(0, all.reject - part.reject),
});

/**
 * What is to be expected after votes, whose order in time counts: either they all follow one share, or there was one
 * moment after which another share holds. Both are weighed by how well they explain the votes, and where there was a
 * change only what came after it speaks for the future.
 */
export function outlookOf(votes: readonly Vote[]): Outlook {
  const inOrder = [...votes].sort((one, other) => one.at - other.at);
  const all: Tally = { approve: 0, reject: 0 };
  for (const { side, weight } of inOrder) all[side] += weight;

  const changes: { at: number; prior: number; evidence: number; after: Tally }[] = [];
  const before: Tally = { approve: 0, reject: 0 };
  for (const [index, { side, weight, at }] of inOrder.entries()) {
    const next = inOrder[index + 1];
    before[side] += weight;
    // Within a moment there is no telling which came first, and one vote alone is no change.
    if (next === undefined || next.at - at < MOMENT_MS || index < 1 || index > inOrder.length - 3) continue;
    const earlier = new Set(inOrder.slice(0, index + 1).map(({ by }) => by));
    const isWitnessed = inOrder.slice(index + 1).some(({ by }) => earlier.has(by));
    const after = without(all, before);
    changes.push({
      at: next.at,
      prior: isWitnessed ? CHANGE : CHANGE * UNWITNESSED,
      evidence: evidence(before) + evidence(after),
      after,
    });
  }
  const ofAnyChange = changes.reduce((sum, { prior }) => sum + prior / changes.length, 0);

  const steady = {
    weight: Math.log(1 - ofAnyChange) + evidence(all),
    share: share(all),
  };
  const changed = changes.map(({ evidence, prior, after, at }) => ({
    weight: Math.log(prior / changes.length) + evidence,
    share: share(after),
    at,
  }));
  const highest = Math.max(steady.weight, ...changed.map(({ weight }) => weight));
  const likelihood = ({ weight }: { weight: number }) => Math.exp(weight - highest);
  const ofChange = changed.reduce((sum, one) => sum + likelihood(one), 0);
  const total = likelihood(steady) + ofChange;
  const approve =
    (likelihood(steady) * steady.share + changed.reduce((sum, one) => sum + likelihood(one) * one.share, 0)) /
    total;
  const likeliest = changed.reduce<(typeof changed)[number] | undefined>(
    (best, one) => (best === undefined || one.weight > best.weight ? one : best),
    undefined,
  );
  return { approve, change: likeliest && { at: likeliest.at, probability: ofChange / total } };
}
