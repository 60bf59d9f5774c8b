import { severities } from '../../shapes/agents/execution.ts';
import type { RenderOptions } from '../formats.ts';
import type { FaultGroup } from '../group-findings.ts';
import type { Report } from '../report.ts';
import { html, trusted } from './markup.ts';
import { printAcrossPages, printPage, printPagesWithout } from './page-section.ts';
import { printBackground, printFixed, printFooter, printIgnored } from './report-appendix.ts';
import { filterRules, printFilterResult, printFilters } from './report-filters.ts';
import { printProblems, printReportHead, verdictWords } from './report-head.ts';
import { reportStyle } from './report-style.ts';
import { viewOf } from './report-view.ts';
import { splitAddress } from './report-words.ts';

/** Everything comes from the file itself, and nothing in it runs. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** Beyond this number of findings, browsers lay out only those in view. */
const MANY = 150;

/** A report as a single HTML file that needs neither scripts nor a network. */
export function renderHtml(report: Report, { pictures = new Map() }: RenderOptions): string {
  const view = viewOf(report, pictures);
  const { host } = splitAddress(report.urls[0] ?? '');
  const gate = view.summary.gate ? `${view.summary.gate.label}: ` : '';
  const pages = view.groups.byPage.map((page, at) => ({ ...page, at }));
  const isBare = ({ groups, elsewhere }: (typeof pages)[number]) => groups.length + elsewhere.length === 0;
  // The gravest come first, as in the other formats; what one fix mends on several pages comes before its equals.
  const sections = [
    { rank: rankOf(view.groups.acrossPages), print: () => printAcrossPages(view) },
    ...pages
      .filter((page) => !isBare(page))
      .map((page) => ({ rank: rankOf(page.groups), print: () => printPage(view, page.at, page) })),
  ].toSorted((one, other) => one.rank - other.rank);
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${gate}${verdictWords(view)}${host !== '' && `, ${host}`} – Redpen</title>
<link rel="icon" href="${iconOf(view.summary.gate?.passed ?? view.summary.findings === 0)}">
<style>${trusted(reportStyle)}${trusted(filterRules(view))}</style>
</head>
<body${view.report.findings.length > MANY && trusted(' class="many"')}>
${printReportHead(view)}
${view.summary.findings > 0 && printFilters(view)}
<main>
${printProblems(view)}
${sections.map(({ print }) => print())}
${view.summary.findings > 0 && html`<p class="none-left"></p>${printFilterResult(view)}`}
${printFixed(view)}
${printPagesWithout(view, pages.filter(isBare))}
${printIgnored(view)}
${printBackground(view)}
</main>
${printFooter(view)}
</body>
</html>
`;
  return markup;
}

/** Place of the gravest among the severities; behind all of them if there is none. */
const rankOf = (groups: readonly FaultGroup[]): number =>
  Math.min(severities.length, ...groups.map(({ finding }) => severities.indexOf(finding.severity)));

/** A dot for the tab of the browser. */
const iconOf = (isGood: boolean): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${isGood ? '#1a7f4b' : '#c3202f'}"/></svg>`,
  )}`;
