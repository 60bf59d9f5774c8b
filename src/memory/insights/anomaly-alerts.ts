import type { DailyTally } from '../../store/memory/insight-queries.ts';
import { type AlertCandidate, titleOfType } from './alert-candidate.ts';
import { compareShares, compareVolumes, type ReviewerDay } from './significance.ts';

const RECENT_DAYS = 7;
const BASELINE_DAYS = 30;
/** Days of counts that `findAnomalies` needs. */
export const COUNTED_DAYS = RECENT_DAYS + BASELINE_DAYS;
const MIN_RECENT = 20;
const MIN_BASELINE = 50;
const MIN_RATE_SHIFT = 0.2;
const MIN_WEEKLY = 20;
const DROPS_TO = 0.4;
const RISES_TO = 2.5;
/** Standard errors; chance alone exceeds this once in several thousand comparisons. */
const DEVIATIONS = 3.5;
/** The baseline must reach back at least this far. */
const KNOWN_SINCE_DAYS = 28;

const window = `${RECENT_DAYS} days against the ${BASELINE_DAYS} days before`;
const isRecent = ({ daysAgo }: DailyTally) => daysAgo < RECENT_DAYS;
const percent = (share: number): string => `${Math.round(share * 100)}%`;
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/**
 * Finds unusual approval rates and volumes of the last days, overall and by content type. The evidence lacks its
 * judgments.
 */
export function findAnomalies(
  tallies: readonly DailyTally[],
): (AlertCandidate & { contentType: string | undefined })[] {
  const counted = tallies.filter(({ daysAgo }) => daysAgo < COUNTED_DAYS);
  const overall = anomaliesOf(undefined, counted);
  const reported = new Set(overall.map(({ evidence }) => evidence.metric));
  const kinds = [...Map.groupBy(counted, ({ contentType }) => contentType)];
  const byKind = kinds.flatMap(([kind, of]) => (kind === '' ? [] : anomaliesOf(kind, of)));
  // An overall anomaly is not repeated for each content type.
  return [...overall, ...byKind.filter(({ evidence }) => !reported.has(evidence.metric))];
}

function anomaliesOf(contentType: string | undefined, tallies: readonly DailyTally[]) {
  if (!tallies.some(({ daysAgo }) => daysAgo >= KNOWN_SINCE_DAYS)) return [];
  return [rateAnomaly(contentType, tallies), volumeAnomaly(contentType, tallies)]
    .filter((one) => one !== undefined)
    .map((one) => ({ ...one, contentType }));
}

const reviewerDays = (tallies: readonly DailyTally[]): ReviewerDay[] =>
  [...Map.groupBy(tallies, ({ daysAgo, reviewerId }) => `${daysAgo} ${reviewerId}`).values()].flatMap(
    (of) => {
      const hits = of.reduce((all, { approved }) => all + approved, 0);
      const total = of.reduce((all, { approved, rejected }) => all + approved + rejected, 0);
      return total === 0 ? [] : [{ hits, total }];
    },
  );

const countDecisions = (of: readonly ReviewerDay[]): number => of.reduce((all, { total }) => all + total, 0);

function rateAnomaly(
  contentType: string | undefined,
  tallies: readonly DailyTally[],
): AlertCandidate | undefined {
  const recent = reviewerDays(tallies.filter(isRecent));
  const earlier = reviewerDays(tallies.filter((one) => !isRecent(one)));
  if (countDecisions(recent) < MIN_RECENT || countDecisions(earlier) < MIN_BASELINE) return undefined;
  const { before, after, deviations } = compareShares(earlier, recent);
  const shift = Math.abs(after - before);
  if (Math.abs(deviations) < DEVIATIONS || shift < MIN_RATE_SHIFT) return undefined;
  const word = after < before ? 'dropped' : 'rose';
  return {
    ...alertOf('approvalRate', contentType, before, after),
    severity: shift >= 0.4 ? 'high' : 'medium',
    title: `Approval rate ${word} significantly${forType(contentType)}`,
    description: `Reviewers approved ${percent(after)} of ${countDecisions(recent)} decisions in the last ${RECENT_DAYS} days, against ${percent(before)} of ${countDecisions(earlier)} in the ${BASELINE_DAYS} days before.`,
    suggestedAction:
      'Look at the newest judgments for what changed: the content, the reviewers or the standard.',
  };
}

function volumeAnomaly(
  contentType: string | undefined,
  tallies: readonly DailyTally[],
): AlertCandidate | undefined {
  const days = new Array<number>(COUNTED_DAYS).fill(0);
  for (const { daysAgo, total } of tallies) days[daysAgo]! += total;
  // Whole weeks, since weekends differ from weekdays.
  const earlier = days.slice(RECENT_DAYS, RECENT_DAYS + 28);
  const { expected, total, deviations } = compareVolumes(earlier, days.slice(0, RECENT_DAYS));
  const isOdd = total <= expected * DROPS_TO || total >= expected * RISES_TO;
  if (expected < MIN_WEEKLY || Math.abs(deviations) < DEVIATIONS || !isOdd) return undefined;
  const word = total < expected ? 'dropped' : 'rose';
  return {
    ...alertOf('volume', contentType, expected, total),
    severity: total === 0 ? 'high' : 'medium',
    title: `Review volume ${word} significantly${forType(contentType)}`,
    description: `There were ${total} judgments in the last ${RECENT_DAYS} days, where the weeks before had ${Math.round(expected)} on average.`,
    suggestedAction:
      total < expected
        ? 'See whether reviews are stuck, or judgments no longer arrive.'
        : 'See whether there are enough reviewers, or judgments arrive twice.',
  };
}

const forType = (contentType: string | undefined): string =>
  contentType === undefined ? '' : ` for ${titleOfType(contentType)}`;

const alertOf = (
  metric: 'approvalRate' | 'volume',
  contentType: string | undefined,
  baseline: number,
  current: number,
): Pick<AlertCandidate, 'organizationId' | 'alertType' | 'evidence' | 'dedupKey'> => ({
  organizationId: '',
  alertType: 'anomaly',
  evidence: {
    metric,
    baseline: rounded(baseline),
    current: rounded(current),
    window,
    sourceRecordIds: [],
    knowledgeSourceId: null,
    ruleRef: null,
  },
  dedupKey: `anomaly:${metric}${contentType === undefined ? '' : `:${contentType}`}`,
});
