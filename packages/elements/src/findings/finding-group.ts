import type { Severity } from '@redpen/client';
import { html, nothing, type TemplateResult } from 'lit';
import { chevronIcon } from '../element/icons.ts';
import { severityLabel, severityShape } from '../element/severity-mark.ts';
import type { Words } from '../element/words.ts';
import { isSeverity } from '../theme/severities.ts';

export interface GroupState {
  key: string;
  title: string;
  severity: Severity;
  count: number;
  /** Number of selected findings; undefined if none can be selected. */
  checked: number | undefined;
  isExpanded: boolean;
  heading(content: unknown): TemplateResult;
  check(isChecked: boolean): void;
  toggle(): void;
}

/** The title of a group, which opens and closes it. */
export function groupHead(words: Words, state: GroupState): TemplateResult {
  const { key, title, severity, count, checked, isExpanded } = state;
  const name = isSeverity(key) ? words.t(`severity.${key}`) : title || words.t('findings.other');
  const shown = isSeverity(key)
    ? severityLabel(severity, words)
    : html`${severityShape(severity, words)}<span dir="auto">${name}</span>`;
  return html`<div class="group-head">
    ${
      checked === undefined
        ? nothing
        : html`<input type="checkbox" aria-label=${words.t('findings.selectGroup', { title: name })}
            .checked=${checked === count} .indeterminate=${checked > 0 && checked < count}
            @change=${(event: Event) => state.check((event.target as HTMLInputElement).checked)}>`
    }
    ${state.heading(
      html`<button type="button" class="toggle" part="group-title" aria-expanded=${isExpanded} @click=${() => state.toggle()}
        >${chevronIcon}${shown}</button>`,
    )}
    <span class="count">${words.t('findings.count', { count })}</span>
  </div>`;
}
