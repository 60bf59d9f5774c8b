import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { checkIcon, crossIcon, undoIcon } from '../element/icons.ts';
import { severityShape } from '../element/severity-mark.ts';
import type { Words } from '../element/words.ts';
import type { DecisionStep } from './decisions.ts';
import {
  type Decision,
  type GroupBy,
  isOpen,
  type ListedFinding,
  pageOf,
  shortAddress,
} from './listed-finding.ts';

/** What a row shows besides its finding, and what it may do. */
export interface RowState {
  words: Words;
  groupBy: GroupBy;
  /** What a person has just decided. */
  step: DecisionStep | undefined;
  isChecked: boolean;
  isCurrent: boolean;
  isExpanded: boolean;
  /** True for the one row that the tab key stops at. */
  isStop: boolean;
  isRejecting: boolean;
  canDecide: boolean;
  reasonForm(ids: readonly string[]): unknown;
  toggle(finding: ListedFinding): void;
  check(finding: ListedFinding, isChecked: boolean): void;
  decide(finding: ListedFinding, decision: Decision): void;
  hover(finding: ListedFinding | undefined): void;
}

export const decisionOf = (finding: ListedFinding, step: DecisionStep | undefined): Decision | undefined =>
  step?.decision ?? finding.decision;

export function findingRow(finding: ListedFinding, state: RowState): TemplateResult {
  const { words, step, isChecked, isCurrent, isExpanded, isStop, canDecide } = state;
  const decision = decisionOf(finding, step);
  const classes = { 'is-current': isCurrent, 'is-closed': !isOpen(finding, decision) };
  const tabIndex = isStop ? 0 : -1;
  return html`<li class="row ${classMap(classes)}" part="finding" data-id=${finding.id}
    @pointerenter=${() => state.hover(finding)} @pointerleave=${() => state.hover(undefined)}>
    <div class="line">
      ${
        canDecide
          ? html`<input type="checkbox" tabindex=${tabIndex} .checked=${isChecked}
              aria-label=${words.t('findings.select', { title: finding.title })}
              @change=${(event: Event) => state.check(finding, (event.target as HTMLInputElement).checked)}>`
          : html`<span></span>`
      }
      ${severityShape(finding.severity, words)}
      <div>
        <button type="button" class="title" part="finding-title" dir="auto" tabindex=${tabIndex}
          aria-expanded=${isExpanded} aria-controls=${isExpanded ? 'detail' : nothing}
          @click=${() => state.toggle(finding)}>${
            finding.number === undefined ? nothing : html`${words.number(finding.number)}. `
          }${finding.title}</button>
        ${metaOf(finding, decision, state)}
      </div>
      ${canDecide ? actsOf(finding, decision, tabIndex, state) : nothing}
    </div>
    ${state.isRejecting ? state.reasonForm([finding.id]) : nothing}
    ${isExpanded ? detailOf(finding, state) : nothing}
  </li>`;
}

function metaOf(finding: ListedFinding, decision: Decision | undefined, state: RowState): unknown {
  const { words, groupBy } = state;
  const { comparison, state: standing, agentName, targetText, context, ignored } = finding;
  const parts = [
    decision && decision !== 'undecided'
      ? html`<span class="tag ${decision}">${words.t(`findings.${decision}`)}</span>`
      : ignored === undefined
        ? undefined
        : html`<span class="tag">${words.t('findings.ignored')}</span>`,
    (comparison ?? standing) === 'new'
      ? html`<span class="tag is-new">${words.t('findings.new')}</span>`
      : undefined,
    standing === 'fixed' ? html`<span class="tag resolved">${words.t('findings.fixed')}</span>` : undefined,
    targetText
      ? html`<q dir="auto">${endOf(context?.before)}<mark>${cut(targetText, 80)}</mark>${startOf(context?.after)}</q>`
      : undefined,
    groupBy === 'page' || !pageOf(finding)
      ? undefined
      : html`<span dir="ltr">${shortAddress(pageOf(finding))}</span>`,
    groupBy === 'agent' || agentName === undefined ? undefined : html`<span>${agentName}</span>`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? nothing : html`<p class="meta" part="finding-meta">${parts}</p>`;
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
const endOf = (text = ''): string => (text.length > 24 ? `…${text.slice(-24)}` : text);
const startOf = (text = ''): string => cut(text, 24);

function actsOf(
  finding: ListedFinding,
  decision: Decision | undefined,
  tabIndex: number,
  { words, decide }: RowState,
): TemplateResult {
  const button = (name: string, icon: TemplateResult, next: Decision) =>
    html`<button type="button" class="button small icon" part="button" tabindex=${tabIndex}
      title=${name} aria-label=${`${name}: ${finding.title}`} @click=${() => decide(finding, next)}>${icon}</button>`;
  const isDecided = decision !== undefined && decision !== 'undecided';
  return html`<div class="acts">${
    isDecided
      ? button(words.t('findings.reopen'), undoIcon, 'undecided')
      : html`${button(words.t('findings.accept'), checkIcon, 'accepted')}${button(
          words.t('findings.reject'),
          crossIcon,
          'rejected',
        )}`
  }</div>`;
}

function detailOf(finding: ListedFinding, { words, step }: RowState): TemplateResult {
  const { description, targetText, context, suggestion, htmlSnippet } = finding;
  return html`<div class="detail" part="finding-detail" id="detail">
    ${description ? html`<p dir="auto">${description}</p>` : nothing}
    ${
      targetText
        ? html`<blockquote class="quote" dir="auto">${context?.before}<mark>${targetText}</mark>${context?.after}</blockquote>`
        : nothing
    }
    ${
      suggestion
        ? html`<div><p class="label">${words.t('findings.suggestion')}</p><p class="fix" dir="auto">${suggestion}</p></div>`
        : nothing
    }
    ${htmlSnippet ? html`<pre class="snippet" tabindex="0" aria-label=${words.t('findings.snippet')}>${htmlSnippet}</pre>` : nothing}
    ${factsOf(finding, step, words)}
    <slot name=${`finding-${finding.id}`}></slot>
  </div>`;
}

function factsOf(finding: ListedFinding, step: DecisionStep | undefined, words: Words): unknown {
  const { url, statusCode, htmlSelector, agentName, agents, seenCount, decidedBy, decidedAt } = finding;
  const person = step ? undefined : typeof decidedBy === 'string' ? decidedBy : decidedBy?.name;
  const assistant = step || typeof decidedBy === 'string' ? undefined : decidedBy?.assistant;
  const reason = step ? step.reason : finding.reason;
  const facts: [name: string, value: unknown][] = [
    [words.t('findings.page'), pageOf(finding) && link(pageOf(finding))],
    [words.t('findings.address'), url && html`${link(url)}${statusCode ? ` (${statusCode})` : nothing}`],
    [words.t('findings.element'), htmlSelector && html`<code dir="ltr">${htmlSelector}</code>`],
    [words.t('findings.agent'), agentName ?? agents?.join(', ')],
    [words.t('findings.seen'), seenCount && words.t('findings.runs', { count: seenCount })],
    [
      words.t('findings.decidedBy'),
      (person || assistant) &&
        html`${person}${assistant ? html` (${words.t('thread.assistant', { name: assistant })})` : nothing}${decidedAt ? html`, <time>${words.ago(decidedAt)}</time>` : nothing}`,
    ],
    [words.t('findings.reason'), reason],
  ];
  const known = facts.filter(([, value]) => value);
  return known.length === 0
    ? nothing
    : html`<dl class="facts">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Only addresses of the web: a page may name any. */
const link = (address: string): unknown =>
  /^https?:\/\//i.test(address)
    ? html`<a dir="ltr" href=${address} target="_blank" rel="noopener noreferrer nofollow">${address}</a>`
    : html`<code dir="ltr">${address}</code>`;
