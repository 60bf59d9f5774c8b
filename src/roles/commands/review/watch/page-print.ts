import { createHash } from 'node:crypto';

/**
 * The part of a page that is compared: all of it, or only what stays the same from one request to the next, or nothing,
 * because even that differs.
 */
export type Mode = 'exact' | 'steady' | 'never';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A text that differs if a page has changed. */
export const printOf = (html: string, mode: Mode): string =>
  mode === 'exact' ? digest(html) : mode === 'steady' ? digest(steadyText(html)) : '';

/** The part in which two answers to the same request, one directly after the other, are equal. */
export function modeOf(first: string, second: string): Mode {
  if (first === second) return 'exact';
  return steadyText(first) === steadyText(second) ? 'steady' : 'never';
}

/** A page without the content of scripts, comments, and what servers make up for each answer. */
export const steadyText = (html: string): string =>
  html
    .replaceAll(/(<script\b[^>]*>)[\s\S]*?(<\/script\s*>)/gi, '$1$2')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<(?:input|meta)\b[^>]*\bname\s*=\s*["']?[^"'>\s]*(?:csrf|token|nonce)[^>]*>/gi, '')
    .replaceAll(
      /\s(?:nonce|integrity|data-[\w-]*(?:nonce|token|csrf|time|request)[\w-]*)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi,
      '',
    )
    // Dev servers add the time or a number to the addresses of files.
    .replaceAll(/(\b(?:src|href)\s*=\s*["'][^"'?]*)\?(?:t|v|ts|_)=[\w.-]+/gi, '$1');
