import type { Decider, Position, Severity } from '@redpen/client';
import { rankOf } from '../theme/severities.ts';

export type Decision = 'undecided' | 'accepted' | 'rejected' | 'resolved';

/** A finding of a list over runs, of a run, or of a report: they differ in what else they say. */
export interface ListedFinding {
  /** Decisions are sent for this id, so it is that of `findings/list` where people decide. */
  id: string;
  title: string;
  severity: Severity;
  description?: string | undefined;
  issueType?: string | undefined;
  suggestion?: string | undefined;
  targetText?: string | undefined;
  context?: { before: string; after: string } | undefined;
  htmlSelector?: string | undefined;
  htmlSnippet?: string | undefined;
  /** The address that it is about. */
  url?: string | undefined;
  statusCode?: number | undefined;
  /** Address of the page: `pageUrl` in lists and reports, `sourceUrl` in runs. */
  pageUrl?: string | undefined;
  sourceUrl?: string | undefined;
  agentName?: string | undefined;
  agents?: readonly string[] | undefined;
  position?: Position | undefined;
  outsideScreenshot?: boolean | undefined;
  decision?: Exclude<Decision, 'undecided'> | undefined;
  /** The person, or in reports the name. */
  decidedBy?: Decider | string | undefined;
  decidedAt?: number | undefined;
  reason?: string | undefined;
  comparison?: 'new' | 'still_there' | undefined;
  state?: 'new' | 'still_there' | 'fixed' | undefined;
  seenCount?: number | undefined;
  /** In reports: its number, and why it does not count. */
  number?: number | undefined;
  ignored?: 'baseline' | 'decision' | undefined;
}

export type GroupBy = 'rule' | 'severity' | 'page' | 'agent' | 'none';

/** What is known about rules, as in reports and in `agents/rules`. */
export type RuleBook = Readonly<
  Record<string, { title: string; help?: string | undefined; helpUrl?: string | undefined }>
>;

export interface Group {
  key: string;
  title: string;
  /** The gravest of its findings. */
  severity: Severity;
  findings: readonly ListedFinding[];
}

export const pageOf = ({ pageUrl, sourceUrl }: ListedFinding): string => pageUrl ?? sourceUrl ?? '';

/** A tag such as `broken-link`, as words. */
const spokenTag = (tag: string): string => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ');

/** What readers know a page by: its path, or its host if it is the first of the site. */
export function shortAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, search } = new URL(address);
  return pathname === '/' && search === '' ? host : pathname + search;
}

function keyOf(finding: ListedFinding, by: GroupBy): string {
  switch (by) {
    case 'rule':
      return finding.issueType ?? finding.title;
    case 'severity':
      return finding.severity;
    case 'page':
      return pageOf(finding);
    case 'agent':
      return finding.agentName ?? finding.agents?.join(', ') ?? '';
    case 'none':
      return '';
  }
}

const titleOf = (key: string, by: GroupBy, first: ListedFinding, rules: RuleBook): string => {
  if (by === 'rule')
    return rules[key]?.title ?? (first.issueType === undefined ? first.title : spokenTag(key));
  return by === 'page' ? shortAddress(key) : key;
};

/** Groups with the gravest first; within a group findings are in the order of severity, page and number. */
export function groupFindings(
  findings: readonly ListedFinding[],
  by: GroupBy,
  rules: RuleBook = {},
): Group[] {
  const groups = Map.groupBy(findings, (finding) => keyOf(finding, by));
  return [...groups]
    .map(([key, all]): Group => {
      const sorted = all.toSorted(
        (one, other) =>
          rankOf(one.severity) - rankOf(other.severity) ||
          compare(pageOf(one), pageOf(other)) ||
          (one.number ?? 0) - (other.number ?? 0),
      );
      const [first] = sorted;
      return { key, title: titleOf(key, by, first!, rules), severity: first!.severity, findings: sorted };
    })
    .sort(
      (one, other) =>
        rankOf(one.severity) - rankOf(other.severity) ||
        other.findings.length - one.findings.length ||
        compare(one.title, other.title),
    );
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** True if no person has rejected or resolved it, and no baseline has it. */
export const isOpen = (finding: ListedFinding, decision: Decision | undefined): boolean =>
  decision !== 'rejected' &&
  decision !== 'resolved' &&
  (decision !== undefined || finding.ignored === undefined) &&
  finding.state !== 'fixed';

export interface Filter {
  /** None stands for all. */
  severities: ReadonlySet<Severity>;
  show: 'open' | 'decided' | 'all';
  text: string;
}

/** True if all words of the filter are in what people read of the finding. */
export function matches(finding: ListedFinding, filter: Filter, decision: Decision | undefined): boolean {
  if (filter.severities.size > 0 && !filter.severities.has(finding.severity)) return false;
  if (filter.show !== 'all' && (filter.show === 'open') !== isOpen(finding, decision)) return false;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { title, description, targetText, suggestion, url, issueType } = finding;
  const text = [title, description, targetText, suggestion, url, issueType, pageOf(finding)]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
