import { cssUrls } from './css-urls.ts';
import type { LinkKind } from './link-kind.ts';

export interface ElementUrl {
  raw: string;
  kind: LinkKind;
}

type Attributes = Map<string, string>;

/** Relations to hosts, names and endpoints of machines, where no browser loads a document. */
const UNCHECKED_RELATIONS = new Set([
  'dns-prefetch',
  'preconnect',
  'pingback',
  'webmention',
  'expect',
  'profile',
]);
const PRELOADS = new Set(['preload', 'modulepreload', 'prefetch', 'prerender']);
const META_ADDRESSES =
  /^(og:(url|image|video|audio)(:url|:secure_url)?|twitter:(image|image:src|player)|msapplication-tileimage)$/;
const SCRIPT_TYPES = /^$|^module$|(java|ecma|j)script/;

type Reader = (attributes: Attributes, parentTag: string) => ElementUrl[];

const take = (kind: LinkKind, ...names: string[]): Reader => {
  return (attributes) => names.flatMap((name) => one(attributes.get(name), kind));
};

const both = (...readers: Reader[]): Reader => {
  return (attributes, parentTag) => readers.flatMap((reader) => reader(attributes, parentTag));
};

const one = (raw: string | undefined, kind: LinkKind): ElementUrl[] =>
  raw === undefined || raw.trim() === '' ? [] : [{ raw, kind }];

const takeSet = (kind: LinkKind, name: string): Reader => {
  return (attributes) => srcsetUrls(attributes.get(name) ?? '').map((raw) => ({ raw, kind }));
};

/** An empty `href` of a link means the page itself; any other empty address means nothing. */
const hyperlink = (kind: LinkKind): Reader => {
  return (attributes) => {
    const raw = attributes.get('href');
    return raw === undefined ? [] : [{ raw, kind }];
  };
};

const citation = take('citation', 'cite');
const background = take('image', 'background');

const htmlReaders: Record<string, Reader> = {
  a: hyperlink('anchor'),
  area: hyperlink('area'),
  img: both(take('image', 'src'), takeSet('image', 'srcset'), take('relation', 'longdesc')),
  source: (attributes, parentTag) =>
    parentTag === 'picture'
      ? takeSet('image', 'srcset')(attributes, parentTag)
      : take('media', 'src')(attributes, parentTag),
  video: both(take('media', 'src'), take('image', 'poster')),
  audio: take('media', 'src'),
  track: take('media', 'src'),
  embed: take('embed', 'src'),
  object: take('embed', 'data'),
  iframe: (attributes) =>
    attributes.has('srcdoc') ? [] : both(take('frame', 'src'), take('relation', 'longdesc'))(attributes, ''),
  frame: both(take('frame', 'src'), take('relation', 'longdesc')),
  input: (attributes) =>
    attributes.get('type')?.trim().toLowerCase() === 'image' ? one(attributes.get('src'), 'image') : [],
  script: (attributes) =>
    SCRIPT_TYPES.test((attributes.get('type') ?? '').trim().toLowerCase())
      ? one(attributes.get('src'), 'script')
      : [],
  // Checking a form that posts would submit it.
  form: (attributes) =>
    /^(post|dialog)$/i.test((attributes.get('method') ?? '').trim())
      ? []
      : one(attributes.get('action'), 'form'),
  link: linkElement,
  meta: metaElement,
  body: background,
  table: background,
  td: background,
  th: background,
  blockquote: citation,
  q: citation,
  ins: citation,
  del: citation,
};

const svgHref = (kind: LinkKind): Reader => {
  return (attributes) => {
    const raw = attributes.get('href') ?? attributes.get('xlink:href');
    // Outside of links, a bare fragment names a part of the drawing.
    return raw === undefined || (kind !== 'anchor' && raw.trim().startsWith('#')) ? [] : one(raw, kind);
  };
};

const svgReaders: Record<string, Reader> = {
  a: svgHref('anchor'),
  image: svgHref('image'),
  feImage: svgHref('image'),
  use: svgHref('image'),
  script: svgHref('script'),
};

/** Addresses in the attributes of an element, `style` included. */
export function elementUrls(
  tag: string,
  isHtml: boolean,
  attributes: Attributes,
  parentTag: string,
): ElementUrl[] {
  const readers = isHtml ? htmlReaders : svgReaders;
  const urls = Object.hasOwn(readers, tag) ? readers[tag]!(attributes, parentTag) : [];
  const style = attributes.get('style');
  return style ? [...urls, ...styleUrls(style)] : urls;
}

export const styleUrls = (css: string): ElementUrl[] =>
  cssUrls(css).map(({ url, kind }) => ({ raw: url, kind }));

export const relations = (attributes: Attributes): string[] =>
  (attributes.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean);

function linkElement(attributes: Attributes): ElementUrl[] {
  const checked = relations(attributes).filter((relation) => !UNCHECKED_RELATIONS.has(relation));
  if (checked.length === 0) return [];
  const kind: LinkKind = checked.includes('stylesheet')
    ? 'stylesheet'
    : checked.some((relation) => /(^|-)icon(-|$)/.test(relation))
      ? 'icon'
      : checked.includes('manifest')
        ? 'manifest'
        : checked.some((relation) => PRELOADS.has(relation))
          ? 'preload'
          : 'relation';
  return both(take(kind, 'href'), takeSet(kind, 'imagesrcset'))(attributes, '');
}

function metaElement(attributes: Attributes): ElementUrl[] {
  const content = attributes.get('content') ?? '';
  if (attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh')
    return one(refreshUrl(content), 'refresh');
  const name = (attributes.get('property') ?? attributes.get('name') ?? '').trim().toLowerCase();
  return META_ADDRESSES.test(name) ? one(content, 'meta') : [];
}

/** The target of a `refresh` as browsers read it: an opening quote ends at its match, or never. */
function refreshUrl(content: string): string | undefined {
  const rest = /^\s*(?:\d+|(?=\.))[\d.]*(?:\s*[;,]\s*|\s+)(.*)$/s.exec(content)?.[1];
  if (rest === undefined) return undefined;
  const address = rest.replace(/^url\s*=\s*/i, '');
  const quote = address[0];
  if (quote !== '"' && quote !== "'") return address;
  const end = address.indexOf(quote, 1);
  return address.slice(1, end === -1 ? undefined : end);
}

/**
 * Addresses of a `srcset`, parsed as HTML prescribes. The package `srcset` splits at commas in parentheses, drops
 * addresses of one character and joins lines, so that it names files that no browser loads.
 */
function srcsetUrls(value: string): string[] {
  const urls: string[] = [];
  let at = 0;
  while (at < value.length) {
    while (at < value.length && /[\s,]/.test(value[at]!)) at++;
    const start = at;
    while (at < value.length && !/\s/.test(value[at]!)) at++;
    const word = value.slice(start, at);
    const url = word.replace(/,+$/, '');
    if (url) urls.push(url);
    if (url.length === word.length) at = afterDescriptors(value, at);
  }
  return urls;
}

/** Commas in parentheses do not end a descriptor. */
function afterDescriptors(value: string, from: number): number {
  let depth = 0;
  for (let at = from; at < value.length; at++) {
    const char = value[at];
    if (char === '(') depth++;
    else if (char === ')' && depth > 0) depth--;
    else if (char === ',' && depth === 0) return at + 1;
  }
  return value.length;
}
