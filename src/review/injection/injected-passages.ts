import { decodeInvisible, deobfuscate } from './deobfuscate.ts';

/** Text that a model reads in one piece. */
export interface Passage {
  /** The text without entities and invisible characters. */
  text: string;
  /** The way it is hidden from human readers. Absent if they see it. */
  hiding?: string;
  /** True if the page shows it as code. */
  isCode?: boolean;
}

const LOOKS_LIKE_HTML =
  /<!--|<\/?(?:html|head|body|div|p|span|a|img|meta|script|h[1-6]|ul|li|table|section|main|article|input|form|title|b|i|em|strong|template|noscript|button|svg|pre|code|details|footer|aside)\b[^<>]{0,2000}>/i;
const MAX_ATTRIBUTES = 20_000;

/** Splits a text, which may be HTML, into passages. Encoded and invisible text makes passages of its own. */
export function passagesOf(given: string): Passage[] {
  const source = unescaped(given);
  const passages = LOOKS_LIKE_HTML.test(source) ? passagesOfHtml(source) : [passageOf(source)];
  return [...passages, ...invisibleIn(source), ...encodedIn(source)].filter(({ text }) => text.trim() !== '');
}

const ESCAPED = /\\(?:(["\\/])|([nrt])|u([0-9a-f]{4}))/gi;

/** Undoes the escapes of JSON strings if the text seems to hold some. */
const unescaped = (text: string): string =>
  /\\(?:"|u[0-9a-f]{4})/i.test(text)
    ? text.replace(ESCAPED, (_, same?: string, space?: string, code?: string) =>
        code === undefined
          ? (same ?? (space === 't' ? '\t' : '\n'))
          : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

function passageOf(source: string, hiding?: string, isCode?: boolean): Passage {
  const { text, trick } = deobfuscate(source);
  const how = [hiding, trick].filter(Boolean).join(', ');
  return { text: text.trim(), ...(how !== '' && { hiding: how }), ...(isCode && { isCode }) };
}

const invisibleIn = (source: string): Passage[] => {
  const text = decodeInvisible(source);
  return text === '' ? [] : [{ text, hiding: 'in characters that are not drawn' }];
};

const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const PERCENT = /(?:%[0-9a-f]{2}|[\w.~!'()*+-]){24,}/gi;
const HEX = /(?:[0-9a-f]{2}){24,}/gi;
const MAX_ENCODED = 100;
const MAX_ENCODED_CHARS = 8_000;

/** Runs of base64, hexadecimal and percent encoding that decode to words. */
function encodedIn(source: string): Passage[] {
  const found: Passage[] = [];
  const add = (text: string, hiding: string) => {
    const words = text.match(/[\p{L}']{2,}/gu)?.length ?? 0;
    const strange = text.match(/[^\p{L}\p{N}\p{P}\p{Zs}\p{S}\s]|\ufffd/gu)?.length ?? 0;
    if (words >= 3 && strange === 0) found.push(passageOf(text, hiding));
  };
  let tried = 0;
  for (const [run] of source.matchAll(BASE64)) {
    if (++tried > MAX_ENCODED) break;
    if (/^[0-9a-f]+$/i.test(run)) continue;
    add(Buffer.from(run.slice(0, MAX_ENCODED_CHARS), 'base64').toString('utf8'), 'encoded as base64');
  }
  tried = 0;
  for (const [run] of source.matchAll(HEX)) {
    if (++tried > MAX_ENCODED) break;
    add(
      Buffer.from(run.slice(0, MAX_ENCODED_CHARS), 'hex').toString('utf8'),
      'encoded as hexadecimal numbers',
    );
  }
  tried = 0;
  if (!source.includes('%20')) return found;
  for (const [run] of source.matchAll(PERCENT)) {
    if ((run.match(/%20/g)?.length ?? 0) < 3) continue;
    if (++tried > MAX_ENCODED) break;
    try {
      add(
        decodeURIComponent(run.slice(0, MAX_ENCODED_CHARS).replace(/%[0-9a-f]?$/i, '')),
        'encoded as part of an address',
      );
    } catch {
      // The bytes are not UTF-8.
    }
  }
  return found;
}

const TOKEN =
  /<!--([\s\S]*?)(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)([^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*)>|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<[!?][^>]*>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|big|cite|em|font|i|ins|kbd|label|mark|nobr|q|s|small|span|strong|sub|sup|time|u|var|wbr|tt|del|dfn)$/;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const UNSEEN = /^(?:script|style|template|noscript|head|noframes|object|datalist)$/;
const CODE = /^(?:pre|code|samp|kbd|q|blockquote|xmp)$/;
const UNSEEN_STYLE =
  /display ?: ?none|visibility ?: ?hidden|opacity ?: ?0(?:\.0+)?(?:[;\s!]|$)|font-size ?: ?0*(?:\.\d+|[01](?:\.\d+)?)(?:px|pt|em|rem|%)?(?:[;\s!]|$)|(?:left|top|right|text-indent|margin-left|margin-top) ?: ?-\d{3,}|clip ?: ?rect\(\s*[01]|clip-path ?: ?inset\((?:50|100)%|(?:max-)?(?:height|width) ?: ?[01](?:px)?(?:[;\s!]|$)|(?:^|;)\s*color ?: ?(?:transparent|rgba\([^)]*,\s*0(?:\.0+)?\))|transform ?: ?scale\(0/i;
const WHITE = /(?:#fff(?:fff)?|white|rgb\(255, ?255, ?255\))(?:[;\s!]|$)/i;
/** Attributes whose values models read. */
const READ_ATTRIBUTE =
  /^(?:alt|title|aria-(?:label|description|roledescription|placeholder|valuetext)|placeholder|content|value|label|summary|data-[\w-]+|srcdoc|href|src|action|name|id|cite|longdesc|onclick)$/i;
const ADDRESS = /^(?:href|src|action|cite|longdesc|name|id|onclick)$/i;

/** Tags of chat templates, which are text to a browser and orders to a model. */
const CHAT_TAGS =
  /^<\/?(?:system|assistant|user_|tool_|function_|invoke|instructions?\b|antml|important|admin|parameter\b)/i;

interface OpenElement {
  name: string;
  hiding: string | undefined;
  isCode: boolean;
}

/** Visible text as a browser shows it, and separate passages for comments, attributes and scripts. */
function passagesOfHtml(source: string): Passage[] {
  const passages: Passage[] = [];
  const open: OpenElement[] = [];
  let run = '';
  let attributes = 0;
  const state = (): OpenElement | undefined => open.at(-1);
  const flush = () => {
    if (run.trim() !== '') passages.push(passageOf(run, state()?.hiding, state()?.isCode));
    run = '';
  };
  let last = 0;
  for (const token of source.matchAll(TOKEN)) {
    run += source.slice(last, token.index);
    last = token.index + token[0].length;
    const [, comment, slash, rawName, inside = '', data] = token;
    if (comment !== undefined) {
      if (comment.trim() !== '') passages.push(passageOf(comment, 'in a comment'));
      continue;
    }
    if (data !== undefined) run += data;
    if (rawName === undefined) continue;
    const name = rawName.toLowerCase();
    if (CHAT_TAGS.test(token[0])) {
      run += token[0];
      continue;
    }
    if (slash === '/') {
      const at = open.findLastIndex((one) => one.name === name);
      const isWithin = at >= 0 && open.length - at < 100;
      if (!INLINE.test(name) || (isWithin && open[at]?.hiding !== open[at - 1]?.hiding)) {
        flush();
      }
      if (isWithin) open.length = at;
      if (!INLINE.test(name)) run += '\n';
      continue;
    }
    const { hiding, values } = readAttributes(name, inside);
    for (const [key, value] of values) {
      if (++attributes > MAX_ATTRIBUTES) break;
      passages.push(passageOf(value, `in the attribute ${key} of ${name}`));
    }
    const above = state();
    const next = above?.hiding ?? hiding ?? (UNSEEN.test(name) ? `in the element ${name}` : undefined);
    const isCode = (above?.isCode ?? false) || CODE.test(name);
    if (!INLINE.test(name) || next !== above?.hiding || isCode !== (above?.isCode ?? false)) {
      flush();
    }
    if (!VOID.test(name) && !inside.endsWith('/') && open.length < 10_000)
      open.push({ name, hiding: next, isCode });
  }
  run += source.slice(last);
  flush();
  return merged(passages);
}

/** Joins passages that are hidden alike, since an order may span several elements. */
function merged(passages: readonly Passage[]): Passage[] {
  const whole: Passage[] = [];
  const parts = new Map<string, string[]>();
  const flags = new Map<string, Passage>();
  for (const passage of passages) {
    const isText =
      passage.hiding === undefined ||
      passage.hiding.startsWith('in a hidden') ||
      passage.hiding.startsWith('in the element');
    if (!isText) {
      whole.push(passage);
      continue;
    }
    const key = `${passage.hiding ?? ''}|${passage.isCode === true}`;
    flags.set(key, passage);
    const texts = parts.get(key) ?? [];
    texts.push(passage.text);
    parts.set(key, texts);
  }
  for (const [key, texts] of parts) whole.push({ ...flags.get(key)!, text: texts.join('\n') });
  return whole;
}

/** Reads whether the attributes of an element hide it, and which of their values a model reads. */
function readAttributes(name: string, inside: string): { hiding?: string; values: [string, string][] } {
  const values: [string, string][] = [];
  let isHidden = /(?:^|\s)hidden(?:[\s=/]|$)/i.test(inside) && !/hidden\s*=\s*["']?until-found/i.test(inside);
  if (!inside.includes('=')) return { ...(isHidden && { hiding: 'in a hidden element' }), values };
  for (const [, key = '', double, single, bare] of inside.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? '';
    const lower = key.toLowerCase();
    if (lower === 'style') {
      const background = /background(?:-color)? ?: ?([^;]*)/i.exec(value)?.[1] ?? 'white';
      const color = /(?:^|;)\s*color ?: ?([^;]*)/i.exec(value)?.[1];
      isHidden ||=
        UNSEEN_STYLE.test(value) || (color !== undefined && WHITE.test(color) && WHITE.test(background));
    }
    if (lower === 'aria-hidden' && value === 'true') isHidden ||= name !== 'svg' && name !== 'i';
    if (
      lower === 'class' &&
      /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|d-none|hidden|offscreen|invisible)(?:\s|$)/i.test(
        value,
      )
    )
      isHidden = true;
    if (lower === 'type' && value.toLowerCase() === 'hidden') isHidden = true;
    if (value.length < 12 || !READ_ATTRIBUTE.test(lower)) continue;
    // Addresses count only where they read like words.
    if (!ADDRESS.test(lower) || /\s|%20/.test(value)) values.push([lower, value]);
  }
  return { ...(isHidden && { hiding: 'in a hidden element' }), values };
}
