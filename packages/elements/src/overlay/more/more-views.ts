import { html, nothing, type TemplateResult } from 'lit/html.js';
import { cardView } from './card-view.ts';
import { composerView } from './composer-view.ts';
import { decidedView } from './decided-view.ts';
import type { More } from './more.ts';
import { panelView } from './panel-view.ts';

export function moreViews(more: More): TemplateResult {
  const { overlay, isPicking, subject, problem, opened } = more;
  const { words, view } = overlay;
  const isAiming = isPicking || subject !== undefined || opened !== undefined;
  return html`${isAiming ? html`<div class="aim" popover="manual" hidden></div>` : nothing}
    ${
      isPicking
        ? html`<div class="hint" popover="manual">${words.t('pick')}
            <button type="button" class="button" @click=${() => more.endPicking()}>${words.t('cancel')}</button></div>`
        : nothing
    }
    ${view.isPanelOpen ? panelView(more) : nothing}
    ${opened ? cardView(more, opened) : nothing}
    ${subject ? composerView(more, subject) : nothing}
    ${decidedView(more)}
    ${
      view.access === 'signed out' && problem
        ? html`<p class="note ${view.corner}" popover="manual" role="alert">${problem}</p>`
        : nothing
    }`;
}
