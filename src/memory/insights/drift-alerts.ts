import { DAY_MS } from '../../lib/day.ts';
import { type AlertCandidate, titleOfType } from './alert-candidate.ts';
import type { DecidedJudgment, FoundPattern } from './find-patterns.ts';
import { compareShares, type ReviewerDay } from './significance.ts';

const RECENT_DAYS = 30;
/** Start of the earlier window; it ends where the recent one begins. */
const EARLIER_DAYS = 365;
const MIN_EARLIER = 10;
const MIN_RECENT = 8;
const MIN_SHIFT = 0.3;
/** Standard errors; by chance, about one pattern in a thousand exceeds this. */
const DEVIATIONS = 3.5;
const MIN_NEW_STANDARD = 8;
const MIN_NEW_STANDARD_SHARE = 0.85;
const SHOWN_RECORDS = 10;

const reviewerDays = (
  members: readonly DecidedJudgment[],
  isHit: (one: DecidedJudgment) => boolean,
): ReviewerDay[] =>
  [...Map.groupBy(members, (one) => `${Math.floor(one.createdAt / DAY_MS)} ${one.reviewerId}`).values()].map(
    (cell) => ({ hits: cell.filter(isHit).length, total: cell.length }),
  );

const percent = (share: number): string => `${Math.round(share * 100)}%`;
const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;

/**
 * Returns an alert if reviewers' standard for a pattern drifted or is new; otherwise undefined. A place without earlier
 * judgments gets no alert, since every standard would be new there.
 */
export function detectDrift(
  patternId: string,
  pattern: FoundPattern,
  { now, judgedSince }: { now: number; judgedSince: number },
): AlertCandidate | undefined {
  const age = ({ createdAt }: DecidedJudgment) => (now - createdAt) / DAY_MS;
  const recent = pattern.members.filter((one) => age(one) <= RECENT_DAYS);
  const earlier = pattern.members.filter((one) => age(one) > RECENT_DAYS && age(one) <= EARLIER_DAYS);
  const of = pattern.contentType === '' ? '' : ` for ${titleOfType(pattern.contentType)}`;
  const evidence = (before: number, current: number, metric: 'enforcementRate' | 'violationRate') => ({
    metric,
    baseline: rounded(before),
    current: rounded(current),
    window: `${RECENT_DAYS} days against the ${EARLIER_DAYS - RECENT_DAYS} days before`,
    sourceRecordIds: recent
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .slice(0, SHOWN_RECORDS)
      .map(({ judgmentId }) => judgmentId),
    knowledgeSourceId: null,
    ruleRef: patternId,
  });
  const place = { organizationId: pattern.organizationId };
  if (earlier.length >= MIN_EARLIER && recent.length >= MIN_RECENT) {
    const rejected = earlier.filter(({ side }) => side === 'reject').length;
    const standard = rejected * 2 > earlier.length ? 'reject' : 'approve';
    const breaks = ({ side }: DecidedJudgment) => side !== standard;
    const { before, after, deviations } = compareShares(
      reviewerDays(earlier, breaks),
      reviewerDays(recent, breaks),
    );
    if (deviations < DEVIATIONS || after - before < MIN_SHIFT) return undefined;
    return {
      ...place,
      alertType: 'standards_drift',
      severity: after >= 0.5 ? 'high' : 'medium',
      title: `Reviewers decide otherwise than before${of}`,
      description: `What reviewers used to ${standard} they now decide against in ${percent(after)} of cases, up from ${percent(before)}.`,
      evidence: evidence(before, after, 'violationRate'),
      suggestedAction: 'Look at the newest judgments and settle which standard holds.',
      dedupKey: `standards_drift:violationRate:${patternId}`,
    };
  }
  const reviewers = new Set(recent.map(({ reviewerId }) => reviewerId)).size;
  const leading = recent.filter(({ side }) => side === pattern.side).length;
  const isNew =
    now - judgedSince > RECENT_DAYS * DAY_MS && pattern.members.every((one) => age(one) <= RECENT_DAYS);
  if (!isNew || recent.length < MIN_NEW_STANDARD || reviewers < 2) return undefined;
  const rate = leading / recent.length;
  if (rate < MIN_NEW_STANDARD_SHARE) return undefined;
  return {
    ...place,
    alertType: 'emerging_standard',
    severity: 'low',
    title: `Reviewers begin to ${pattern.side} alike${of}`,
    description: `${reviewers} reviewers decided ${recent.length} similar cases within ${RECENT_DAYS} days, and ${percent(rate)} of them the same way.`,
    evidence: evidence(0, rate, 'enforcementRate'),
    suggestedAction: 'Write it down as a rule if it is meant to last.',
    dedupKey: `emerging_standard:enforcementRate:${patternId}`,
  };
}
