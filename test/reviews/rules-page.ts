import { readHtml } from '../../src/review/rules/html-page.ts';
import type { ReviewedPage } from '../../src/review/rules/reviewed-page.ts';

/** A passage of a page: plain text, or text with the marks of its elements. */
export type SamplePassage = string | { text: string; marks: readonly string[] };

/** A page as rules read it, from its passages and its HTML. */
export function pageOf(
  passages: readonly SamplePassage[],
  html = '',
  url = 'https://site.example/',
): ReviewedPage {
  let text = '';
  const runs = passages.map((passage, index) => {
    const { text: own, marks } = typeof passage === 'string' ? { text: passage, marks: [] } : passage;
    const from = text.length === 0 ? 0 : text.length + 1;
    text = text.length === 0 ? own : `${text} ${own}`;
    return { from, to: from + own.length, passage: index, lang: '', marks };
  });
  return { url, words: { lang: 'en', text, runs, labels: [] }, html: readHtml(html) };
}

/** The head of a page that a generator of documentation has made. */
export const MANUAL = '<html><head><meta name="generator" content="Sphinx 7"></head><body>';
