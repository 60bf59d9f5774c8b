import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { moveTo, nextCorner } from '../drag-tab.ts';
import { summaryOf } from '../first-views.ts';
import { type Item, numberOf } from '../items.ts';
import type { Key } from '../words.ts';
import { boxKeys } from './keys.ts';
import type { More } from './more.ts';

function listView(more: More, title: Key, items: readonly Item[]): TemplateResult | typeof nothing {
  const { t } = more.overlay.words;
  if (items.length === 0) return nothing;
  return html`<h3>${t(title)} <span class="dim">${items.length}</span></h3>
    <ul>${repeat(
      items,
      ({ id }) => id,
      (item) => html`<li><button
        type="button"
        class="entry k-${item.severity ?? 'comment'}"
        @click=${() => more.open(item.id)}
      ><span class="face">${numberOf(item)}</span><span class="title">${item.title}</span>
        ${item.severity ? html`<span class="kind">${t(item.severity)}</span>` : nothing}</button></li>`,
    )}</ul>`;
}

function notices({ overlay }: More): TemplateResult {
  const { view, words, store } = overlay;
  return html`${view.status === 'offline' ? html`<p class="notice">${words.t('offline')}</p>` : nothing}
    ${view.pending > 0 ? html`<p class="notice">${words.t('pending', { count: view.pending })}</p>` : nothing}
    ${view.problem ? html`<p class="problem" role="alert">${words.t('failed', { reason: view.problem })}</p>` : nothing}
    ${view.unsent.map(
      ({ id, reason }) => html`<p class="problem">${words.t('refused', { reason })}
        <button type="button" class="button" @click=${() => store?.discard(id)}>${words.t('discard')}</button></p>`,
    )}`;
}

export function panelView(more: More): TemplateResult {
  const { overlay } = more;
  const { view, words } = overlay;
  const { t } = words;
  const orphans = overlay.orphans;
  const whole = view.items.filter(({ anchor }) => !anchor);
  const shown = new Set([...orphans, ...whole]);
  // Those in closed menus have no pin, but are on the page.
  const pinned = new Set(view.pinned);
  const others = view.items.filter((item) => !shown.has(item) && !pinned.has(item));
  return html`<div
    class="box panel ${view.corner}"
    popover="manual"
    role="dialog"
    aria-label=${t('region')}
    @keydown=${boxKeys(() => more.togglePanel())}
  >
    <div class="row head">
      <button type="button" class="button primary" title=${t('addHint')} @click=${() => more.begin()}>${t('add')}</button>
      <span class="grow"></span>
      <button type="button" class="icon" title=${t('move')} aria-label=${t('move')} @click=${() => moveTo(overlay, nextCorner(view.corner))}>⤡</button>
      <button type="button" class="icon" title=${t('hide')} aria-label=${t('hide')} @click=${() => overlay.hide()}>–</button>
      <button type="button" class="icon" title=${t('close')} aria-label=${t('close')} @click=${() => more.togglePanel()}>×</button>
    </div>
    <h2>${summaryOf(overlay)}</h2>
    ${notices(more)}
    ${view.items.length === 0 && view.status === 'live' ? html`<p class="dim">${t('empty')}</p>` : nothing}
    ${listView(more, 'onPage', [...view.pinned, ...others])}
    ${listView(more, 'wholePage', whole)}
    ${listView(more, 'orphans', orphans)}
  </div>`;
}
