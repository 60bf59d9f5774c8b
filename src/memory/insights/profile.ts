import type { ReviewerProfile } from '../../db/tables/memory-insight-tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { sideOf } from '../../shapes/memory/judgment.ts';
import type { HumanJudgment } from '../../store/memory/insight-queries.ts';
import type { PastDecision } from './predict-decision.ts';

const RECENT_DAYS = 90;
const EARLIER_DAYS = 365;
const MIN_SHIFT = 0.25;
/** Decisions before and after, below which a shift is told by chance as easily. */
const MIN_DECIDED = 5;
const MAX_FLAGS = 10;
const MAX_TYPES = 20;
const MAX_HOURS = 3;
const MAX_ORGANIZATIONS = 100;
/** From so many judgments on, a reviewer's next one can be foretold. */
const TWIN_FROM = 50;
/** The newest of them that this is tried on. */
const TRIED = 200;

interface Sides {
  judgments: number;
  approvals: number;
  rejections: number;
}
const noSides = (): Sides => ({ judgments: 0, approvals: 0, rejections: 0 });
const rateOf = ({ approvals, rejections }: Sides): number =>
  approvals + rejections === 0 ? 0 : approvals / (approvals + rejections);

/** What is gathered of one person while their judgments pass by, the newest first. */
export interface ProfileStats {
  userId: string;
  name: string;
  email: string;
  all: Sides;
  lastActive: number;
  /** The newest of them. */
  judgmentId: string;
  reviewMs: number;
  reviewed: number;
  flags: Map<string, number>;
  kinds: Map<string, { all: Sides; recent: Sides; earlier: Sides }>;
  hours: number[];
  organizations: Map<string, Sides>;
  /** Decisions on content that is known, the newest first. */
  tried: PastDecision[];
}

const begin = ({ reviewerId, actionUser, createdAt, judgmentId }: HumanJudgment): ProfileStats => ({
  userId: reviewerId,
  name: typeof actionUser.name === 'string' ? actionUser.name : '',
  email: typeof actionUser.email === 'string' ? actionUser.email : '',
  all: noSides(),
  lastActive: createdAt,
  judgmentId,
  reviewMs: 0,
  reviewed: 0,
  flags: new Map(),
  kinds: new Map(),
  hours: new Array<number>(24).fill(0),
  organizations: new Map(),
  tried: [],
});

const add = (to: Sides, side: ReturnType<typeof sideOf>): void => {
  to.judgments += 1;
  if (side === 'approve') to.approvals += 1;
  if (side === 'reject') to.rejections += 1;
};

const within = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const present = map.get(key) ?? make();
  map.set(key, present);
  return present;
};

/** Adds a judgment to what is known of its reviewer. */
export function addJudgment(portraits: Map<string, ProfileStats>, row: HumanJudgment, now: number): void {
  const portrait = within(portraits, row.reviewerId, () => begin(row));
  const { contentType, createdAt, annotatedAt, judgmentId } = row;
  const side = sideOf(row.decision);
  portrait.name ||= typeof row.actionUser.name === 'string' ? row.actionUser.name : '';
  portrait.email ||= typeof row.actionUser.email === 'string' ? row.actionUser.email : '';
  add(portrait.all, side);
  if (row.organizationId !== '') add(within(portrait.organizations, row.organizationId, noSides), side);
  if (annotatedAt !== null && annotatedAt <= createdAt) {
    portrait.reviewMs += createdAt - annotatedAt;
    portrait.reviewed += 1;
  }
  portrait.hours[new Date(createdAt).getUTCHours()]! += 1;
  if (contentType !== '') {
    const kind = within(portrait.kinds, contentType, () => ({
      all: noSides(),
      recent: noSides(),
      earlier: noSides(),
    }));
    const days = (now - createdAt) / DAY_MS;
    add(kind.all, side);
    if (days <= RECENT_DAYS) add(kind.recent, side);
    else if (days <= EARLIER_DAYS) add(kind.earlier, side);
    if (side === 'reject' || row.decision === 'comment') {
      portrait.flags.set(contentType, (portrait.flags.get(contentType) ?? 0) + 1);
    }
  }
  if (side && row.hasContent && portrait.tried.length < TRIED) portrait.tried.push({ judgmentId, side });
}

export const isPredictable = ({ all }: ProfileStats): boolean => all.judgments >= TWIN_FROM;

const most = <Key>(counts: Iterable<readonly [Key, number]>, limit: number): [Key, number][] =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([key, count]): [Key, number] => [key, count])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit);

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The profile that the wire shows. */
export function profileOf(portrait: ProfileStats, twinAccuracy: number | null, now: number): ReviewerProfile {
  const { userId, name, email, all, lastActive, kinds, organizations } = portrait;
  const evolved = shiftsOf(portrait, now);
  const busiest = most(
    [...organizations].map(([id, { judgments }]) => [id, judgments]),
    MAX_ORGANIZATIONS,
  );
  return {
    userId,
    name,
    email,
    totalJudgments: all.judgments,
    approvalRate: rounded(rateOf(all)),
    avgReviewTimeSeconds:
      portrait.reviewed === 0 ? 0 : Math.round(portrait.reviewMs / portrait.reviewed / 1_000),
    topFlags: most(portrait.flags, MAX_FLAGS).map(([issue, count]) => ({ issue, count })),
    contentTypes: most(
      [...kinds].map(([kind, of]) => [kind, of.all.judgments]),
      MAX_TYPES,
    ).map(([kind]) => kind),
    peakHours: most(portrait.hours.entries(), MAX_HOURS).map(([hour]) => hour),
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
    twinEligible: isPredictable(portrait),
    twinAccuracy: twinAccuracy === null ? null : rounded(twinAccuracy),
    ...(evolved.length > 0 && { evolvedStandards: evolved }),
  };
}

/** Kinds of content on which the person decides otherwise than they used to. */
function shiftsOf({ kinds }: ProfileStats, now: number) {
  const decided = ({ approvals, rejections }: Sides) => approvals + rejections;
  const inWords = (sides: Sides) =>
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
