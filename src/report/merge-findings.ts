import type { Finding, Severity } from '../shapes/agents/execution.ts';
import { SEVERITY_RANKS } from './severity-ranks.ts';

/** A finding of one agent, on its page. */
export interface FoundBy {
  agentId: string;
  finding: Finding;
}

/** The findings of several agents about one fault; the first says the most about it. */
export type MergedFinding = [FoundBy, ...FoundBy[]];

/**
 * Merges the findings of one page over the agents that report them, in the order in which they come. An agent's own
 * findings are merged only if they are the same finding, which two of its runs may report.
 */
export function mergeFindings(found: readonly FoundBy[]): MergedFinding[] {
  const merged: MergedFinding[] = [];
  const groups = new Map<string, MergedFinding[]>();
  for (const one of found) {
    const keys = keysOf(one);
    const same = keys
      .flatMap((key) => groups.get(key) ?? [])
      .find((group) => group.every((other) => areSame(one, other)));
    if (same) same.push(one);
    const group: MergedFinding = same ?? [one];
    if (!same) merged.push(group);
    for (const key of keys) {
      const known = groups.get(key);
      if (!known) groups.set(key, [group]);
      else if (!known.includes(group)) known.push(group);
    }
  }
  return merged.map(byDetail);
}

/** Layout may shift by a pixel between two loads. */
const SAME_PX = 2;

/** Findings that share none of these are never the same. */
const keysOf = ({ agentId, finding: { fingerprint, issueType, url } }: FoundBy): string[] => [
  ...(fingerprint === undefined ? [] : [`finding ${agentId} ${fingerprint}`]),
  ...(url === undefined ? [] : [`address ${url}`]),
  `type ${issueType}`,
];

function areSame(one: FoundBy, other: FoundBy): boolean {
  const [a, b] = [one.finding, other.finding];
  if (one.agentId === other.agentId) return a.fingerprint !== undefined && a.fingerprint === b.fingerprint;
  const sameAddress = a.url !== undefined && a.url === b.url;
  if (a.issueType !== b.issueType && !sameAddress) return false;
  if (a.url !== b.url && a.url !== undefined && b.url !== undefined) return false;
  return agree(a.targetText, b.targetText) && areAtSamePlace(a, b);
}

/** Libraries write selectors of one element in different ways, so positions decide where they are known. */
function areAtSamePlace(one: Finding, other: Finding): boolean {
  const [a, b] = [one.position, other.position];
  if (!a || !b) return agree(placeOf(one), placeOf(other));
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) <= SAME_PX);
}

/** True unless both are known and differ: an audit often names no element. */
const agree = (one: string, other: string): boolean => one === other || one === '' || other === '';

const placeOf = ({ htmlSelector, occurrence, targetText }: Finding): string =>
  targetText === '' ? htmlSelector : String(occurrence);

/** The finding that names its place best comes first, since people see its words. */
const byDetail = (all: MergedFinding): MergedFinding =>
  all.toSorted((one, other) => detailOf(other.finding) - detailOf(one.finding)) as MergedFinding;

const detailOf = ({ position, htmlSelector, targetText, suggestion }: Finding): number =>
  [position !== undefined, htmlSelector !== '', targetText !== '', suggestion !== ''].filter(Boolean).length;

/** The gravest of the severities. */
export const gravest = (all: readonly Severity[]): Severity =>
  all.reduce((one, other) => (SEVERITY_RANKS[other] < SEVERITY_RANKS[one] ? other : one));
