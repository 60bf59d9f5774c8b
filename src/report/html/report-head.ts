import { plural } from '../../lib/text/plural.ts';
import type { Verdict } from '../../shapes/agents/run.ts';
import { failedAgents, problemsOfPage } from '../describe-finding.ts';
import type { GateSummary } from '../summary.ts';
import { externalLink, html, type Markup } from './markup.ts';
import type { ReportView } from './report-view.ts';
import { addressMarkup, dateOf, durationOf } from './report-words.ts';

const MAX_ADDRESSES = 3;
const MAX_LINKED = 24;

const VERDICTS: Readonly<Record<Verdict, string>> = {
  clean: 'All pages were reviewed.',
  findings: '',
  incomplete: 'Some pages were not reviewed.',
  broken: 'The review did not finish.',
};

/** The verdict in a few words, as the title and the heading have it. */
export const verdictWords = ({ summary }: ReportView): string =>
  summary.findings > 0
    ? `${plural(summary.findings, 'finding')} on ${plural(summary.pagesWithFindings, 'page')}`
    : summary.headline;

export function printReportHead(view: ReportView): Markup {
  const { report, summary } = view;
  const { startedAt, completedAt, urls, agents, pages, deviceType } = report;
  const [first, ...more] = urls.slice(0, MAX_ADDRESSES);
  return html`<header class="top">
<p class="name"><i class="nib"></i>Redpen <span>review report</span></p>
<h1>${verdictWords(view)}</h1>
<p class="addresses">${first !== undefined && externalLink(first, addressMarkup(first))}${more.map(
    (url) => html`, ${externalLink(url, addressMarkup(url))}`,
  )}${urls.length > MAX_ADDRESSES && ` and ${urls.length - MAX_ADDRESSES} more`}</p>
<p class="when">${dateOf(startedAt)} · took ${durationOf(completedAt - startedAt)} · ${plural(pages.length, 'page')} · ${plural(agents.length, 'agent')} · ${deviceType}</p>
${VERDICTS[report.verdict] !== '' && html`<p class="verdict">${VERDICTS[report.verdict]}</p>`}
${printChanges(view)}
${summary.gate && printGate(view, summary.gate)}
</header>`;
}

function printChanges({ summary }: ReportView) {
  const { new: added, stillThere, fixed, ignoredBy } = summary;
  const compared = added + stillThere + fixed > 0;
  const figures: [number, string, string][] = [
    ...(compared
      ? ([
          [added, 'new', ''],
          [stillThere, 'still there', ''],
          [fixed, 'fixed', '#fixed'],
        ] satisfies [number, string, string][])
      : []),
    [ignoredBy.baseline, 'in the baseline', '#baseline'],
    [ignoredBy.decision, 'decided', '#decided'],
  ];
  const shown = figures.filter(([count], at) => count > 0 || (compared && at < 3));
  if (shown.length === 0) return undefined;
  return html`<ul class="changes" aria-label="Since the last run">${shown.map(([count, what, href]) => {
    const text = html`<b>${count}</b> ${what}`;
    return html`<li>${href !== '' && count > 0 ? html`<a href="${href}">${text}</a>` : text}</li>`;
  })}</ul>`;
}

function printGate({ counting, report }: ReportView, { passed, label, sentence }: GateSummary): Markup {
  const failing = counting.filter(({ failsGate }) => failsGate === true);
  const reasons = report.gate && report.gate.reasons.length > 1 ? report.gate.reasons : [sentence];
  return html`<section class="gate ${passed ? 'pass' : 'fail'}" aria-label="Gate">
<p class="label">${label}</p>
<div>${reasons.map((reason) => html`<p>${reason}</p>`)}
${
  failing.length > 0 &&
  html`<p class="failing">${plural(failing.length, 'finding')} ${failing.length === 1 ? 'makes' : 'make'} it fail: ${failing
    .slice(0, MAX_LINKED)
    .map(
      ({ number, title }, at) =>
        html`${at > 0 && ' '}<a href="#finding-${number}" title="${title}" aria-label="Finding ${number}: ${title}">${number}</a>`,
    )}${failing.length > MAX_LINKED && ` and ${failing.length - MAX_LINKED} more, which are marked`}</p>`
}</div></section>`;
}

/** Agents without result, pages that were not reviewed in full, and the notes of the review. */
export function printProblems({ report }: ReportView) {
  const { pages, notes } = report;
  const failed = failedAgents(report);
  const troubled = pages.filter(({ status, problems }) => status !== 'reviewed' || problems.length > 0);
  if (failed.length + troubled.length + notes.length === 0) return undefined;
  const STATUS = {
    reviewed: 'was reviewed in part',
    skipped: 'was skipped',
    failed: 'could not be reviewed',
  };
  return html`<section class="problems" aria-labelledby="problems"><h2 id="problems">Not reviewed, or not in full</h2><ul>
${failed.map(({ name, error }) => html`<li><p><b>${name}</b> ended without result.</p><p class="dim">${error}</p></li>`)}
${troubled.map(
  (page) =>
    html`<li><p>${externalLink(page.url, addressMarkup(page.url))} ${STATUS[page.status]}.</p>${problemsOfPage(
      page,
      report,
    ).map(
      ({ agents, message }) =>
        html`<p class="dim">${agents.length > 0 && `${agents.join(', ')}: `}${message}</p>`,
    )}</li>`,
)}
${notes.map((note) => html`<li><p>${note}</p></li>`)}
</ul></section>`;
}
