import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Attached } from './attached.ts';
import type { More } from './more.ts';

/** The files of a comment that is being written. */
export function attachedView(more: More, attached: Attached): TemplateResult | typeof nothing {
  const { t } = more.overlay.words;
  const { files, uploading } = attached;
  if (files.length === 0 && uploading.length === 0) return nothing;
  return html`<ul class="files">
    ${files.map(
      (file) => html`<li><bdi>${file.fileName}</bdi><button
        type="button"
        class="icon"
        title=${t('removeFile', { name: file.fileName })}
        aria-label=${t('removeFile', { name: file.fileName })}
        @click=${() => more.detach(attached, file)}
      >×</button></li>`,
    )}
    ${uploading.map((name) => html`<li class="dim"><bdi>${name}</bdi> …</li>`)}
  </ul>`;
}

/** Opens the choice of files of the browser. */
export function attachButton(more: More, attached: Attached): TemplateResult {
  const { t } = more.overlay.words;
  const choose = ({ currentTarget }: Event) =>
    (currentTarget as HTMLElement).parentElement!.querySelector<HTMLInputElement>('[type=file]')!.click();
  const onChange = ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement;
    for (const file of input.files ?? []) void more.act(attached.add(file));
    input.value = '';
  };
  return html`<button type="button" class="icon" title=${t('attach')} aria-label=${t('attach')} @click=${choose}>+</button>
    <input type="file" multiple hidden @change=${onChange}>`;
}
