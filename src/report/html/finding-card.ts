import { plural } from '../../lib/text/plural.ts';
import type { FaultGroup } from '../group-findings.ts';
import type { ReportFinding, ReportRule } from '../report.ts';
import { externalLink, html, type Markup } from './markup.ts';
import { filterClasses, type ReportView } from './report-view.ts';
import { addressMarkup, agentNames, decisionOf, severityLabel } from './report-words.ts';
import { printSuggestion } from './suggestion.ts';

/** A card for a finding, or for all findings with one cause. */
export const printGroup = (view: ReportView, group: FaultGroup): Markup =>
  group.findings.length === 1 ? printFinding(view, group.finding) : printCause(view, group);

export const printFinding = (view: ReportView, finding: ReportFinding): Markup =>
  html`<article class="card one ${finding.ignored === undefined && filterClasses(view, [finding])}" id="finding-${finding.number}" aria-labelledby="title-${finding.number}">
${printHead(view, finding, [finding], printNumber(view, finding))}
<div class="body">
${printDescription(view, finding)}
${printQuote(finding)}
${printSuggestion(finding.suggestion)}
${printFacts(view, finding, true)}
${printEvidence(view, finding, true)}
</div></article>
`;

const printCause = (view: ReportView, { finding: first, findings, pages }: FaultGroup): Markup => {
  const where = pages.length > 1 ? `, on ${plural(pages.length, 'page')}` : '';
  return html`<article class="card cause ${filterClasses(view, findings)}" aria-labelledby="title-${first.number}">
${printHead(view, first, findings, html`<span class="times">${findings.length}×</span>`)}
<div class="body">
<div class="what">${printDescription(view, first)}
${printSuggestion(first.suggestion)}
${printFacts(view, first, false)}
${printEvidence(view, first, false)}</div>
<div class="where"><h4>${plural(findings.length, 'place')}${where}</h4>
<ol class="places" tabindex="0" aria-label="Places of: ${first.title}">
${findings.map((finding) => printPlace(view, finding, first, pages.length > 1))}</ol>
<p class="none-here"></p></div>
</div></article>
`;
};

const printPlace = (
  view: ReportView,
  finding: ReportFinding,
  first: ReportFinding,
  withPage: boolean,
): Markup =>
  html`<li class="place one ${filterClasses(view, [finding])}" id="finding-${finding.number}">
${printNumber(view, finding)}
<div>${withPage && html`<p>${externalLink(finding.pageUrl, addressMarkup(finding.pageUrl))}</p>`}
${finding.title !== first.title && html`<p>${finding.title}</p>`}
${printQuote(finding)}
${finding.url !== undefined && finding.url !== first.url && html`<p>${externalLink(finding.url, addressMarkup(finding.url))}</p>`}
${finding.targetText === '' && printSelector(finding)}
<p class="marks">${finding.severity !== first.severity && severityLabel(finding.severity)}${printMarks(finding)}${printAbsence(view, finding)}</p>
</div></li>
`;

function printHead(
  view: ReportView,
  { number, title, severity }: ReportFinding,
  findings: readonly ReportFinding[],
  badge: Markup,
): Markup {
  const isOne = findings.length === 1;
  const failing = findings.filter(({ failsGate }) => failsGate === true).length;
  return html`<header>${badge}
<div><h3 id="title-${number}">${title}</h3>
<p class="marks">${severityLabel(severity)}${isOne ? printMarks(findings[0]!) : failing > 0 && gateMark}${
    isOne && printAbsence(view, findings[0]!)
  }</p></div></header>`;
}

const gateMark = html`<span class="mark fails">Fails the gate</span>`;

const printMarks = ({ state, failsGate }: ReportFinding): Markup =>
  html`${failsGate === true && gateMark}${state === 'new' && html`<span class="mark is-new">New</span>`}${
    state === 'still_there' && html`<span class="mark">Still there</span>`
  }`;

/** The number of a finding, which leads to its pin if it has one. */
const printNumber = ({ pinned }: ReportView, { number, severity }: ReportFinding): Markup =>
  pinned.has(number)
    ? html`<a class="number k-${severity}" href="#pin-${number}" aria-label="Show finding ${number} in the picture" title="Show in the picture">${number}</a>`
    : html`<span class="number bare"><span class="unseen">Finding </span>${number}</span>`;

/** Why a finding has no pin, on a page with a picture. */
const printAbsence = ({ pinned, pictures }: ReportView, { number, pageUrl, ignored }: ReportFinding) =>
  ignored === undefined &&
  pictures.has(pageUrl) &&
  !pinned.has(number) &&
  html`<span class="absence">Not visible in the picture</span>`;

const ruleOf = ({ report }: ReportView, { issueType }: ReportFinding): ReportRule | undefined =>
  Object.hasOwn(report.rules, issueType) ? report.rules[issueType] : undefined;

/** The description without the address of the rule's page, which is shown as a link. */
function describe(view: ReportView, finding: ReportFinding): string {
  const helpUrl = ruleOf(view, finding)?.helpUrl;
  return helpUrl === undefined
    ? finding.description
    : finding.description.replace(` See ${helpUrl}.`, '').trim();
}

const printDescription = (view: ReportView, finding: ReportFinding) => {
  const text = describe(view, finding);
  return text !== '' && text !== finding.title && html`<p class="description">${text}</p>`;
};

/** The words that the finding is about, among those around them. */
function printQuote({ targetText, context, occurrence }: ReportFinding) {
  if (targetText === '') return undefined;
  const before = context?.before ? html`…${context.before} ` : undefined;
  const after = context?.after ? html` ${context.after}…` : undefined;
  return html`<blockquote>${before}<mark>${targetText}</mark>${after}${
    occurrence > 1 && html` <span class="dim">(occurrence ${occurrence})</span>`
  }</blockquote>`;
}

/** The facts in short: address, file, decision and agents. */
function printFacts(view: ReportView, finding: ReportFinding, withDecision: boolean): Markup {
  const { url, statusCode, source, agents, ignored, issueType } = finding;
  const helpUrl = ruleOf(view, finding)?.helpUrl;
  const decision = withDecision ? decisionOf(finding) : '';
  const status = statusCode !== undefined && html` <span class="dim">answers ${statusCode}</span>`;
  return html`<dl class="facts">
${url !== undefined && url !== '' && html`<div><dt>Address</dt><dd>${externalLink(url, url)}${status}</dd></div>`}
${source && html`<div><dt>Source</dt><dd><code>${source.file}${source.line !== undefined && html`:${source.line}`}</code></dd></div>`}
${decision !== '' && html`<div><dt>Decision</dt><dd>${decision}</dd></div>`}
${ignored !== undefined && html`<div><dt>Page</dt><dd>${externalLink(finding.pageUrl, finding.pageUrl)}</dd></div>`}
<div><dt>Found by</dt><dd>${agentNames(view.report, agents)}</dd></div>
<div><dt>Rule</dt><dd>${helpUrl === undefined ? issueType : externalLink(helpUrl, issueType)}</dd></div>
</dl>`;
}

const printSelector = ({ htmlSelector }: ReportFinding) =>
  htmlSelector !== '' && html`<p><code class="selector">${htmlSelector}</code></p>`;

/** The element and what the rule is about, which are folded. */
function printEvidence(view: ReportView, finding: ReportFinding, withElement: boolean) {
  const { confidence, htmlSelector, htmlSnippet, alsoKnownAs, number } = finding;
  const help = ruleOf(view, finding)?.help ?? '';
  // Descriptions often begin with the first sentence of the help.
  const isExplained = help !== '' && !describe(view, finding).startsWith(help.split('. ')[0] ?? help);
  const hasElement = withElement && (htmlSelector !== '' || Boolean(htmlSnippet));
  if (!hasElement && !isExplained && alsoKnownAs.length === 0 && confidence >= 100) return undefined;
  return html`<details class="evidence"><summary>${hasElement ? 'Element' : 'More'}</summary>
${hasElement && printSelector(finding)}
${hasElement && htmlSnippet && html`<pre tabindex="0" role="region" aria-label="Markup of finding ${number}"><code>${htmlSnippet}</code></pre>`}
${isExplained && html`<p>${help}</p>`}
${alsoKnownAs.length > 0 && html`<p>Also reported as ${alsoKnownAs.join(', ')}.</p>`}
${confidence < 100 && html`<p>The agents are ${Math.round(confidence)} % confident.</p>`}
</details>`;
}
