import { styleText } from 'node:util';
import { shorten } from '../lib/text/cut-text.ts';
import { plural } from '../lib/text/plural.ts';
import { type Severity, severities } from '../shapes/agents/execution.ts';
import { describePlaces, fixOf, type Problem, placeOf, problemsOf } from './describe-finding.ts';
import type { RenderOptions } from './formats.ts';
import { type FaultGroup, gravestOf, groupByFault, groupByPage } from './group-findings.ts';
import { pageNamer } from './page-address.ts';
import { oneLine } from './plain-text.ts';
import { counts, type Report } from './report.ts';
import { countBySeverity, describeSeverities, summaryOf } from './summary.ts';
import { cutToWidth, padToWidth, widthOf, wrapToWidth } from './terminal-width.ts';

const DEFAULT_COLUMNS = 100;
const FEWEST_COLUMNS = 40;
/** Terminals and people stop following after some hundred findings; `json` and `csv` have all of them. */
const MOST_FINDINGS = 300;
const MOST_ON_PAGE = 50;
const MOST_FIXED = 20;
const MOST_PROBLEMS = 30;
const NAMED_PAGES = 4;
const LONGEST_TEXT = 1_000;
const SEVERITY_WIDTH = Math.max(...severities.map(({ length }) => length));

type Style = Parameters<typeof styleText>[0];

const SEVERITY_STYLES: Record<Severity, Style> = {
  critical: ['bold', 'red'],
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
};

/** Settings on which all lines of one report depend. */
interface Layout {
  columns: number;
  paint(style: Style, text: string): string;
  nameOf(url: string): string;
  isCompared: boolean;
  isGate: boolean;
}

/** The report as a terminal shows it: the verdict is in the last line, where a reader looks first. */
export function renderText(report: Report, options: RenderOptions): string {
  const layout: Layout = {
    columns: Math.max(FEWEST_COLUMNS, Math.floor(options.columns ?? DEFAULT_COLUMNS)),
    paint: (style, text) =>
      // Whether the output is a terminal is for the caller to know.
      options.colors ? styleText(style, text, { validateStream: false }) : text,
    nameOf: pageNamer(report),
    isCompared: report.findings.some(({ state }) => state !== undefined),
    isGate: report.findings.some(({ failsGate }) => failsGate),
  };
  const blocks = [
    titleOf(report, layout),
    ...findingBlocks(report, layout),
    fixedBlock(report, layout),
    problemBlock(report, layout),
    verdictBlock(report, layout),
  ];
  return `${blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function titleOf({ urls, agents, pages }: Report, { columns, paint }: Layout): string[] {
  const [first = 'no page', ...others] = urls.map(oneLine);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const figures = `${plural(agents.length, 'agent')}, ${plural(pages.length, 'page')}`;
  return [
    paint('bold', cutToWidth(`Review of ${first}`, columns - more.length) + more),
    paint('dim', cutToWidth(figures, columns)),
  ];
}

function findingBlocks(report: Report, layout: Layout): string[][] {
  const groups = groupByFault(report.findings.filter(counts));
  const shared = groups.filter(({ pages }) => pages.length > 1);
  const byPage = groupByPage(groups.filter(({ pages }) => pages.length === 1));
  const sections = [
    ...(shared.length > 0 ? [{ heading: 'On several pages', groups: shared }] : []),
    ...Array.from(byPage, ([url, members]) => ({ heading: oneLine(url), groups: members })),
  ].toSorted((a, b) => gravestOf(a.groups) - gravestOf(b.groups));
  const blocks: string[][] = [];
  let shown = 0;
  for (const { heading, groups: members } of sections) {
    const fitting = members.slice(0, Math.min(MOST_ON_PAGE, MOST_FINDINGS - shown));
    if (fitting.length === 0) break;
    shown += fitting.length;
    const numbers = describeSeverities(countBySeverity(members.flatMap(({ findings }) => findings)));
    const rest = members.length - fitting.length;
    blocks.push([
      headingLine(heading, numbers, layout),
      ...fitting.flatMap((group) => findingLines(group, layout)),
      ...(rest > 0 ? [layout.paint('dim', `  … and ${rest} more here`)] : []),
    ]);
  }
  const omitted = sections.length - blocks.length;
  if (omitted > 0)
    blocks.push([
      layout.paint(
        'dim',
        `… and findings on ${plural(omitted, 'more page')}. The formats json and csv have all.`,
      ),
    ]);
  return blocks;
}

function headingLine(heading: string, numbers: string, { columns, paint }: Layout): string {
  const name = cutToWidth(heading, Math.max(Math.floor(columns / 2), columns - numbers.length - 2)) || 'page';
  return `${paint(['bold', 'underline'], name)}  ${paint('dim', cutToWidth(numbers, columns - widthOf(name) - 2))}`;
}

function findingLines(group: FaultGroup, layout: Layout): string[] {
  const { columns, paint, isCompared, isGate } = layout;
  const { finding } = group;
  const isNew = group.findings.some(({ state }) => state === 'new');
  const mark = isGate ? (group.findings.some(({ failsGate }) => failsGate) ? '✖ ' : '  ') : '';
  const state = isCompared ? padToWidth(isNew ? 'new' : '', 5) : '';
  const start = 2 + mark.length + SEVERITY_WIDTH + 2 + state.length;
  const width = columns - start;
  const type = cutToWidth(oneLine(finding.issueType), Math.floor(width / 3));
  const title = cleaned(finding.title) || 'Finding';
  const [first = '', ...others] = wrapToWidth(title, width - widthOf(type) - 2, 3);
  const indent = ' '.repeat(start);
  const head =
    `  ${paint('red', mark)}${paint(SEVERITY_STYLES[finding.severity], padToWidth(finding.severity, SEVERITY_WIDTH))}  ` +
    `${paint('green', state)}${type ? `${padToWidth(first, width - widthOf(type) - 2)}  ${paint('dim', type)}` : first}`;
  return [
    head,
    ...others.map((line) => indent + line),
    ...detailLines(group, title, layout, width).map((line) => indent + line),
  ];
}

/** The fault, its place and its fix, without repetitions of the title. */
function detailLines(group: FaultGroup, title: string, { paint, nameOf }: Layout, width: number): string[] {
  const { finding } = group;
  const description = cleaned(finding.description);
  const fix = shorten(fixOf(finding), LONGEST_TEXT);
  const { file, quote, address, selector } = placeOf(finding);
  const said = `${title} ${description}`;
  const places = describePlaces(group, nameOf, NAMED_PAGES);
  const where = [
    file,
    quote && !said.includes(quote) ? `“${shorten(quote, 60)}”` : undefined,
    address && !said.includes(oneLine(finding.url ?? '')) ? address : undefined,
    selector,
  ].filter((part) => part !== undefined);
  return [
    ...(places ? wrapToWidth(places, width, 2).map((line) => paint('bold', line)) : []),
    ...(description && description !== title ? wrapToWidth(description, width, 3) : []),
    ...(where.length > 0 ? [paint('dim', cutToWidth(where.join(' · '), width))] : []),
    ...(fix ? hanging(fix, width) : []),
  ];
}

/** A paragraph of up to three lines; if it begins with the label `Fix: `, the lines under it are aligned. */
function hanging(text: string, width: number): string[] {
  const [label = ''] = /^Fix: /.exec(text) ?? [];
  return wrapToWidth(text.slice(label.length), width - label.length, 3).map(
    (line, at) => (at === 0 ? label : ' '.repeat(label.length)) + line,
  );
}

const cleaned = (text: string): string => shorten(oneLine(text), LONGEST_TEXT);

function fixedBlock({ fixed }: Report, { columns, paint, nameOf }: Layout): string[] {
  if (fixed.length === 0) return [];
  const lines = fixed.slice(0, MOST_FIXED).map(({ severity, title, pageUrl }) => {
    const room = columns - 2 - SEVERITY_WIDTH - 2;
    const page = cutToWidth(nameOf(pageUrl), Math.floor(room / 3));
    const name = cutToWidth(cleaned(title), room - widthOf(page) - 2);
    return `  ${paint('dim', padToWidth(severity, SEVERITY_WIDTH))}  ${padToWidth(name, room - widthOf(page) - 2)}  ${paint('dim', page)}`;
  });
  const rest = fixed.length - lines.length;
  return [
    paint(['bold', 'green'], `Fixed: ${plural(fixed.length, 'finding')}`),
    ...lines,
    ...(rest > 0 ? [paint('dim', `  … and ${rest} more`)] : []),
  ];
}

const PROBLEM_NAMES: Record<Problem['kind'], string> = {
  agent: 'agent',
  failed: 'failed',
  skipped: 'skipped',
  note: 'note',
};

/** Problems with the pages that share them, which are many where a server is down or a review is interrupted. */
const groupProblems = (report: Report, nameOf: (url: string) => string): Problem[] =>
  [...Map.groupBy(problemsOf(report), ({ kind, message }) => `${kind} ${message}`).values()].map((same) => {
    const [first] = same as [Problem];
    if (same.length === 1) return first;
    const named = same.slice(0, NAMED_PAGES).map(({ subject }) => nameOf(subject));
    const rest = same.length - named.length;
    return { ...first, subject: `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}` };
  });

function problemBlock(report: Report, { columns, paint, nameOf }: Layout): string[] {
  const problems = groupProblems(report, nameOf);
  if (problems.length === 0) return [];
  const width = columns - 2 - SEVERITY_WIDTH - 2;
  const lines = problems.slice(0, MOST_PROBLEMS).flatMap(({ kind, subject, message }) => {
    const name = oneLine(subject);
    const isShort = widthOf(name) + 2 + widthOf(message) <= width;
    const texts = isShort
      ? [[name, message].filter(Boolean).join(': ')]
      : [
          ...(name ? [cutToWidth(name, width)] : []),
          ...wrapToWidth(shorten(message, LONGEST_TEXT), width, 3),
        ];
    return texts.map((text, at) => {
      const label = padToWidth(at === 0 ? PROBLEM_NAMES[kind] : '', SEVERITY_WIDTH);
      return `  ${paint(kind === 'agent' || kind === 'failed' ? 'red' : 'dim', label)}  ${text}`;
    });
  });
  const rest = problems.length - Math.min(problems.length, MOST_PROBLEMS);
  return [
    paint('bold', 'Problems and notes'),
    ...lines,
    ...(rest > 0 ? [paint('dim', `  … and ${rest} more`)] : []),
  ];
}

function verdictBlock(report: Report, { columns, paint, isGate }: Layout): string[] {
  const { headline, changes, gate, findings } = summaryOf(report);
  const both = `${headline}.${changes ? ` ${capitalized(changes)}.` : ''}`;
  const figures =
    widthOf(both) <= columns
      ? [both]
      : [`${headline}.`, ...(changes ? [`${capitalized(changes)}.`] : [])].flatMap((line) =>
          wrapToWidth(line, columns),
        );
  if (!gate) {
    const style = findings > 0 || report.verdict === 'broken' ? 'yellow' : 'green';
    return figures.map((line) => paint(['bold', report.verdict === 'clean' ? 'green' : style], line));
  }
  const legend = isGate ? ['✖ marks what fails the gate.'] : [];
  const verdict = wrapToWidth(oneLine(`${gate.label}: ${gate.sentence}`), columns);
  return [
    ...figures,
    ...legend.map((line) => paint('dim', line)),
    ...verdict.map((line) => paint(['bold', gate.passed ? 'green' : 'red'], line)),
  ];
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
