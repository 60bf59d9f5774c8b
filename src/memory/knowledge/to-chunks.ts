import { isHeading } from '../../lib/checklist/text-items.ts';
import { cutText, shorten } from '../../lib/text/cut-text.ts';

export interface Chunk {
  text: string;
  /** Headings above the chunk, outermost first. */
  heading: string | null;
}

const WORDS_A_CHUNK = 200;
/** Counts scripts without spaces, which have no words. */
const CHARS_A_WORD = 8;
const MAX_WINDOW_CHARS = WORDS_A_CHUNK * CHARS_A_WORD;
const SENTENCE_ENDS = ['. ', '! ', '? ', '.\n', '。', '！', '？'];
const MAX_HEADINGS = 6;
const MAX_HEADING_CHARS = 150;
const BETWEEN_HEADINGS = ' › ';
const MARKED = /^(#{1,6})\s+(.*?)\s*#*$/;
const UNDERLINE = /^(=+|-{3,})\s*$/;
const LISTED = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
/** Below every marked heading. */
const UNMARKED_DEPTH = 7;

/**
 * Splits Markdown into chunks of about 200 words: whole paragraphs, rows and list items of a section, with the headings
 * above them. Ours, because a general text splitter knows neither plain-text headings nor that column names belong to
 * every chunk of a table.
 */
export function toChunks(markdown: string, maxChunks: number): Chunk[] {
  const chunks: Chunk[] = [];
  let headings: { depth: number; text: string }[] = [];
  let blocks: string[] = [];
  let size = 0;

  const flush = () => {
    const text = blocks.join('\n').trim();
    if (text !== '' && chunks.length < maxChunks)
      chunks.push({
        text,
        heading: headings.map((one) => one.text).join(BETWEEN_HEADINGS) || null,
      });
    blocks = [];
    size = 0;
  };
  const begin = (depth: number, text: string) => {
    flush();
    headings = [
      ...headings.filter((outer) => outer.depth < depth),
      { depth, text: shorten(text.replace(/[*_`]{1,3}/g, '').trim(), MAX_HEADING_CHARS) },
    ].slice(-MAX_HEADINGS);
  };
  const add = (block: string) => {
    const words = sizeOf(block);
    if (size > 0 && size + words > WORDS_A_CHUNK) flush();
    blocks.push(block);
    size += words;
  };

  const lines = markdown.split('\n');
  let head: string[] = [];
  for (let index = 0; index < lines.length && chunks.length < maxChunks; index++) {
    const line = lines[index]!;
    const next = lines[index + 1];
    const marked = MARKED.exec(line);
    if (/^\s*\|.*\|\s*$/.test(line)) {
      // Column names are repeated in every chunk of the table.
      if (next !== undefined && /^\|(\s*:?-{3,}:?\s*\|)+$/.test(next)) {
        flush();
        head = /[^|\s]/.test(line) ? [line] : [];
        index += 1;
        continue;
      }
      if (size === 0 || size + sizeOf(line) > WORDS_A_CHUNK) {
        flush();
        blocks.push(...head);
      }
      for (const part of splitParagraph(line)) add(part);
    } else {
      head = [];
      if (marked) begin(marked[1]!.length, marked[2]!);
      else if (
        line.trim() !== '' &&
        next !== undefined &&
        UNDERLINE.test(next) &&
        isHeading(line.trim(), { number: 0, text: next })
      ) {
        begin(next.startsWith('=') ? 1 : 2, line);
        index += 1;
      } else if (isLoneHeading(line, next)) begin(UNMARKED_DEPTH, line.trim().replace(/:$/, ''));
      else if (line.trim() === '') blocks.push('');
      else {
        const paragraph = paragraphAt(lines, index);
        index += paragraph.length - 1;
        for (const part of splitParagraph(paragraph.join('\n'))) add(part);
      }
    }
  }
  flush();
  return chunks;
}

/** True for a line of plain text that names what follows. */
const isLoneHeading = (line: string, next: string | undefined): boolean =>
  !LISTED.test(line) &&
  line.trim() !== '' &&
  isHeading(line.trim(), next === undefined ? undefined : { number: 0, text: next });

/** Lines up to an empty one, a heading, a table or the next list item. */
function paragraphAt(lines: readonly string[], from: number): string[] {
  let end = from + 1;
  while (end < lines.length) {
    const line = lines[end]!;
    if (line.trim() === '' || MARKED.test(line) || LISTED.test(line) || /^\s*\|/.test(line)) break;
    // Text of a PDF has no empty lines.
    if (/[.!?:]$/.test(lines[end - 1]!.trim()) && isLoneHeading(line, lines[end + 1])) break;
    end += 1;
  }
  return lines.slice(from, end);
}

const sizeOf = (text: string): number =>
  Math.max(text.split(/\s+/).length, Math.ceil(text.length / CHARS_A_WORD));

/** Splits a long paragraph between sentences, otherwise between words, otherwise anywhere. */
function splitParagraph(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const rest = cutText(text.slice(from, from + MAX_WINDOW_CHARS + 1), MAX_WINDOW_CHARS);
    if (from + rest.length >= text.length && sizeOf(rest) <= WORDS_A_CHUNK) {
      parts.push(rest);
      break;
    }
    const window = firstWords(rest);
    const sentence = Math.max(...SENTENCE_ENDS.map((end) => window.lastIndexOf(end) + end.length));
    const cut = sentence > window.length / 2 ? sentence : window.length;
    parts.push(window.slice(0, cut));
    from += cut;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function firstWords(text: string): string {
  let count = 0;
  for (const { index } of text.matchAll(/\s+/g)) {
    if (index > 0 && ++count === WORDS_A_CHUNK) return text.slice(0, index);
  }
  return text;
}
