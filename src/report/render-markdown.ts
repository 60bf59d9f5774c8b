import { plural } from '../lib/text/plural.ts';
import { type Severity, severities } from '../shapes/agents/execution.ts';
import { describePlaces, fixOf, placeOf, problemsOf } from './describe-finding.ts';
import { type FaultGroup, groupByFault, groupByPage } from './group-findings.ts';
import { markdownCode, markdownLink, markdownText } from './markdown-text.ts';
import { pageNamer } from './page-address.ts';
import { oneLine } from './plain-text.ts';
import { counts, type Report } from './report.ts';
import { countBySeverity, describeSeverities, type ReportSummary, summaryOf } from './summary.ts';

/** Begins the text, so that a pipeline can find its own comment and edit it. */
export const MARKDOWN_MARKER = '<!-- redpen-report -->';

/** A comment on GitHub may have 65,536 characters; some of the rest is for what a pipeline adds. */
export const MOST_MARKDOWN_BYTES = 60_000;
const BYTES_FOR_THE_END = 1_000;

const GRAVEST = 10;
const MOST_LISTED = 100;
const LENGTHS = { title: 150, text: 400, place: 200, page: 100, message: 300 } as const;
const NAMED_PAGES = 3;

const SIGNS: Record<Severity, string> = { critical: '🔴', high: '🟠', medium: '🟡', low: '🔵', info: '⚪' };

/** Blocks of text that together take no more than a number of bytes. */
interface Budget {
  blocks: string[];
  left: number;
}

/** The report as a comment on a pull request, or as the summary of a job. */
export function renderMarkdown(report: Report): string {
  const summary = summaryOf(report);
  const groups = groupByFault(report.findings.filter(counts));
  const nameOf = pageNamer(report);
  const budget: Budget = { blocks: [], left: MOST_MARKDOWN_BYTES - BYTES_FOR_THE_END };
  add(
    budget,
    [
      MARKDOWN_MARKER,
      `### ${verdictSign(report, summary)} Redpen: ${markdownText(summary.headline, 300)}`,
    ].join('\n'),
  );
  if (summary.gate) add(budget, `**${summary.gate.label}**: ${markdownText(summary.gate.sentence, 2_000)}`);
  add(budget, figures(summary));
  if (groups.length > 0) add(budget, gravestTable(groups, nameOf));
  addProblems(budget, report, nameOf);
  addFixed(budget, report, nameOf);
  const shown = addPages(budget, groups, nameOf);
  return `${[...budget.blocks, ...ending(report, groups, shown)].join('\n\n')}\n`;
}

/** Adds a block unless it is too long. */
function add(budget: Budget, block: string): boolean {
  const bytes = Buffer.byteLength(block) + 2;
  if (bytes > budget.left) return false;
  budget.blocks.push(block);
  budget.left -= bytes;
  return true;
}

function verdictSign({ verdict }: Report, { gate }: ReportSummary): string {
  if (gate?.passed === false || verdict === 'broken') return '❌';
  return verdict === 'clean' || (verdict === 'findings' && gate) ? '✅' : '⚠️';
}

function figures(summary: ReportSummary): string {
  const columns: [string, number][] = [
    ...severities.map((severity): [string, number] => [
      `${SIGNS[severity]} ${severity}`,
      summary.bySeverity[severity],
    ]),
    ...(summary.new + summary.stillThere + summary.fixed > 0
      ? ([
          ['new', summary.new],
          ['known', summary.stillThere],
          ['fixed', summary.fixed],
        ] satisfies [string, number][])
      : []),
    ...(summary.ignored > 0 ? ([['ignored', summary.ignored]] satisfies [string, number][]) : []),
  ];
  return [
    row(columns.map(([name]) => name)),
    row(columns.map(() => '--:')),
    row(columns.map(([, number]) => String(number))),
  ].join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function gravestTable(groups: readonly FaultGroup[], nameOf: (url: string) => string): string {
  const rows = groups.slice(0, GRAVEST).map((group) => {
    const { finding } = group;
    const places = describePlaces(group, () => '', 0)?.replace(/:.*/, '');
    return row([
      `${SIGNS[finding.severity]} ${finding.severity}${stateOf(group)}`,
      markdownText(finding.title, LENGTHS.title) || 'Finding',
      group.pages.length > 1
        ? `${places}, such as ${markdownLink(nameOf(finding.pageUrl), finding.pageUrl, LENGTHS.page)}`
        : markdownLink(nameOf(finding.pageUrl), finding.pageUrl, LENGTHS.page),
    ]);
  });
  return [row(['Severity', 'Finding', 'Page']), row(['---', '---', '---']), ...rows].join('\n');
}

const stateOf = ({ findings }: FaultGroup): string =>
  findings.some(({ state }) => state === 'new') ? ' **new**' : '';

/** Adds the findings of each page, as far as there is room. Returns the number of findings that are shown. */
function addPages(budget: Budget, groups: readonly FaultGroup[], nameOf: (url: string) => string): number {
  const shared = groups.filter(({ pages }) => pages.length > 1);
  const sections: [string, FaultGroup[]][] = [
    ...(shared.length > 0 ? [['On several pages', shared] satisfies [string, FaultGroup[]]] : []),
    ...Array.from(
      groupByPage(groups.filter(({ pages }) => pages.length === 1)),
      ([url, members]): [string, FaultGroup[]] => [nameOf(url), members],
    ),
  ];
  let shown = 0;
  for (const [heading, members] of sections) {
    const numbers = describeSeverities(countBySeverity(members.flatMap(({ findings }) => findings)));
    const opening = `<details><summary>${markdownText(heading, LENGTHS.page) || 'page'} (${numbers})</summary>`;
    const items = fittingItems(
      members.slice(0, MOST_LISTED).map((group) => item(group, nameOf)),
      budget.left - Buffer.byteLength(opening) - 100,
    );
    if (items.length === 0) return shown;
    const shownHere = members.slice(0, items.length);
    shown += shownHere.reduce((total, { findings }) => total + findings.length, 0);
    const rest = members.length - items.length;
    add(
      budget,
      [opening, items.join('\n'), ...(rest > 0 ? [`… and ${rest} more here.`] : []), '</details>'].join(
        '\n\n',
      ),
    );
  }
  return shown;
}

function fittingItems(items: readonly string[], bytes: number): string[] {
  let left = bytes;
  const end = items.findIndex((text) => {
    left -= Buffer.byteLength(text) + 1;
    return left < 0;
  });
  return items.slice(0, end < 0 ? undefined : end);
}

function item(group: FaultGroup, nameOf: (url: string) => string): string {
  const { finding } = group;
  const { file, quote, address, selector } = placeOf(finding);
  const places = describePlaces(group, nameOf, NAMED_PAGES);
  const where = [
    ...(places ? [markdownText(places, LENGTHS.place)] : []),
    ...[file, quote, address, selector].flatMap((part) => (part ? [markdownCode(part, LENGTHS.place)] : [])),
  ].join(' · ');
  const fails = group.findings.some(({ failsGate }) => failsGate) ? ' ❌' : '';
  return [
    `- ${SIGNS[finding.severity]} **${finding.severity}**${stateOf(group)}${fails} ${markdownText(finding.title, LENGTHS.title) || 'Finding'} (${markdownCode(finding.issueType, 60) || 'finding'})`,
    ...[
      oneLine(finding.description) === oneLine(finding.title)
        ? ''
        : markdownText(finding.description, LENGTHS.text),
      where,
      markdownText(fixOf(finding), LENGTHS.text),
    ]
      .filter(Boolean)
      .map((line) => `  <br>${line}`),
  ].join('\n');
}

function addFixed(budget: Budget, { fixed }: Report, nameOf: (url: string) => string): void {
  if (fixed.length === 0) return;
  const lines = fixed
    .slice(0, MOST_LISTED)
    .map(
      ({ title, severity, pageUrl }) =>
        `- ${severity}: ${markdownText(title, LENGTHS.title)} on ${markdownLink(nameOf(pageUrl), pageUrl, LENGTHS.page)}`,
    );
  addList(budget, `Fixed (${fixed.length})`, lines, fixed.length);
}

function addProblems(budget: Budget, report: Report, nameOf: (url: string) => string): void {
  const problems = problemsOf(report);
  if (problems.length === 0) return;
  const lines = problems.slice(0, MOST_LISTED).map(({ kind, subject, message }) => {
    const text = markdownText(message, LENGTHS.message);
    if (kind === 'note') return `- ${text}`;
    if (kind === 'agent') return `- The agent ${markdownText(subject, LENGTHS.page)} has no result: ${text}`;
    const verb = kind === 'failed' ? 'failed' : 'was skipped';
    return `- ${markdownLink(nameOf(subject), subject, LENGTHS.page)} ${verb}: ${text}`;
  });
  addList(budget, `Problems and notes (${problems.length})`, lines, problems.length);
}

/** A folded list, which takes at most a fifth of the room. */
function addList(budget: Budget, title: string, lines: readonly string[], total: number): void {
  const items = fittingItems(lines, MOST_MARKDOWN_BYTES / 5);
  const rest = total - items.length;
  add(
    budget,
    [
      `<details><summary>${title}</summary>`,
      items.join('\n'),
      ...(rest > 0 ? [`… and ${rest} more.`] : []),
      '</details>',
    ].join('\n\n'),
  );
}

function ending(report: Report, groups: readonly FaultGroup[], shown: number): string[] {
  const total = groups.reduce((sum, { findings }) => sum + findings.length, 0);
  const cut = total - shown;
  return [
    ...(cut > 0
      ? [`${plural(cut, 'finding')} of ${total} did not fit in here. The full report has all of them.`]
      : []),
    `<sub>Redpen ${markdownText(report.redpen, 40)} · ${plural(report.agents.length, 'agent')} · ${plural(report.pages.length, 'page')}</sub>`,
  ];
}
