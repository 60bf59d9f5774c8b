import { MIN_SUPPORT, type PatternRow } from '../../store/memory/patterns.ts';
import { type Group, groupByMeaning, type Vectored } from './cluster-by-meaning.ts';
import { wilsonLowerBound } from './significance.ts';

/** A judgment that takes a side, with the direction of what it is about and why. */
export interface Decided extends Vectored {
  judgmentId: string;
  organizationId: string;
  contentType: string;
  side: 'approve' | 'reject';
  reviewerId: string;
  createdAt: number;
  /** Whether the direction is also of what was reviewed; else of decision and reasoning alone. */
  knowsContent: boolean;
}

export interface FoundPattern
  extends Omit<PatternRow, 'apiKeyId' | 'patternId' | 'discoveredAt' | 'updatedAt'> {
  /** All that it rests on, the most typical first. */
  members: Decided[];
}

/**
 * From this cosine on, two judgments are about the same. Reasonings are more alike than what they are about. Chosen on
 * twenty topics in three wordings each, of which 24 of 25 groups were of one topic.
 */
const SAME_FROM = { withContent: 0.6, alone: 0.69 };
const MIN_OF_A_SIDE = 2;
/** Of a pattern that is followed less often than this, one cannot say which side reviewers take. */
const LEADS_FROM = 2 / 3;
const KEPT_RECORDS = 20;
/** Of one place; those with most support. */
const MAX_PATTERNS = 100;
const STALE_SHARE = 0.7;

/** What the judgments of a place have in common, of each kind of content by itself. */
export async function findPatterns(
  organizationId: string,
  decided: readonly Decided[],
): Promise<FoundPattern[]> {
  const found: FoundPattern[] = [];
  // The oldest first, so that groups begin with the same ones as long as those are there.
  const ordered = decided.toSorted(
    (a, b) => a.createdAt - b.createdAt || compare(a.judgmentId, b.judgmentId),
  );
  const kinds = Map.groupBy(ordered, ({ contentType, knowsContent }) => `${knowsContent} ${contentType}`);
  for (const items of kinds.values()) {
    const least = items[0]!.knowsContent ? SAME_FROM.withContent : SAME_FROM.alone;
    for (const group of await groupByMeaning(items, least)) {
      const pattern = patternOf(organizationId, group);
      if (pattern) found.push(pattern);
    }
  }
  return found
    .toSorted((a, b) => b.sourceCount - a.sourceCount || compare(a.recordIds[0]!, b.recordIds[0]!))
    .slice(0, MAX_PATTERNS);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function patternOf(organizationId: string, { members }: Group<Decided>): FoundPattern | undefined {
  const approving = members.filter(({ side }) => side === 'approve');
  const rejecting = members.filter(({ side }) => side === 'reject');
  const isRejected = rejecting.length > approving.length;
  const [leading, others] = isRejected ? [rejecting, approving] : [approving, rejecting];
  if (members.length < MIN_SUPPORT || leading.length < MIN_OF_A_SIDE) return undefined;
  // What holds in one organization is told there.
  const places = new Set(members.map((one) => one.organizationId));
  if (organizationId === '' && places.size === 1 && !places.has('')) return undefined;
  const times = members.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b);
  return {
    organizationId,
    contentType: members[0]!.contentType,
    side: leading.length / members.length < LEADS_FROM ? 'split' : isRejected ? 'reject' : 'approve',
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
 * Which of the patterns of before are found again: by the judgments that they rest on, where at least half of
 * those that are still filtered at lie in the new one. Answers the earlier row of each, if there is one.
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
      compare(a.row.patternId, b.row.patternId),
  )) {
    if (known.has(one) || taken.has(row.patternId)) continue;
    known.set(one, row);
    taken.add(row.patternId);
  }
  return known;
}

/** Whether a pattern that was found again says the same as before. */
export const isUnchanged = (found: FoundPattern, row: PatternRow): boolean =>
  found.side === row.side &&
  found.sourceCount === row.sourceCount &&
  found.leadingCount === row.leadingCount &&
  found.uniqueReviewers === row.uniqueReviewers &&
  found.mostlyBefore === row.mostlyBefore &&
  JSON.stringify(found.recordIds) === JSON.stringify(row.recordIds);
