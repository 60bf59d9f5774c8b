import { cutText } from '../../lib/text/cut-text.ts';
import type { Gathered } from '../core/gathered.ts';
import type { Run } from '../core/run-state.ts';
import { isCrossPage } from './cross-page.ts';

/** Of all pages together; about as much as one question holds. */
const ALL_CHARS = 350_000;
const MIN_CHARS = 500;
const MAX_CHARS = 20_000;
const HEAD_SHARE = 0.6;

/**
 * What is kept of a page for the comparison with the others, where the agent wants one: the beginning and the end of
 * what was gathered, since what pages have in common stands in their headers and footers.
 */
export function textToCompare(run: Run, gathered: readonly Gathered[]): string | undefined {
  if (!isCrossPage(run.behavior)) return undefined;
  const text = gathered
    .flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])))
    .join('\n')
    .trim();
  if (text === '') return undefined;
  const share = Math.floor(ALL_CHARS / run.request.maxUrlsToProcess);
  return headAndTail(text, Math.min(MAX_CHARS, Math.max(MIN_CHARS, share)));
}

function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor(length * HEAD_SHARE);
  const tail = text.slice(text.length - (length - head)).replace(/^[\udc00-\udfff]/, '');
  return `${cutText(text, head)}\n(…)\n${tail}`;
}
