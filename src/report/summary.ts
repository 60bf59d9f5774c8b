import { plural } from '../lib/text/plural.ts';
import { type Severity, severities } from '../shapes/agents/execution.ts';
import { counts, type Gate, type Report, type ReportFinding, type ReportPage } from './report.ts';

export type SeverityCounts = Record<Severity, number>;

/** The figures of a report, as all formats show them. Findings that do not count are only in `ignored`. */
export interface ReportSummary {
  findings: number;
  bySeverity: SeverityCounts;
  new: number;
  stillThere: number;
  fixed: number;
  ignored: number;
  /** The parts of `ignored`. */
  ignoredBy: Record<NonNullable<ReportFinding['ignored']>, number>;
  pages: Record<ReportPage['status'], number>;
  pagesWithFindings: number;
  /** For example `12 findings on 3 pages: 2 critical, 4 high, 6 low`, without a full stop. */
  headline: string;
  /** For example `3 new, 9 known, 2 fixed, 1 ignored`; empty if there is nothing to compare with. */
  changes: string;
  gate?: GateSummary;
}

export interface GateSummary {
  passed: boolean;
  label: 'PASS' | 'FAIL';
  /** Why it passes or fails, as one or more sentences. */
  sentence: string;
}

export function summaryOf(report: Report): ReportSummary {
  const counting = report.findings.filter(counts);
  const having = (state: ReportFinding['state']) => counting.filter((finding) => finding.state === state);
  const ignoredBy = {
    baseline: report.findings.filter(({ ignored }) => ignored === 'baseline').length,
    decision: report.findings.filter(({ ignored }) => ignored === 'decision').length,
  };
  const figures = {
    findings: counting.length,
    bySeverity: countBySeverity(counting),
    new: having('new').length,
    stillThere: having('still_there').length,
    fixed: report.fixed.length,
    ignored: ignoredBy.baseline + ignoredBy.decision,
    ignoredBy,
    pages: {
      reviewed: pagesHaving(report, 'reviewed'),
      skipped: pagesHaving(report, 'skipped'),
      failed: pagesHaving(report, 'failed'),
    },
    pagesWithFindings: new Set(counting.map(({ pageUrl }) => pageUrl)).size,
  };
  return {
    ...figures,
    headline: headlineOf(report, figures),
    changes: changesOf(figures),
    ...(report.gate && { gate: summarizeGate(report.gate) }),
  };
}

type Figures = Omit<ReportSummary, 'headline' | 'changes' | 'gate'>;

const pagesHaving = (report: Report, status: ReportPage['status']): number =>
  report.pages.filter((page) => page.status === status).length;

export function countBySeverity(findings: readonly Pick<ReportFinding, 'severity'>[]): SeverityCounts {
  const numbers: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) numbers[severity]++;
  return numbers;
}

/** For example `2 critical, 4 high`; empty if all are 0. */
export const describeSeverities = (numbers: SeverityCounts): string =>
  severities
    .filter((severity) => numbers[severity] > 0)
    .map((severity) => `${numbers[severity]} ${severity}`)
    .join(', ');

function headlineOf(
  { verdict }: Report,
  { findings, bySeverity, pages, pagesWithFindings }: Figures,
): string {
  if (findings > 0)
    return `${plural(findings, 'finding')} on ${plural(pagesWithFindings, 'page')}: ${describeSeverities(bySeverity)}`;
  const unread = pages.failed + pages.skipped;
  if (pages.reviewed === 0)
    return unread === 0 ? 'No page was reviewed' : `None of ${plural(unread, 'page')} could be reviewed`;
  const onPages = `No findings on ${plural(pages.reviewed, 'page')}`;
  if (verdict === 'broken') return `${onPages}, but the review did not finish`;
  if (unread > 0)
    return `${onPages}, but ${plural(unread, 'page')} ${unread === 1 ? 'was' : 'were'} not reviewed`;
  return verdict === 'incomplete' ? `${onPages}, but the review is incomplete` : onPages;
}

const changesOf = (figures: Figures): string => {
  const isCompared = figures.new + figures.stillThere + figures.fixed > 0;
  return [
    ...(isCompared ? [`${figures.new} new`, `${figures.stillThere} known`, `${figures.fixed} fixed`] : []),
    ...(figures.ignored > 0 ? [`${figures.ignored} ignored`] : []),
  ].join(', ');
};

export function summarizeGate(gate: Gate): GateSummary {
  if (gate.passed) return { passed: true, label: 'PASS', sentence: whyItPasses(gate) };
  const sentence = gate.reasons.map(asSentence).join(' ');
  return { passed: false, label: 'FAIL', sentence: sentence || 'The conditions of the gate are not met.' };
}

function whyItPasses({ failOn, onlyNew, maxFindings }: Gate): string {
  const kind = onlyNew ? 'new finding' : 'finding';
  const grave = failOn === 'never' ? [] : severities.slice(0, severities.indexOf(failOn) + 1);
  const sentences = [
    grave.length === severities.length ? `There is no ${kind}.` : '',
    grave.length > 0 && grave.length < severities.length ? `No ${kind} is ${anyOf(grave)}.` : '',
    maxFindings === undefined
      ? ''
      : `At most ${plural(maxFindings, kind)} ${maxFindings === 1 ? 'is' : 'are'} allowed.`,
  ].filter(Boolean);
  return sentences.join(' ') || 'Findings of any severity are allowed.';
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
