import { html, nothing, type TemplateResult } from 'lit';
import type { Words } from '../element/words.ts';
import type { Decision } from './listed-finding.ts';

export interface FootState {
  /** Why the last decision was not saved. */
  problem: string | undefined;
  /** Asks why the selected findings are rejected. */
  reasonForm: TemplateResult | undefined;
  /** Number of selected findings. */
  selected: number;
  canReopen: boolean;
  /** What can be undone, as a sentence. */
  undoable: string | undefined;
  decide(decision: Decision): void;
  clear(): void;
  undo(): void;
}

/** What people may do with the findings that they have selected, and with their last decision. */
export function findingsFoot(words: Words, state: FootState): unknown {
  const { problem, reasonForm, selected, undoable } = state;
  if (!problem && !reasonForm && selected === 0 && !undoable) return nothing;
  const button = (name: string, act: () => void, more = '') =>
    html`<button type="button" class="button small ${more}" part="button" @click=${act}>${name}</button>`;
  const count = words.t('findings.selected', { count: selected });
  return html`<div class="foot">
    ${problem ? html`<p class="toast problem" role="alert">${words.t('findings.failed', { message: problem })}</p>` : nothing}
    ${reasonForm ? html`<div class="toast">${reasonForm}</div>` : nothing}
    ${
      selected > 0
        ? html`<div class="toast" part="bulk" role="group" aria-label=${count}><span>${count}</span>
            ${button(words.t('findings.accept'), () => state.decide('accepted'))}
            ${button(words.t('findings.rejectMany'), () => state.decide('rejected'))}
            ${state.canReopen ? button(words.t('findings.reopen'), () => state.decide('undecided')) : nothing}
            ${button(words.t('findings.clear'), () => state.clear(), 'quiet')}
          </div>`
        : nothing
    }
    ${
      undoable
        ? html`<div class="toast undo" part="undo"><span>${undoable}</span>${button(words.t('findings.undo'), () => state.undo())}</div>`
        : nothing
    }
  </div>`;
}
