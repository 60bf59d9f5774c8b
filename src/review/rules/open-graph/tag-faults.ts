import { attributeOf } from '../html-page.ts';
import { hasRequiredTag, MISSING_PICTURE, type Preview } from './preview.ts';
import { dashed } from './preview-rules.ts';

const CARDS = ['summary', 'summary_large_image', 'app', 'player'];
const SINGLE = [
  'og:title',
  'og:description',
  'og:url',
  'og:type',
  'og:site_name',
  'twitter:card',
  'twitter:title',
  'twitter:description',
  'twitter:image',
] as const;
const OF_TWITTER = [
  'twitter:title',
  'twitter:description',
  'twitter:image',
  'twitter:site',
  'twitter:creator',
  'twitter:image:alt',
] as const;
const TYPES =
  /^(website|article|book|profile|product(\.\w+)?|business\.business|place|restaurant\.\w+|object|blog|game|music\.\w+|video\.\w+|payment\.link|event|[\w-]+:[\w.-]+)$/;

/** Tags that every preview needs besides its picture. */
const REQUIRED = ['og:title', 'og:description', 'og:url', 'og:type'] as const;

/** Reports missing and empty tags that every preview needs: once if there is none of them at all. */
export function checkRequiredTags(preview: Preview): void {
  const { tags, filled, report } = preview;
  if (!hasRequiredTag(preview)) {
    const names = ['og:image', ...REQUIRED];
    report(
      'og-tags-missing',

      `The page has none of the tags ${names.slice(0, -1).join(', ')} and ${names.at(-1)}, so that services choose the title and the picture of a link to it themselves.`,
      names.map((name) => `<meta property="${name}" content="…">`).join('\n'),
      undefined,
      MISSING_PICTURE,
    );
    return;
  }
  for (const name of REQUIRED) {
    const tag = tags.all.find((one) => one.name === name);
    if (filled(name)) continue;
    report(
      `${dashed(name)}-${tag ? 'empty' : 'missing'}`,
      tag ? `The tag ${name} is empty.` : `The page has no tag ${name}.`,
      `<meta property="${name}" content="…">`,
      tag?.element,
    );
  }
}

/** Reports an og:url of another page. */
export function checkUrl({ html, tags, pageUrl, report }: Preview): void {
  const tag = tags.all.find(({ name, content }) => name === 'og:url' && content !== '');
  if (!tag) return;
  const named = URL.parse(tag.content);
  const canonical = html.elements.find(
    (one) => one.tagName === 'link' && attributeOf(one, 'rel')?.toLowerCase() === 'canonical',
  );
  const canonicalUrl = URL.parse((canonical && attributeOf(canonical, 'href')) ?? '', pageUrl);
  if (!named) {
    report(
      'og-url-relative',

      `The address ${tag.content} of og:url is not absolute.`,
      pageUrl,
      tag.element,
    );
    return;
  }
  const page = URL.parse(pageUrl)!;
  const same = (one: URL, other: URL) => pathOf(one) === pathOf(other) && hostOf(one) === hostOf(other);
  if (same(named, page) || (canonicalUrl && canonical && same(named, canonicalUrl))) return;
  // A local copy of a site has the addresses of the real one.
  const isCopy =
    /^(localhost|127\.|\[::1\])/.test(page.hostname) &&
    pathOf(named) === pathOf(page) &&
    named.hostname !== page.hostname;
  if (isCopy) return;
  report(
    'og-url-mismatch',

    `The tag og:url names ${tag.content}, which is not this page.`,
    canonicalUrl && canonical ? canonicalUrl.href : pageUrl,
    tag.element,
    `open-graph og-url-mismatch ${named.href}`,
  );
}

/** Reports tags that are doubled, empty, or have unknown values. */
export function checkValues({ tags, report }: Preview): void {
  for (const name of SINGLE) {
    const [, second] = tags.all.filter((tag) => tag.name === name);
    if (second)
      report(
        `${dashed(name)}-duplicate`,
        `The page has the tag ${name} more than once, and services take either.`,
        'Leave one of the tags out.',
        second.element,
      );
  }
  const card = tags.all.find(({ name }) => name === 'twitter:card');
  if (card && !CARDS.includes(card.content.toLowerCase())) {
    report(
      'twitter-card-invalid',

      card.content === ''
        ? 'The tag twitter:card is empty.'
        : `The value ${card.content} of twitter:card is none that there is.`,
      '<meta name="twitter:card" content="summary_large_image">',
      card.element,
    );
  }
  const type = tags.all.find(({ name, content }) => name === 'og:type' && content !== '');
  if (type && !TYPES.test(type.content)) {
    report(
      'og-type-invalid',

      `The value ${type.content} of og:type is none that there is.`,
      '<meta property="og:type" content="website">',
      type.element,
    );
  }
  for (const tag of tags.all) {
    const name = OF_TWITTER.find((one) => one === tag.name);
    if (name !== undefined && tag.content === '') {
      report(
        `${dashed(name)}-empty`,
        `The tag ${name} is empty.`,
        `Fill it in, or leave it out; the Open Graph tags then serve in its place.`,
        tag.element,
      );
    }
  }
}

const pathOf = (url: URL) =>
  url.pathname.replace(/\/(index\.\w+)?$/, '') + url.search.replace(/[?&]utm_[^&]*/g, '');
const hostOf = (url: URL) => url.host.replace(/^www\./, '');
