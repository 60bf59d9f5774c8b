import { plural } from '../../lib/text/plural.ts';
import { severities } from '../../shapes/agents/execution.ts';
import { html, type Insertable, type Markup, trusted } from './markup.ts';
import type { ReportView } from './report-view.ts';
import { SEVERITY_NAMES, splitAddress } from './report-words.ts';

/**
 * Filters without a script: style rules hide what does not have the class of a chosen value. Browsers without `:has()`
 * show the counts only.
 */
export function printFilters(view: ReportView): Markup {
  const { summary } = view;
  const tile = (value: string, shape: Markup | false, count: number, name: string) =>
    html`<label class="tile ${value !== 'all' && `k-${value}`} ${count === 0 && 'zero'}"><input type="radio" name="severity" id="severity-${value}" autocomplete="off"${
      value === 'all' && trusted(' checked')
    }${count === 0 && value !== 'all' && trusted(' disabled')}><b>${count}</b><span>${shape}${name}</span></label>
`;
  return html`<form id="filters" aria-label="Filters">
<fieldset class="tiles"><legend class="unseen">Severity</legend>
${tile('all', false, summary.findings, 'All')}${severities.map((severity) =>
  tile(severity, html`<i class="shape"></i>`, summary.bySeverity[severity], SEVERITY_NAMES[severity]),
)}</fieldset>
<div class="choices">${printPages(view)}${printAgents(view)}${
    summary.new > 0 &&
    html`<label class="check"><input type="checkbox" id="new-only" autocomplete="off">New only</label>`
  }<button type="reset">Reset</button></div>
<button type="submit" disabled hidden></button></form>`;
}

const choice = (id: string, name: string, all: string, options: Insertable): Markup =>
  html`<label class="select"><span class="unseen">${name}</span><select id="${id}" autocomplete="off"><option value="" selected>${all}</option>${options}</select></label>`;

function printPages({ groups, report }: ReportView) {
  const { byPage } = groups;
  if (byPage.length < 2) return undefined;
  const isOneHost = new Set(report.pages.map(({ url }) => splitAddress(url).host)).size === 1;
  return choice(
    'page-filter',
    'Page',
    'All pages',
    byPage.flatMap(({ page, groups, elsewhere }, at) => {
      const { host, path } = splitAddress(page.url);
      const count = elsewhere.length + groups.reduce((sum, { findings }) => sum + findings.length, 0);
      const name = isOneHost ? path : `${host}${path}`;
      return count === 0 ? [] : [html`<option value="p${at}">${name} (${count})</option>`];
    }),
  );
}

function printAgents({ report, counting }: ReportView) {
  if (report.agents.length < 2) return undefined;
  const counts = new Map<string, number>();
  for (const { agents } of counting) for (const id of agents) counts.set(id, (counts.get(id) ?? 0) + 1);
  return choice(
    'agent-filter',
    'Agent',
    'All agents',
    report.agents.flatMap(({ agentId, name }, at) => {
      const count = counts.get(agentId) ?? 0;
      return count === 0 ? [] : [html`<option value="a${at}">${name} (${count})</option>`];
    }),
  );
}

/** The number of findings that pass the filters, which the style sheet counts, and a way back. */
export const printFilterResult = ({ summary }: ReportView): Markup =>
  html`<div class="filter-result"><p><span class="how-many"></span> of ${plural(summary.findings, 'finding')}</p><button type="reset" form="filters">Show all</button></div>`;

/** The rules that belong to the values in this report. */
export function filterRules({ report, groups, pinned, counting }: ReportView): string {
  const hide = (chosen: string, name: string) =>
    `#filters:has(${chosen})~main .x:not(.${name}){display:none}`;
  return [
    ...severities.map((severity) => hide(`#severity-${severity}:checked`, `s-${severity}`)),
    ...report.agents.map((_, at) => hide(`[value=a${at}]:checked`, `a${at}`)),
    ...groups.byPage.map((_, at) => hide(`[value=p${at}]:checked`, `p${at}`)),
    hide('#new-only:checked', 'new'),
    ...(counting.length > MAX_PAIRED ? [] : pairRules([...pinned])),
  ].join('\n');
}

/** In a report with more findings, a rule for each pin would slow the page down; only what is named is marked then. */
const MAX_PAIRED = 400;

/** Marks the pin of the finding that the address names, and the finding of a pin. */
const pairRules = (numbers: readonly number[]): string[] =>
  numbers.flatMap((number) => {
    const [pin, finding] = [`#pin-${number}`, `#finding-${number}`];
    return [
      `main:has(${finding}:target) ${pin}{--chosen:3px}`,
      `main:has(${pin}:target) ${finding}{--chosen:2px}`,
    ];
  });
