import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { attachButton, attachedView } from './attach-view.ts';
import { boxKeys } from './keys.ts';
import type { More } from './more.ts';
import { draftKey, type Subject } from './new-comment.ts';

export function composerView(more: More, subject: Subject): TemplateResult {
  const { t } = more.overlay.words;
  const key = draftKey(subject);
  const attached = more.attachedTo(key);
  const send = (field: HTMLTextAreaElement) => void more.send(field.value);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    send((event.currentTarget as HTMLFormElement).querySelector('textarea')!);
  };
  return html`<form
    class="box composer"
    popover="manual"
    aria-label=${t('writeOn', { text: subject.name })}
    @submit=${onSubmit}
    @keydown=${boxKeys(() => more.cancel(), send)}
  >
    <p class="about">${t('writeOn', { text: subject.name })}</p>
    <textarea
      rows="3"
      aria-label=${t('write')}
      placeholder=${t('write')}
      aria-describedby="problem"
      .value=${live(more.drafts.get(key) ?? '')}
      @input=${({ target }: InputEvent) => more.write(key, (target as HTMLTextAreaElement).value)}
    ></textarea>
    ${attachedView(more, attached)}
    <p id="problem" class="problem" role="alert" ?hidden=${!more.problem}>${more.problem ?? nothing}</p>
    <div class="row">
      ${attachButton(more, attached)}
      <span class="dim">${t('sendHint')}</span>
      <button type="button" class="button" @click=${() => more.cancel()}>${t('cancel')}</button>
      <button type="submit" class="button primary">${t('send')}</button>
    </div>
  </form>`;
}
