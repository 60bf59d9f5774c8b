import { html, nothing, type TemplateResult } from 'lit';
import type { Words } from '../element/words.ts';

/** Most past reasons that are offered. */
const MOST = 4;

/** Asks why findings are rejected, and offers past reasons. */
export function reasonForm(
  words: Words,
  past: readonly string[],
  count: number,
  { reject, cancel }: { reject(reason: string | undefined): void; cancel(): void },
): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    reject(String(data.get('reason') ?? '').trim() || undefined);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel();
  };
  return html`<form class="reason" part="reason" @submit=${submit} @keydown=${onKey}>
    <label for="reason">${words.t('findings.why', { count })}</label>
    <input class="field" part="field" id="reason" name="reason" maxlength="10000" autocomplete="off">
    ${
      past.length === 0
        ? nothing
        : html`<div class="past" role="group" aria-label=${words.t('findings.pastReasons')}>${past
            .slice(0, MOST)
            .map(
              (reason) =>
                html`<button type="button" class="button small" part="button" @click=${() => reject(reason)}>${reason}</button>`,
            )}</div>`
    }
    <div class="acts">
      <button type="submit" class="button small primary" part="button">${words.t('findings.reject')}</button>
      <button type="button" class="button small quiet" part="button" @click=${cancel}>${words.t('cancel')}</button>
    </div>
  </form>`;
}
