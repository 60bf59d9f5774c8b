import type { ReviewRecord } from '@redpen/client';
import { hostOf, pathOf } from '../findings/finding-text.ts';

/** `example.com/pricing and 2 more`: the pages of a review, for titles and lists. */
export function titleOf({ urls }: Pick<ReviewRecord, 'urls'>): string {
  const [first = ''] = urls;
  const path = pathOf(first);
  return `${hostOf(first)}${path === '/' ? '' : path}${urls.length > 1 ? ` and ${urls.length - 1} more` : ''}`;
}
