import { plural } from '../../lib/text/plural.ts';
import type { Verdict } from '../../shapes/agents/run.ts';
import type { ReportFinding } from '../report.ts';
import { printFinding } from './finding-card.ts';
import { externalLink, html, type Markup } from './markup.ts';
import type { ReportView } from './report-view.ts';
import { addressMarkup, dateOf, durationOf, severityLabel } from './report-words.ts';

export function printFixed({ report }: ReportView) {
  const { fixed } = report;
  if (fixed.length === 0) return undefined;
  return html`<section class="rest" aria-labelledby="fixed"><h2 id="fixed">Fixed since the last run</h2><ul class="fixed">
${fixed.map(
  ({ title, severity, pageUrl, url }) =>
    html`<li>${severityLabel(severity)}<div><p>${title}</p><p class="dim">${externalLink(pageUrl, addressMarkup(pageUrl))}${
      url !== undefined && html` · ${externalLink(url, url)}`
    }</p></div></li>`,
)}</ul></section>`;
}

/** Findings that do not count, folded. */
export function printIgnored(view: ReportView) {
  const { findings } = view.report;
  const inBaseline = findings.filter(({ ignored }) => ignored === 'baseline');
  const decided = findings.filter(({ ignored }) => ignored === 'decision');
  if (inBaseline.length + decided.length === 0) return undefined;
  return html`<section class="rest" aria-labelledby="ignored"><h2 id="ignored">Not counted</h2>
${inBaseline.length > 0 && printFolded(view, 'baseline', 'In the baseline', inBaseline)}
${decided.length > 0 && printFolded(view, 'decided', 'Decided', decided)}</section>`;
}

const printFolded = (
  view: ReportView,
  id: string,
  name: string,
  findings: readonly ReportFinding[],
): Markup =>
  html`<details class="fold"><summary><b>${name}</b> ${plural(findings.length, 'finding')}</summary>
<div class="list" id="${id}">${findings.map((finding) => printFinding(view, finding))}</div></details>`;

const VERDICTS: Readonly<Record<Verdict, string>> = {
  clean: 'No findings',
  findings: 'Findings',
  incomplete: 'Incomplete',
  broken: 'No result',
};

/** The agents, and the rules behind the findings, folded. */
export const printBackground = (view: ReportView): Markup =>
  html`<section class="rest" aria-labelledby="background"><h2 id="background">Background</h2>
${printAgents(view)}${printRules(view)}</section>`;

function printAgents({ report }: ReportView) {
  const { agents } = report;
  if (agents.length === 0) return undefined;
  return html`<details class="fold"><summary><b>Agents</b> ${agents.length}</summary><div class="scroll" tabindex="0" role="region" aria-label="Agents"><table><thead><tr><th scope="col">Agent</th><th scope="col">Result</th><th scope="col">Findings</th><th scope="col">Pages</th><th scope="col">Time</th></tr></thead><tbody>
${agents.map(
  ({ name, verdict, findings, pages, durationMs }) =>
    html`<tr><th scope="row">${name}</th><td>${VERDICTS[verdict]}</td><td>${findings}</td><td>${pages}</td><td>${durationOf(durationMs)}</td></tr>`,
)}</tbody></table></div></details>`;
}

function printRules({ report }: ReportView) {
  const rules = Object.entries(report.rules);
  if (rules.length === 0) return undefined;
  return html`<details class="fold"><summary><b>Rules</b> ${rules.length}</summary><ul class="rules">
${rules.map(
  ([issueType, { title, help, helpUrl, defaultSeverity, category }]) =>
    html`<li><h3>${title}</h3><p class="marks">${severityLabel(defaultSeverity)}<code>${issueType}</code><span class="dim">${category}</span></p><p>${help}</p>${
      helpUrl !== undefined && html`<p>${externalLink(helpUrl, `More on the rule ${issueType}`)}</p>`
    }</li>`,
)}</ul></details>`;
}

export const printFooter = ({ report }: ReportView): Markup =>
  html`<footer><p>Made by Redpen ${report.redpen} on ${dateOf(report.completedAt)}. Review <code>${report.id}</code>.</p>
<p>This file has no scripts and loads nothing. The links in it lead to the reviewed pages and to explanations of rules.</p></footer>`;
