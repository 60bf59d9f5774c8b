import type { Comment } from '@redpen/client';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { type Item, isOrphan } from '../items.ts';
import { cropView } from './crop-view.ts';
import { filesView } from './files-view.ts';
import { boxKeys } from './keys.ts';
import type { More } from './more.ts';

function commentView(more: More, comment: Comment): TemplateResult {
  const { words } = more.overlay;
  const name = comment.from?.name ?? words.t('you');
  const { assistant } = comment;
  return html`<li>
    <p class="by"><b>${name}</b> <span class="dim">${assistant ? `${words.t('assistant', assistant)} · ` : nothing}${words.ago(comment.createdAt)}</span></p>
    <p class="said" dir="auto">${comment.commentText ?? nothing}</p>
    ${filesView(more, comment.attachments)}
  </li>`;
}

/** People resolve comments, and accept or reject what agents suggest. */
function decisions(more: More, item: Item): TemplateResult {
  const { t } = more.overlay.words;
  const button = (key: 'accept' | 'reject' | 'resolve', act: () => void) => html`<button
    type="button"
    class="button ${key}"
    @click=${act}
  >${t(key)}</button>`;
  return item.kind === 'finding'
    ? html`${button('accept', () => more.decide(item, 'accepted'))} ${button('reject', () => more.setRejecting(true))}`
    : button('resolve', () => more.decide(item, 'resolved'));
}

/** Esc goes back to the card. */
function reasonForm(more: More, item: Item): TemplateResult {
  const { t } = more.overlay.words;
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const { value } = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    more.decide(item, 'rejected', value.trim() || undefined);
  };
  return html`<form class="reason" @submit=${onSubmit} @keydown=${boxKeys(() => more.setRejecting(false))}>
    <label for="reason">${t('why')}</label>
    <input id="reason" maxlength="10000" autocomplete="off" dir="auto">
    <div class="row">
      <span class="grow"></span>
      <button type="button" class="button" @click=${() => more.setRejecting(false)}>${t('cancel')}</button>
      <button type="submit" class="button primary">${t('reject')}</button>
    </div>
  </form>`;
}

function replyForm(more: More, item: Item): TemplateResult {
  const { overlay, drafts, problem } = more;
  const { t } = overlay.words;
  const key = `reply ${item.id}`;
  const reply = async (field: HTMLTextAreaElement) => {
    const text = field.value.trim();
    if (text === '') {
      field.focus();
      return;
    }
    drafts.delete(key);
    const isDone = more.act(overlay.store?.reply(item.id, { commentText: text }));
    overlay.draw();
    if (await isDone) return;
    drafts.set(key, text);
    overlay.draw();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void reply((event.currentTarget as HTMLFormElement).querySelector('textarea')!);
  };
  return html`<form
    @submit=${onSubmit}
    @keydown=${boxKeys(
      () => more.close(),
      (field) => void reply(field),
    )}
  >
      <textarea
        rows="2"
        aria-label=${t('reply')}
        placeholder=${t('reply')}
        .value=${live(drafts.get(key) ?? '')}
        @input=${({ target }: InputEvent) => drafts.set(key, (target as HTMLTextAreaElement).value)}
      ></textarea>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      <div class="row">
        ${decisions(more, item)}
        <span class="grow"></span>
        <button type="submit" class="button primary">${t('reply')}</button>
      </div>
    </form>`;
}

export function cardView(more: More, item: Item): TemplateResult {
  const { overlay, crop } = more;
  const { t } = overlay.words;
  return html`<div
    class="box card k-${item.severity ?? 'comment'}"
    popover="manual"
    role="dialog"
    tabindex="-1"
    aria-label=${item.title}
    @keydown=${boxKeys(() => more.close())}
  >
    <div class="row head">
      <span class="kind">${item.severity ? t(item.severity) : t('add')} · ${item.thread.annotationNumber || '…'}</span>
      <button type="button" class="icon" title=${t('previous')} aria-label=${t('previous')} @click=${() => overlay.walk(-1)}><span class="turns">‹</span></button>
      <button type="button" class="icon" title=${t('next')} aria-label=${t('next')} @click=${() => overlay.walk(1)}><span class="turns">›</span></button>
      <button type="button" class="icon" title=${t('close')} aria-label=${t('close')} @click=${() => more.close()}>×</button>
    </div>
    ${isOrphan(item) ? html`<p class="dim">${t('lost')}</p>` : nothing}
    ${crop ? cropView(crop, t('picture', { title: item.title })) : nothing}
    <ul class="comments">${repeat(
      item.thread.comments,
      ({ commentId }) => commentId,
      (comment) => commentView(more, comment),
    )}</ul>
    ${more.isRejecting ? reasonForm(more, item) : replyForm(more, item)}
  </div>`;
}
