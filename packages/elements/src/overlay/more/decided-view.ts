import { html, nothing, type TemplateResult } from 'lit/html.js';
import { boxKeys } from './keys.ts';
import type { More } from './more.ts';

/** What was decided last, with a way back; or why the service has refused it. */
export function decidedView({ overlay, deciding, undo }: More): TemplateResult | typeof nothing {
  const { t } = overlay.words;
  const { last, problem } = deciding;
  const close = () => deciding.forgetProblem();
  if (last)
    return html`<div class="hint decided" popover="manual">
      <span class="title">${t(last.verdict, { title: last.title })}</span>
      <button type="button" class="button undo" title=${t('undoHint')} @click=${undo}>${t('undo')}</button>
    </div>`;
  return problem === undefined
    ? nothing
    : html`<div class="hint decided" popover="manual" @keydown=${boxKeys(close)}>
        <span role="alert">${t('refused', { reason: problem })}</span>
        <button type="button" class="button" @click=${close}>${t('close')}</button>
      </div>`;
}
