import type { PageWords } from '../../lib/page-words/page-words.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { Gathered } from '../core/gathered.ts';

/** Fits into the context window of the local embedding model. */
const MAX_QUERY = 900;
const MAX_HEADINGS = 12;

/** Queries to the memory for a page: the agent's instructions, and the page's title, headings and text. */
export function memoryQueries(instructions: string, url: string, gathered: readonly Gathered[]): string[] {
  const withoutTemplates = instructions.replace(/\{\{[^{}]*\}\}/g, ' ');
  return [withoutTemplates, aboutPage(url, gathered)]
    .map((text) => cutText(text.replace(/\s+/g, ' ').trim(), MAX_QUERY))
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
}

function aboutPage(url: string, gathered: readonly Gathered[]): string {
  const data = (name: string) =>
    gathered.find((one) => one.name === name && one.error === undefined)?.data as
      | { title?: string; text?: string; html?: string; words?: PageWords }
      | undefined;
  const text = data('web-page-text');
  const html = data('web-page-html')?.html ?? '';
  const title = text?.title ?? /<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? '';
  const headings = text?.words ? headingsOf(text.words) : headingsOfHtml(html);
  return [title, ...headings, text?.text ?? '', pathWords(url)].filter((part) => part !== '').join('. ');
}

const headingsOf = ({ text, runs }: PageWords): string[] =>
  runs
    .filter(({ marks }) => marks.includes('heading'))
    .slice(0, MAX_HEADINGS)
    .map(({ from, to }) => text.slice(from, to));

const headingsOfHtml = (html: string): string[] =>
  [...html.slice(0, 200_000).matchAll(/<h[1-3]\b[^>]*>([^<]*)/gi)]
    .slice(0, MAX_HEADINGS)
    .map(([, words]) => words!.trim());

function pathWords(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  } catch {
    return '';
  }
}
