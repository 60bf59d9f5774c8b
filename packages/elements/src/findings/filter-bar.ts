import type { Severity } from '@redpen/client';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { severityLabel } from '../element/severity-mark.ts';
import type { Words } from '../element/words.ts';
import { SEVERITIES } from '../theme/severities.ts';
import type { DecisionStep } from './decisions.ts';
import { decisionOf } from './finding-row.ts';
import { type Filter, type GroupBy, type ListedFinding, matches } from './listed-finding.ts';

const GROUPS = ['rule', 'severity', 'page', 'agent', 'none'] as const satisfies GroupBy[];
const SHOWN = ['open', 'decided', 'all'] as const satisfies Filter['show'][];

/** How many findings of each severity there are that match the rest of the filter. */
export function countBySeverity(
  findings: readonly ListedFinding[],
  filter: Filter,
  stepOf: (id: string) => DecisionStep | undefined,
): Map<Severity, number> {
  const counts = new Map<Severity, number>();
  const rest = { ...filter, severities: new Set<Severity>() };
  for (const finding of findings)
    if (matches(finding, rest, decisionOf(finding, stepOf(finding.id))))
      counts.set(finding.severity, (counts.get(finding.severity) ?? 0) + 1);
  return counts;
}

/** Which findings are shown, and how they are grouped. */
export function filterBar(
  words: Words,
  filter: Filter,
  counts: ReadonlyMap<Severity, number>,
  groupBy: GroupBy,
  change: (filter: Filter, groupBy: GroupBy) => void,
): TemplateResult {
  const toggle = (severity: Severity) => {
    const severities = new Set(filter.severities);
    if (!severities.delete(severity)) severities.add(severity);
    change({ ...filter, severities }, groupBy);
  };
  const textOf = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;
  return html`<div class="bar" part="filter" role="group" aria-label=${words.t('findings.filter')}>
    <div class="chips">${SEVERITIES.filter(
      (severity) => counts.has(severity) || filter.severities.has(severity),
    ).map(
      (severity) => html`<button type="button" class="chip k-${severity}" part="chip"
        aria-pressed=${filter.severities.has(severity)} @click=${() => toggle(severity)}
        >${severityLabel(severity, words)} ${words.number(counts.get(severity) ?? 0)}</button>`,
    )}</div>
    <input class="field" part="field" type="search" placeholder=${words.t('findings.search')}
      aria-label=${words.t('findings.search')} .value=${live(filter.text)}
      @input=${(event: Event) => change({ ...filter, text: textOf(event) }, groupBy)}>
    <select class="field" part="field" aria-label=${words.t('findings.show')}
      @change=${(event: Event) => change({ ...filter, show: SHOWN.find((one) => one === textOf(event)) ?? 'open' }, groupBy)}
      >${SHOWN.map(
        (show) =>
          html`<option value=${show} ?selected=${show === filter.show}>${words.t(`findings.show.${show}`)}</option>`,
      )}</select>
    <select class="field" part="field" aria-label=${words.t('findings.groupBy')}
      @change=${(event: Event) => change(filter, GROUPS.find((one) => one === textOf(event)) ?? 'rule')}
      >${GROUPS.map(
        (by) =>
          html`<option value=${by} ?selected=${by === groupBy}>${words.t(`findings.by.${by}`)}</option>`,
      )}</select>
  </div>`;
}
