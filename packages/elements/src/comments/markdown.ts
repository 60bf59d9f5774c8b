/** A part of a line. Comments are shown as text nodes, so nothing in them is ever read as HTML. */
export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; children: Inline[] }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'mention'; userId: string };

export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'bullets' | 'numbers'; items: Inline[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'code'; text: string };

/** Deeper marks stay as they are typed. */
const DEEPEST = 4;

/** Every alternative ends within its line, so that a text is read in linear time. */
const MARKS = new RegExp(
  [
    '`([^`\\n]+)`',
    '\\{\\{([^{}\\n]+)\\}\\}',
    '\\[([^\\][\\n]+)\\]\\((https?:\\/\\/[^()\\s]+)\\)',
    '(https?:\\/\\/[^\\s<>"\']+)',
    '\\*\\*([^*\\n]+)\\*\\*',
    '\\*([^*\\s][^*\\n]*)\\*',
    '(?<![\\p{L}\\p{N}_])_([^_\\s][^_\\n]*)_(?![\\p{L}\\p{N}_])',
    '~~([^~\\n]+)~~',
  ].join('|'),
  'gu',
);

/** A sentence may end with an address, whose end is then a sign of the sentence. */
const AFTER_ADDRESS = /[.,:;!?)\]}»”’]+$/u;

export function parseInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  const push = (part: Inline) => {
    const last = parts.at(-1);
    if (part === '') return;
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  const nested = (inner: string) => (depth < DEEPEST ? parseInline(inner, depth + 1) : [inner]);
  for (const found of text.matchAll(MARKS)) {
    const [whole, code, userId, name, target, address, strong, star, line, del] = found;
    push(text.slice(end, found.index));
    end = found.index + whole.length;
    if (code !== undefined) push({ kind: 'code', text: code });
    else if (userId !== undefined) push({ kind: 'mention', userId });
    else if (name !== undefined && target !== undefined)
      push({ kind: 'link', url: target, children: [name] });
    else if (address !== undefined) {
      const url = address.replace(AFTER_ADDRESS, '');
      push({ kind: 'link', url, children: [url] });
      push(address.slice(url.length));
    } else if (strong !== undefined) push({ kind: 'strong', children: nested(strong) });
    else if (del !== undefined) push({ kind: 'del', children: nested(del) });
    else push({ kind: 'em', children: nested(star ?? line ?? '') });
  }
  push(text.slice(end));
  return parts;
}

const BULLET = /^\s{0,3}[-*•]\s+(.*)$/;
const NUMBER = /^\s{0,3}\d{1,9}[.)]\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const FENCE = /^\s{0,3}```/;

const KINDS = [
  { kind: 'bullets', pattern: BULLET },
  { kind: 'numbers', pattern: NUMBER },
  { kind: 'quote', pattern: QUOTE },
] as const;

/** Reads paragraphs, lists, quotes and code, as people write them in comments. */
export function parseMarkdown(text: string, depth = 0): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    if (FENCE.test(line)) {
      const end = lines.findIndex((other, index) => index > at && FENCE.test(other));
      const close = end < 0 ? lines.length : end;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, close).join('\n') });
      at = close + 1;
      continue;
    }
    const known = KINDS.find(({ pattern }) => pattern.test(line));
    if (known) {
      const items = takeWhile(lines, at, (other) => known.pattern.test(other));
      const inner = items.map((item) => known.pattern.exec(item)![1]!);
      if (known.kind !== 'quote')
        blocks.push({ kind: known.kind, items: inner.map((item) => parseInline(item)) });
      else if (depth < DEEPEST)
        blocks.push({ kind: 'quote', blocks: parseMarkdown(inner.join('\n'), depth + 1) });
      else blocks.push({ kind: 'paragraph', lines: inner.map((item) => [item]) });
      at += items.length;
      continue;
    }
    const isPlain = (other: string) =>
      other.trim() !== '' && !FENCE.test(other) && !KINDS.some(({ pattern }) => pattern.test(other));
    const plain = takeWhile(lines, at, isPlain);
    blocks.push({ kind: 'paragraph', lines: plain.map((one) => parseInline(one)) });
    at += plain.length;
  }
  return blocks;
}

function takeWhile(lines: readonly string[], from: number, test: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, at) => at >= from && !test(line));
  return lines.slice(from, end < 0 ? lines.length : end);
}

/** The beginning of a comment as one line without marks, for lists. */
export function plainText(text: string, nameOf: (userId: string) => string): string {
  const flat = (part: Inline): string => {
    if (typeof part === 'string') return part;
    if (part.kind === 'code') return part.text;
    if (part.kind === 'mention') return `@${nameOf(part.userId)}`;
    return part.children.map(flat).join('');
  };
  const ofBlock = (block: Block): string => {
    if (block.kind === 'code') return block.text;
    if (block.kind === 'quote') return block.blocks.map(ofBlock).join(' ');
    const lines = block.kind === 'paragraph' ? block.lines : block.items;
    return lines.map((line) => line.map(flat).join('')).join(' ');
  };
  return parseMarkdown(text).map(ofBlock).join(' ').replaceAll(/\s+/g, ' ').trim();
}
