import type { Tally } from '../../store/memory/insight-queries.ts';
import { type AlertCandidate, nameOfKind } from './alert-candidate.ts';
import { compareShares, compareVolumes, type ReviewerDay } from './significance.ts';

const RECENT_DAYS = 7;
const BASELINE_DAYS = 30;
/** As far back as must be counted. */
export const COUNTED_DAYS = RECENT_DAYS + BASELINE_DAYS;
const MIN_RECENT = 20;
const MIN_BASELINE = 50;
const MIN_RATE_SHIFT = 0.2;
const MIN_WEEKLY = 20;
const DROPS_TO = 0.4;
const RISES_TO = 2.5;
/** So that chance alone does it once in thousands of looks. */
const DEVIATIONS = 3.5;
/** Before so many days ago somebody must have judged already, or there is nothing to compare with. */
const KNOWN_SINCE_DAYS = 28;

const window = `${RECENT_DAYS} days against the ${BASELINE_DAYS} days before`;
const isRecent = ({ daysAgo }: Tally) => daysAgo < RECENT_DAYS;
const percent = (share: number): string => `${Math.round(share * 100)}%`;
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** What is unusual about the last days, over all content and of each kind by itself. Evidence lacks its judgments. */
export function findAnomalies(
  tallies: readonly Tally[],
): (AlertCandidate & { contentType: string | undefined })[] {
  const counted = tallies.filter(({ daysAgo }) => daysAgo < COUNTED_DAYS);
  const overall = anomaliesOf(undefined, counted);
  const told = new Set(overall.map(({ evidence }) => evidence.metric));
  const kinds = [...Map.groupBy(counted, ({ contentType }) => contentType)];
  const byKind = kinds.flatMap(([kind, of]) => (kind === '' ? [] : anomaliesOf(kind, of)));
  // What is told of all content is not told of each kind again.
  return [...overall, ...byKind.filter(({ evidence }) => !told.has(evidence.metric))];
}

function anomaliesOf(contentType: string | undefined, tallies: readonly Tally[]) {
  if (!tallies.some(({ daysAgo }) => daysAgo >= KNOWN_SINCE_DAYS)) return [];
  return [rateAnomaly(contentType, tallies), volumeAnomaly(contentType, tallies)]
    .filter((one) => one !== undefined)
    .map((one) => ({ ...one, contentType }));
}

/** Decisions of each person on each day. */
const cells = (tallies: readonly Tally[]): ReviewerDay[] =>
  [...Map.groupBy(tallies, ({ daysAgo, reviewerId }) => `${daysAgo} ${reviewerId}`).values()].flatMap(
    (of) => {
      const hits = of.reduce((all, { approved }) => all + approved, 0);
      const total = of.reduce((all, { approved, rejected }) => all + approved + rejected, 0);
      return total === 0 ? [] : [{ hits, total }];
    },
  );

const many = (of: readonly ReviewerDay[]): number => of.reduce((all, { total }) => all + total, 0);

function rateAnomaly(contentType: string | undefined, tallies: readonly Tally[]): AlertCandidate | undefined {
  const recent = cells(tallies.filter(isRecent));
  const earlier = cells(tallies.filter((one) => !isRecent(one)));
  if (many(recent) < MIN_RECENT || many(earlier) < MIN_BASELINE) return undefined;
  const { before, after, deviations } = compareShares(earlier, recent);
  const shift = Math.abs(after - before);
  if (Math.abs(deviations) < DEVIATIONS || shift < MIN_RATE_SHIFT) return undefined;
  const word = after < before ? 'dropped' : 'rose';
  return {
    ...frame('approvalRate', contentType, before, after),
    severity: shift >= 0.4 ? 'high' : 'medium',
    title: `Approval rate ${word} significantly${ofKind(contentType)}`,
    description: `Reviewers approved ${percent(after)} of ${many(recent)} decisions in the last ${RECENT_DAYS} days, against ${percent(before)} of ${many(earlier)} in the ${BASELINE_DAYS} days before.`,
    suggestedAction:
      'Look at the newest judgments for what changed: the content, the reviewers or the standard.',
  };
}

function volumeAnomaly(
  contentType: string | undefined,
  tallies: readonly Tally[],
): AlertCandidate | undefined {
  const days = new Array<number>(COUNTED_DAYS).fill(0);
  for (const { daysAgo, total } of tallies) days[daysAgo]! += total;
  // Whole weeks, since weekends differ from other days.
  const earlier = days.slice(RECENT_DAYS, RECENT_DAYS + 28);
  const { expected, total, deviations } = compareVolumes(earlier, days.slice(0, RECENT_DAYS));
  const isOdd = total <= expected * DROPS_TO || total >= expected * RISES_TO;
  if (expected < MIN_WEEKLY || Math.abs(deviations) < DEVIATIONS || !isOdd) return undefined;
  const word = total < expected ? 'dropped' : 'rose';
  return {
    ...frame('volume', contentType, expected, total),
    severity: total === 0 ? 'high' : 'medium',
    title: `Review volume ${word} significantly${ofKind(contentType)}`,
    description: `There were ${total} judgments in the last ${RECENT_DAYS} days, where the weeks before had ${Math.round(expected)} on average.`,
    suggestedAction:
      total < expected
        ? 'See whether reviews are stuck, or judgments no longer arrive.'
        : 'See whether there are enough reviewers, or judgments arrive twice.',
  };
}

const ofKind = (contentType: string | undefined): string =>
  contentType === undefined ? '' : ` for ${nameOfKind(contentType)}`;

const frame = (
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
