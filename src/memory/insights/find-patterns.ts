import { MIN_SUPPORT, type PatternRow } from '../../store/memory/patterns.ts';
import { type Group, groupByMeaning, type Vectored } from './cluster-by-meaning.ts';
import { wilsonLowerBound } from './significance.ts';

/** A judgment that approves or rejects, with the direction of its texts. */
export interface DecidedJudgment extends Vectored {
  judgmentId: string;
  organizationId: string;
  contentType: string;
  side: 'approve' | 'reject';
  reviewerId: string;
  createdAt: number;
  /** True if the direction includes the reviewed text; otherwise it covers decision and reasoning only. */
  knowsContent: boolean;
}

export interface FoundPattern
  extends Omit<PatternRow, 'apiKeyId' | 'patternId' | 'discoveredAt' | 'updatedAt'> {
  /** Supporting judgments, the most typical first. */
  members: DecidedJudgment[];
}

/**
 * Minimum similarity of judgments about the same thing. Reasonings are more alike than their subjects. Chosen on twenty
 * topics in three wordings each: 24 of 25 groups were of one topic.
 */
const MIN_SIMILARITY = { withContent: 0.6, alone: 0.69 };
const MIN_OF_A_SIDE = 2;
/** Minimum share of the leading side; below it, a pattern is divided. */
const MIN_LEADING_SHARE = 2 / 3;
const KEPT_RECORDS = 20;
/** Limit per place; those with most support are kept. */
const MAX_PATTERNS = 100;
const STALE_SHARE = 0.7;

/** Finds the patterns among the judgments of a place, by content type. */
export async function findPatterns(
  organizationId: string,
  judgments: readonly DecidedJudgment[],
): Promise<FoundPattern[]> {
  const found: FoundPattern[] = [];
  // Oldest first, so that groups start from the same judgments at each run.
  const ordered = judgments.toSorted(
    (a, b) => a.createdAt - b.createdAt || compareText(a.judgmentId, b.judgmentId),
  );
  const kinds = Map.groupBy(ordered, ({ contentType, knowsContent }) => `${knowsContent} ${contentType}`);
  for (const items of kinds.values()) {
    const minimum = items[0]!.knowsContent ? MIN_SIMILARITY.withContent : MIN_SIMILARITY.alone;
    for (const group of await groupByMeaning(items, minimum)) {
      const pattern = patternOf(organizationId, group);
      if (pattern) found.push(pattern);
    }
  }
  return found
    .toSorted((a, b) => b.sourceCount - a.sourceCount || compareText(a.recordIds[0]!, b.recordIds[0]!))
    .slice(0, MAX_PATTERNS);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function patternOf(organizationId: string, { members }: Group<DecidedJudgment>): FoundPattern | undefined {
  const approving = members.filter(({ side }) => side === 'approve');
  const rejecting = members.filter(({ side }) => side === 'reject');
  const isRejected = rejecting.length > approving.length;
  const [leading, others] = isRejected ? [rejecting, approving] : [approving, rejecting];
  if (members.length < MIN_SUPPORT || leading.length < MIN_OF_A_SIDE) return undefined;
  // A pattern of a single organization is reported there.
  const places = new Set(members.map((one) => one.organizationId));
  if (organizationId === '' && places.size === 1 && !places.has('')) return undefined;
  const times = members.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b);
  return {
    organizationId,
    contentType: members[0]!.contentType,
    side: leading.length / members.length < MIN_LEADING_SHARE ? 'split' : isRejected ? 'reject' : 'approve',
    sourceCount: members.length,
    leadingCount: leading.length,
    uniqueReviewers: new Set(members.map(({ reviewerId }) => reviewerId)).size,
    confidence: Math.round(wilsonLowerBound(leading.length, members.length) * 1_000) / 1_000,
    recordIds: [...leading, ...others].slice(0, KEPT_RECORDS).map(({ judgmentId }) => judgmentId),
    mostlyBefore: times[Math.floor(times.length * STALE_SHARE)]!,
    members,
  };
}

/**
 * Maps each pattern to its earlier row: the one with which it shares at least half of the row's remaining judgments.
 */
export function matchEarlierPatterns(
  found: readonly FoundPattern[],
  earlier: readonly PatternRow[],
): Map<FoundPattern, PatternRow> {
  const homes = new Map(
    found.flatMap((one) => one.members.map(({ judgmentId }) => [judgmentId, one] as const)),
  );
  const claims = earlier.flatMap((row) => {
    const placed = row.recordIds.flatMap((id) => homes.get(id) ?? []);
    const counts = Map.groupBy(placed, (one) => one);
    return [...counts]
      .map(([one, hits]) => ({ row, one, shared: hits.length }))
      .filter(({ one, shared }) => one.contentType === row.contentType && shared * 2 >= placed.length);
  });
  const known = new Map<FoundPattern, PatternRow>();
  const taken = new Set<string>();
  for (const { row, one } of claims.toSorted(
    (a, b) =>
      b.shared - a.shared ||
      a.row.discoveredAt - b.row.discoveredAt ||
      compareText(a.row.patternId, b.row.patternId),
  )) {
    if (known.has(one) || taken.has(row.patternId)) continue;
    known.set(one, row);
    taken.add(row.patternId);
  }
  return known;
}

/** True if a pattern is the same as its earlier row. */
export const isUnchanged = (found: FoundPattern, row: PatternRow): boolean =>
  found.side === row.side &&
  found.sourceCount === row.sourceCount &&
  found.leadingCount === row.leadingCount &&
  found.uniqueReviewers === row.uniqueReviewers &&
  found.mostlyBefore === row.mostlyBefore &&
  JSON.stringify(found.recordIds) === JSON.stringify(row.recordIds);
