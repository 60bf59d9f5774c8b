import { styleText } from 'node:util';
import { shorten } from '../../../lib/text/cut-text.ts';
import { plural } from '../../../lib/text/plural.ts';
import { pageNamer } from '../../../report/page-address.ts';
import { oneLine } from '../../../report/plain-text.ts';
import { counts, type Report, type ReportFixed } from '../../../report/report.ts';
import type { Severity } from '../../../shapes/agents/execution.ts';

const LONGEST_TITLE = 100;
const LONGEST_QUOTE = 60;
const MOST_LINES = 40;

type Style = Parameters<typeof styleText>[0];

interface Shown {
  /** Judged, with the findings of all pages. */
  report: Report;
  /** Numbers of the new findings. */
  added: ReadonlySet<number>;
  fixed: readonly ReportFixed[];
}

/** The lines on a round: what is fixed, what is new, and the total last. */
export function showRound({ report, added, fixed }: Shown, colors: boolean): string {
  const paint = (style: Style, text: string) =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  const nameOf = pageNamer(report);
  const fresh = report.findings.filter((finding) => added.has(finding.number) && counts(finding));
  const line = (sign: string, severity: Severity, words: string, where: string, issueType: string) =>
    `${sign}  ${severity.padEnd(8)}  ${words}  ${paint('dim', `${where}  ${oneLine(issueType)}`)}\n`;
  const lines = [
    ...fixed.map(({ severity, title, pageUrl, issueType }) =>
      line(paint('green', '✔ fixed'), severity, titleOf(title), nameOf(pageUrl), issueType),
    ),
    ...fresh.map(({ severity, title, targetText, pageUrl, issueType, failsGate }) => {
      const quote = oneLine(targetText);
      const isSaid = quote === '' || oneLine(title).includes(quote);
      const words = isSaid ? titleOf(title) : `${titleOf(title)}: “${shorten(quote, LONGEST_QUOTE)}”`;
      const sign = paint(failsGate ? 'red' : 'yellow', failsGate ? '✖ new  ' : '● new  ');
      return line(sign, severity, words, nameOf(pageUrl), issueType);
    }),
  ];
  const rest = lines.length - MOST_LINES;
  const more = rest > 0 ? [paint('dim', `… and ${rest} more\n`)] : [];
  return [
    ...lines.slice(0, MOST_LINES),
    ...more,
    `${totalOf(report, fresh.length, fixed.length, paint)}\n`,
  ].join('');
}

function totalOf(
  { findings, pages, gate }: Report,
  added: number,
  fixed: number,
  paint: (style: Style, text: string) => string,
): string {
  const changes = added + fixed === 0 ? 'Nothing new, nothing fixed' : `${added} new, ${fixed} fixed`;
  const left = `${plural(findings.filter(counts).length, 'finding')} on ${plural(pages.length, 'page')}`;
  const verdict = gate?.passed
    ? paint('green', 'Passes.')
    : paint('red', ['Fails:', ...(gate?.reasons ?? [])].join(' '));
  return `${changes}; ${left}. ${verdict}`;
}

const titleOf = (title: string): string => shorten(oneLine(title), LONGEST_TITLE);
