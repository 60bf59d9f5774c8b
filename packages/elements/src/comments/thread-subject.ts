import type { Suggestion, Thread } from '@redpen/client';
import { html, nothing, type TemplateResult } from 'lit';
import type { Words } from '../element/words.ts';
import { shortAddress } from '../findings/listed-finding.ts';

/** The address of a page, as a link where it can be opened. */
export const pageLink = (page: string): TemplateResult =>
  /^https?:/i.test(page)
    ? html`<a href=${page} target="_blank" rel="noopener noreferrer" dir="ltr">${shortAddress(page)}</a>`
    : html`<span dir="ltr">${shortAddress(page)}</span>`;

/** The words of the page that a thread is about. */
export function quoteOf({ targetElement }: Thread): unknown {
  const text = targetElement?.targetText;
  return text ? html`<blockquote class="quote" part="quote" dir="auto">${text}</blockquote>` : nothing;
}

export const fixOf = (fix: string, words: Words): TemplateResult =>
  html`<div><p class="label">${words.t('findings.suggestion')}</p><p class="fix" dir="auto">${fix}</p></div>`;

/** Values of other kinds than text are compared as JSON. */
const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2);

/** What a suggestion changes, or the fix that it describes. */
export function proposalOf({ suggestion, agent, comments }: Thread, words: Words): unknown {
  const { oldValue, newValue, summary } = suggestion ?? {};
  const fix = summary || agent?.reason?.suggestion;
  const isSaid = fix === undefined || fix === comments[0]?.commentText;
  const [oldText, newText] = [asText(oldValue), asText(newValue)];
  if (oldText !== '' || newText !== '')
    return html`${isSaid || agent ? nothing : html`<p dir="auto">${fix}</p>`}<rp-diff part="diff" .oldText=${oldText} .newText=${newText}></rp-diff>`;
  return fix && !isSaid ? fixOf(fix, words) : nothing;
}

/** Who has decided on a suggestion, and why. */
export function decisionOn(
  { status, resolvedBy, rejectReason }: Suggestion,
  assistant: string | undefined,
  words: Words,
): unknown {
  if (status === 'pending') return nothing;
  const by = typeof resolvedBy === 'string' ? resolvedBy : (resolvedBy?.name ?? resolvedBy?.userId);
  return html`<p class="label">${words.t(`findings.${status}`)}${
    by ? html` · ${words.t('findings.decidedBy')} <bdi>${by}</bdi>` : nothing
  }${assistant ? html` · ${words.t('thread.assistant', { name: assistant })}` : nothing}</p>${rejectReason ? html`<p dir="auto">${words.t('findings.reason')}: ${rejectReason}</p>` : nothing}`;
}
