import type { ReviewerProfile } from '../../db/tables/memory-insight-tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import type { HumanJudgment } from '../../store/memory/insight-queries.ts';
import type { PastDecision } from './predict-decision.ts';

const RECENT_DAYS = 90;
const EARLIER_DAYS = 365;
const MIN_SHIFT = 0.25;
/** Minimum number of decisions before and after a shift. */
const MIN_DECIDED = 5;
const MAX_FLAGS = 10;
const MAX_TYPES = 20;
const MAX_HOURS = 3;
const MAX_ORGANIZATIONS = 100;
/** Minimum number of judgments for predictions. */
const MIN_PREDICTABLE = 50;
/** Number of the newest decisions that are predicted to measure accuracy. */
const MAX_SAMPLED = 200;

interface SideCounts {
  judgments: number;
  approvals: number;
  rejections: number;
}
const noCounts = (): SideCounts => ({ judgments: 0, approvals: 0, rejections: 0 });
const rateOf = ({ approvals, rejections }: SideCounts): number =>
  approvals + rejections === 0 ? 0 : approvals / (approvals + rejections);

/** Running totals of one reviewer; judgments are added newest first. */
export interface ProfileStats {
  userId: string;
  name: string;
  email: string;
  all: SideCounts;
  lastActive: number;
  /** Id of the newest judgment. */
  judgmentId: string;
  reviewMs: number;
  reviewed: number;
  flags: Map<string, number>;
  kinds: Map<string, { all: SideCounts; recent: SideCounts; earlier: SideCounts }>;
  hours: number[];
  organizations: Map<string, SideCounts>;
  /** Decisions on known content, newest first. */
  sampledDecisions: PastDecision[];
}

const newStats = ({ reviewerId, actionUser, createdAt, judgmentId }: HumanJudgment): ProfileStats => ({
  userId: reviewerId,
  name: typeof actionUser.name === 'string' ? actionUser.name : '',
  email: typeof actionUser.email === 'string' ? actionUser.email : '',
  all: noCounts(),
  lastActive: createdAt,
  judgmentId,
  reviewMs: 0,
  reviewed: 0,
  flags: new Map(),
  kinds: new Map(),
  hours: new Array<number>(24).fill(0),
  organizations: new Map(),
  sampledDecisions: [],
});

const add = (to: SideCounts, side: ReturnType<typeof sideOf>): void => {
  to.judgments += 1;
  if (side === 'approve') to.approvals += 1;
  if (side === 'reject') to.rejections += 1;
};

const getOrCreate = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const present = map.get(key) ?? make();
  map.set(key, present);
  return present;
};

export function addJudgment(byReviewer: Map<string, ProfileStats>, row: HumanJudgment, now: number): void {
  const stats = getOrCreate(byReviewer, row.reviewerId, () => newStats(row));
  const { contentType, createdAt, annotatedAt, judgmentId } = row;
  const side = sideOf(row.decision);
  stats.name ||= typeof row.actionUser.name === 'string' ? row.actionUser.name : '';
  stats.email ||= typeof row.actionUser.email === 'string' ? row.actionUser.email : '';
  add(stats.all, side);
  if (row.organizationId !== '') add(getOrCreate(stats.organizations, row.organizationId, noCounts), side);
  if (annotatedAt !== null && annotatedAt <= createdAt) {
    stats.reviewMs += createdAt - annotatedAt;
    stats.reviewed += 1;
  }
  stats.hours[new Date(createdAt).getUTCHours()]! += 1;
  if (contentType !== '') {
    const kind = getOrCreate(stats.kinds, contentType, () => ({
      all: noCounts(),
      recent: noCounts(),
      earlier: noCounts(),
    }));
    const days = (now - createdAt) / DAY_MS;
    add(kind.all, side);
    if (days <= RECENT_DAYS) add(kind.recent, side);
    else if (days <= EARLIER_DAYS) add(kind.earlier, side);
    if (side === 'reject' || row.decision === 'comment') {
      stats.flags.set(contentType, (stats.flags.get(contentType) ?? 0) + 1);
    }
  }
  if (side && row.hasContent && stats.sampledDecisions.length < MAX_SAMPLED)
    stats.sampledDecisions.push({ judgmentId, side });
}

export const isPredictable = ({ all }: ProfileStats): boolean => all.judgments >= MIN_PREDICTABLE;

const topCounts = <Key>(counts: Iterable<readonly [Key, number]>, limit: number): [Key, number][] =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([key, count]): [Key, number] => [key, count])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit);

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The profile as the API returns it. */
export function profileOf(stats: ProfileStats, twinAccuracy: number | null, now: number): ReviewerProfile {
  const { userId, name, email, all, lastActive, kinds, organizations } = stats;
  const evolved = shiftsOf(stats, now);
  const busiest = topCounts(
    [...organizations].map(([id, { judgments }]) => [id, judgments]),
    MAX_ORGANIZATIONS,
  );
  return {
    userId,
    name,
    email,
    totalJudgments: all.judgments,
    approvalRate: rounded(rateOf(all)),
    avgReviewTimeSeconds: stats.reviewed === 0 ? 0 : Math.round(stats.reviewMs / stats.reviewed / 1_000),
    topFlags: topCounts(stats.flags, MAX_FLAGS).map(([issue, count]) => ({ issue, count })),
    contentTypes: topCounts(
      [...kinds].map(([kind, of]) => [kind, of.all.judgments]),
      MAX_TYPES,
    ).map(([kind]) => kind),
    peakHours: topCounts(stats.hours.entries(), MAX_HOURS).map(([hour]) => hour),
    orgBreakdown: Object.fromEntries(
      busiest.map(([organizationId]) => {
        const of = organizations.get(organizationId)!;
        return [
          organizationId,
          {
            organizationId,
            clientOrganizationId: organizationId,
            judgments: of.judgments,
            approvals: of.approvals,
            approvalRate: rounded(rateOf(of)),
          },
        ];
      }),
    ),
    lastActive,
    twinEligible: isPredictable(stats),
    twinAccuracy: twinAccuracy === null ? null : rounded(twinAccuracy),
    ...(evolved.length > 0 && { evolvedStandards: evolved }),
  };
}

/** Content types on which the reviewer decides differently than before. */
function shiftsOf({ kinds }: ProfileStats, now: number) {
  const decided = ({ approvals, rejections }: SideCounts) => approvals + rejections;
  const inWords = (sides: SideCounts) =>
    `Approved ${Math.round(rateOf(sides) * 100)}% of ${decided(sides)} decisions.`;
  return [...kinds]
    .filter(
      ([, { recent, earlier }]) =>
        Math.min(decided(recent), decided(earlier)) >= MIN_DECIDED &&
        Math.abs(rateOf(recent) - rateOf(earlier)) >= MIN_SHIFT,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_TYPES)
    .map(([topic, { recent, earlier }]) => ({
      topic,
      shiftDate: (Math.floor(now / DAY_MS) - RECENT_DAYS) * DAY_MS,
      oldPattern: inWords(earlier),
      newPattern: inWords(recent),
    }));
}
