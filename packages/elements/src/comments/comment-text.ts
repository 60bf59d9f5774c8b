import { html, type TemplateResult } from 'lit';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';

type NameOf = (userId: string) => string;

function inline(part: Inline, nameOf: NameOf): unknown {
  if (typeof part === 'string') return part;
  if (part.kind === 'code') return html`<code>${part.text}</code>`;
  if (part.kind === 'mention')
    return html`<span class="mention" part="mention"><bdi>@${nameOf(part.userId)}</bdi></span>`;
  const children = part.children.map((child) => inline(child, nameOf));
  switch (part.kind) {
    case 'strong':
      return html`<strong>${children}</strong>`;
    case 'em':
      return html`<em>${children}</em>`;
    case 'del':
      return html`<del>${children}</del>`;
    case 'link':
      return html`<a href=${part.url} target="_blank" rel="noopener noreferrer nofollow">${children}</a>`;
  }
}

function block(part: Block, nameOf: NameOf): TemplateResult {
  const line = (parts: Inline[]) => parts.map((one) => inline(one, nameOf));
  switch (part.kind) {
    case 'paragraph':
      return html`<p dir="auto">${part.lines.map((parts, at) => html`${at > 0 ? html`<br>` : ''}${line(parts)}`)}</p>`;
    case 'bullets':
      return html`<ul class="bullets" dir="auto">${part.items.map((parts) => html`<li>${line(parts)}</li>`)}</ul>`;
    case 'numbers':
      return html`<ol class="numbers" dir="auto">${part.items.map((parts) => html`<li>${line(parts)}</li>`)}</ol>`;
    case 'quote':
      return html`<blockquote>${part.blocks.map((one) => block(one, nameOf))}</blockquote>`;
    case 'code':
      return html`<pre dir="ltr"><code>${part.text}</code></pre>`;
  }
}

/** The text of a comment, as elements and text nodes. */
export const commentText = (text: string, nameOf: NameOf): TemplateResult[] =>
  parseMarkdown(text).map((part) => block(part, nameOf));
