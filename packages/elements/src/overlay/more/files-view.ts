import type { Comment } from '@redpen/client';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { More } from './more.ts';

type File = NonNullable<Comment['attachments']>[number];

const isWeb = (url: string | undefined): url is string => /^https?:\/\//i.test(url ?? '');

/** Files of a comment. Pages with a policy allow pictures of the service alone, so others are links. */
export function filesView({ overlay }: More, files: readonly File[] = []): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  const service = new URL(overlay.settings.baseUrl).origin;
  const fileView = ({ url, name, fileName, mimeType }: File) => {
    const title = fileName ?? name ?? '…';
    if (!isWeb(url)) return html`<bdi>${title}</bdi>`;
    const isShown = mimeType?.startsWith('image/') && new URL(url).origin === service;
    return html`<a href=${url} target="_blank" rel="noopener noreferrer"
      >${isShown ? html`<img src=${url} alt=${title} loading="lazy">` : html`<bdi>${title}</bdi>`}</a>`;
  };
  return html`<ul class="files">${files.map((file) => html`<li>${fileView(file)}</li>`)}</ul>`;
}
