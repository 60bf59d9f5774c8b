import { z } from 'zod';
import { counts, type Report, type ReportFinding, type ReportFixed } from '../../../report/report.ts';
import { type Anchor, anchorOf } from '../../../review/findings/finding-anchor.ts';
import { matchAnchors } from '../../../review/findings/match-anchors.ts';
import { severity } from '../../../shapes/agents/execution.ts';

/** Names the layout of the file; a change that breaks readers raises the number. */
const SCHEMA = 'redpen-baseline/1';

/** A finding that is known. Empty fields are left out, so that the file is short and its changes are readable. */
const knownFinding = z.strictObject({
  after: z.string().optional(),
  agents: z.array(z.string()),
  alsoKnownAs: z.array(z.string()).optional(),
  before: z.string().optional(),
  description: z.string().optional(),
  issueType: z.string(),
  occurrence: z.int().min(1).optional(),
  selector: z.string().optional(),
  severity,
  snippet: z.string().optional(),
  targetText: z.string().optional(),
  title: z.string(),
  url: z.string().optional(),
});
type KnownFinding = z.infer<typeof knownFinding>;

const baselineFile = z.strictObject({
  pages: z.record(z.string(), z.array(knownFinding)),
  schema: z.literal(SCHEMA),
});

/** The findings that a team knows, by the path of their page. */
export type Baseline = z.infer<typeof baselineFile>;

/** Parses a baseline file. Returns a sentence if it is not one. */
export function parseBaseline(text: string): Baseline | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `It is not JSON: ${(error as Error).message}.`;
  }
  const parsed = baselineFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `It is no baseline of Redpen: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`;
}

/** The text of a baseline file, in an order that depends on nothing but its findings. */
export function printBaseline({ pages }: Baseline): string {
  const sorted = Object.fromEntries(
    Object.entries(pages)
      .filter(([, findings]) => findings.length > 0)
      .sort(([a], [b]) => compare(a, b))
      .map(([page, findings]) => [
        page,
        findings.toSorted((a, b) => compare(JSON.stringify(orderOf(a)), JSON.stringify(orderOf(b)))),
      ]),
  );
  return `${JSON.stringify({ pages: sorted, schema: SCHEMA }, null, 2)}\n`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const orderOf = (known: KnownFinding) => [
  known.issueType,
  known.targetText,
  known.url,
  known.selector,
  known.occurrence,
  known,
];

/**
 * Addresses of the site that is reviewed, as paths: a baseline of a staging server then fits that of a branch, and the
 * files of two developers do not differ.
 */
function localizer({ urls }: Report): (address: string) => string {
  const origin = URL.parse(urls[0] ?? '')?.origin;
  return (address) => {
    const url = URL.parse(address);
    return url && url.origin === origin ? url.pathname + url.search + url.hash : address;
  };
}

function knownOf(finding: ReportFinding, local: (address: string) => string): KnownFinding {
  const anchor = withLocalAddresses(anchorOf({ ...finding, targetElementXpath: '' }), finding.pageUrl, local);
  return {
    ...(anchor.after && { after: anchor.after }),
    agents: finding.agents.toSorted(),
    ...(finding.alsoKnownAs.length > 0 && { alsoKnownAs: finding.alsoKnownAs.toSorted() }),
    ...(anchor.before && { before: anchor.before }),
    ...(anchor.description && { description: anchor.description }),
    issueType: finding.issueType,
    ...(anchor.occurrence > 1 && { occurrence: anchor.occurrence }),
    ...(anchor.selector && { selector: anchor.selector }),
    severity: finding.severity,
    ...(anchor.snippet && { snippet: anchor.snippet }),
    ...(anchor.targetText && { targetText: anchor.targetText }),
    title: anchor.title,
    ...(anchor.url && { url: anchor.url }),
  };
}

/** The anchor with paths in place of addresses of the site, also within its texts. */
function withLocalAddresses(anchor: Anchor, pageUrl: string, local: (address: string) => string): Anchor {
  const root = URL.parse('/', pageUrl)?.href ?? '';
  const localText = (text: string) => (local(root) === '/' ? text.replaceAll(root, '/') : text);
  const { title, description, targetText, before, after, snippet, url } = anchor;
  return {
    ...anchor,
    title: localText(title),
    description: localText(description),
    targetText: localText(targetText),
    before: localText(before),
    after: localText(after),
    snippet: localText(snippet),
    url: local(url),
  };
}

/** Agents may report the same fault under several issue types, and not the same one first each time. */
function anchorOfKnown(known: KnownFinding, typeOf: (issueType: string) => string): Anchor {
  return {
    issueType: typeOf(known.issueType),
    title: known.title,
    description: known.description ?? '',
    targetText: known.targetText ?? '',
    occurrence: known.occurrence ?? 1,
    before: known.before ?? '',
    after: known.after ?? '',
    selector: known.selector ?? '',
    xpath: '',
    snippet: known.snippet ?? '',
    url: known.url ?? '',
  };
}

/** Maps issue types that name the same faults to one of them. */
function joinTypes(all: readonly KnownFinding[]): (issueType: string) => string {
  const leader = new Map<string, string>();
  const find = (type: string): string => {
    const next = leader.get(type);
    return next === undefined ? type : find(next);
  };
  for (const { issueType, alsoKnownAs = [] } of all) {
    for (const other of alsoKnownAs) {
      const [a, b] = [find(issueType), find(other)].sort();
      if (a !== b) leader.set(b!, a!);
    }
  }
  return find;
}

/** True if the review would have found a known finding on a page again: an agent that reported it has reviewed it. */
export function looksAgain(report: Report, local: (address: string) => string = (address) => address) {
  const ended = new Set(
    report.agents.filter(({ error }) => error === undefined).map((agent) => agent.agentId),
  );
  const reviewed = new Map(
    report.pages
      .filter(({ status }) => status === 'reviewed')
      .map(({ url, problems }) => [local(url), new Set(problems.map(({ agentId }) => agentId))]),
  );
  return (page: string, { agents }: Pick<KnownFinding, 'agents'>): boolean => {
    const problems = reviewed.get(page);
    return problems !== undefined && agents.some((agent) => ended.has(agent) && !problems.has(agent));
  };
}

/** Marks the findings of a report that the baseline has, and lists what it has and the report no longer does. */
export function applyBaseline(report: Report, baseline: Baseline): Report {
  const local = localizer(report);
  const isExpected = looksAgain(report, local);
  const current = report.findings.map((finding) => ({ finding, known: knownOf(finding, local) }));
  const typeOf = joinTypes([...current.map(({ known }) => known), ...Object.values(baseline.pages).flat()]);
  const byPage = Map.groupBy(current, ({ finding }) => local(finding.pageUrl));
  const known = new Set<ReportFinding>();
  const fixed: ReportFixed[] = [];
  for (const [page, earlier] of Object.entries(baseline.pages)) {
    const here = byPage.get(page) ?? [];
    const matches = matchAnchors(
      earlier.map((each) => anchorOfKnown(each, typeOf)),
      here.map((each) => anchorOfKnown(each.known, typeOf)),
    );
    for (const index of matches.keys()) known.add(here[index]!.finding);
    const found = new Set(matches.values());
    for (const [index, gone] of earlier.entries()) {
      if (!found.has(index) && isExpected(page, gone)) fixed.push(fixedOf(gone, page, report));
    }
  }
  const findings = report.findings.map((finding): ReportFinding => {
    if (!known.has(finding)) return { ...finding, state: 'new' };
    return { ...finding, state: 'still_there', ignored: finding.ignored ?? 'baseline' };
  });
  return { ...report, findings, fixed };
}

function fixedOf(gone: KnownFinding, page: string, { urls }: Report): ReportFixed {
  const whole = (address: string) => URL.parse(address, urls[0])?.href ?? address;
  return {
    title: gone.title,
    issueType: gone.issueType,
    severity: gone.severity,
    pageUrl: whole(page),
    ...(gone.url !== undefined && { url: whole(gone.url) }),
  };
}

/**
 * The baseline that knows all findings of a report. Of the previous one, it keeps what this review could not have found
 * again: other pages, and the findings of other agents.
 */
export function renewBaseline(report: Report, previous: Baseline | undefined): Baseline {
  const local = localizer(report);
  const isExpected = looksAgain(report, local);
  const found = Map.groupBy(
    report.findings.filter((finding) => counts(finding) || finding.ignored === 'baseline'),
    ({ pageUrl }) => local(pageUrl),
  );
  const before = previous?.pages ?? {};
  const pages = new Set([...Object.keys(before), ...found.keys()]);
  return {
    schema: SCHEMA,
    pages: Object.fromEntries(
      [...pages].map((page) => {
        const current = (found.get(page) ?? []).map((finding) => knownOf(finding, local));
        const kept = (before[page] ?? []).filter((each) => !isExpected(page, each));
        return [page, [...current, ...withoutTwins(kept, current)]];
      }),
    ),
  };
}

/** The kept findings that are not among the current ones, too. */
function withoutTwins(kept: KnownFinding[], current: KnownFinding[]): KnownFinding[] {
  const typeOf = joinTypes([...kept, ...current]);
  const anchors = (all: KnownFinding[]) => all.map((each) => anchorOfKnown(each, typeOf));
  const twins = new Set(matchAnchors(anchors(kept), anchors(current)).values());
  return kept.filter((_, index) => !twins.has(index));
}
