import { repeat } from 'lit/directives/repeat.js';
import { html, type TemplateResult } from 'lit/html.js';
import { dragTab } from './drag-tab.ts';
import { type Item, numberOf } from './items.ts';
import type { Overlay } from './overlay.ts';
import type { Words } from './words.ts';

/** For example `Finding 7 (3 of 12), high: No price`: with the number that is seen, by which people speak of it. */
function nameOf(item: Item, at: number, count: number, { t }: Words): string {
  const values = { number: numberOf(item), position: at + 1, count, title: item.title };
  return item.severity ? t('finding', { ...values, severity: t(item.severity) }) : t('comment', values);
}

/** What the tab says: `3 findings, 2 comments`. */
export function summaryOf({ view: { access, items, status }, words: { t, dir } }: Overlay): string {
  if (access === 'signed out') return t('signIn');
  if (access === 'waiting') return t('loading');
  const findings = items.filter(({ kind }) => kind === 'finding').length;
  const comments = items.length - findings;
  const parts = [
    ...(findings > 0 ? [t('findings', { count: findings })] : []),
    ...(comments > 0 ? [t('comments', { count: comments })] : []),
  ];
  // Before the comments have been read, there may be some.
  if (parts.length === 0) return t(status === 'live' ? 'none' : 'loading');
  return parts.join(dir === 'rtl' ? '، ' : ', ');
}

/** Pins before the tab: they are in the order in which people read the page. */
export function firstViews(overlay: Overlay): TemplateResult {
  const { view, words } = overlay;
  const { pinned, openId, corner, access, status, isPanelOpen } = view;
  const onTab = async () => {
    const more = await overlay.more();
    if (access === 'signed out') await more.signIn();
    else more.togglePanel();
  };
  return html`<section aria-label=${words.t('region')} dir=${words.dir}>
    <div class="layer">${repeat(
      pinned,
      ({ id }) => id,
      (item, at) => html`<button
        type="button"
        class="pin k-${item.severity ?? 'comment'} ${item.thread.isUnread ? 'unread' : ''} ${item.id === openId ? 'on' : ''}"
        data-id=${item.id}
        hidden
        aria-label=${nameOf(item, at, pinned.length, words)}
        aria-expanded=${item.id === openId}
        @click=${() => overlay.open(item.id)}
      ><span class="face">${numberOf(item)}</span></button>`,
    )}</div>
    <div class="corner ${corner}"><button
      type="button"
      class="tab"
      dir=${words.dir}
      aria-expanded=${isPanelOpen}
      @pointerdown=${(event: PointerEvent) => dragTab(event, overlay)}
      @click=${onTab}
    ><span class="dot ${status === 'live' ? '' : 'off'}"></span>${summaryOf(overlay)}</button></div>
    <div class="more"></div>
    <div class="unseen" role="status"></div>
  </section>`;
}
