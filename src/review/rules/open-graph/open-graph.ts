import type { DraftFinding, Severity } from '../../../shapes/execution.ts';
import { attributeOf, type Element, type HtmlPage } from '../html-page.ts';
import type { ImageSize } from './image-size.ts';

/** What came back when a picture was asked for. */
export type FetchedImage =
  | { problem: string }
  | { status: number; mimeType: string; size: ImageSize | undefined; finalUrl: string };

export interface PreviewTags {
  /** Content by property, in the order of the page. */
  all: readonly { name: string; content: string; element: Element }[];
}

const MIN_WIDTH = 200;
const MIN_HEIGHT = 200;
const WIDE_WIDTH = 600;
const WIDE_HEIGHT = 315;
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
];
const TYPES =
  /^(website|article|book|profile|product(\.\w+)?|business\.business|place|restaurant\.\w+|object|blog|game|music\.\w+|video\.\w+|payment\.link|event|[\w-]+:[\w.-]+)$/;

export const previewTagsOf = ({ elements }: HtmlPage): PreviewTags => ({
  all: elements.flatMap((element) => {
    if (element.tagName !== 'meta') return [];
    const name = (attributeOf(element, 'property') ?? attributeOf(element, 'name') ?? '')
      .trim()
      .toLowerCase();
    if (!/^(og|twitter|article):/.test(name)) return [];
    return [{ name, content: (attributeOf(element, 'content') ?? '').trim(), element }];
  }),
});

/** The addresses of preview pictures that can be asked for. */
export const imageUrlsOf = ({ all }: PreviewTags, pageUrl: string): string[] =>
  [
    ...new Set(
      all
        .filter(({ name, content }) => IMAGE.test(name) && content !== '')
        .map(({ content }) => URL.parse(content, pageUrl)?.href)
        .filter((url) => url !== undefined && /^https?:/.test(url)),
    ),
  ] as string[];

const IMAGE = /^(og:image(:url|:secure_url)?|twitter:image(:src)?)$/;

/** Judges the tags that decide how a link to the page looks where it is shared. */
export function judgePreview(
  html: HtmlPage,
  pageUrl: string,
  images: ReadonlyMap<string, FetchedImage>,
): DraftFinding[] {
  const tags = previewTagsOf(html);
  const findings: DraftFinding[] = [];
  const filled = (name: string) => tags.all.find((tag) => tag.name === name && tag.content !== '')?.content;
  const report = (
    issueType: string,
    severity: Severity,
    title: string,
    description: string,
    suggestion: string,
    element?: Element,
  ) => {
    findings.push({
      title,
      description,
      severity,
      issueType,
      suggestion,
      confidence: 95,
      isPageLevel: true,
      findingType: 'page',
      htmlSelector: element ? html.selectorOf(element) : '',
    });
  };

  const pictures = tags.all.filter(({ name }) => /^og:image(:url)?$/.test(name));
  if (!pictures.some(({ content }) => content !== '')) {
    const [empty] = pictures;
    if (empty) {
      report(
        'og-image-empty',
        'high',
        'Empty og:image',
        'The tag og:image names no picture.',
        'Put the absolute address of a picture of 1200 by 630 pixels into it.',
        empty.element,
      );
    } else {
      report(
        'og-image-missing',
        'high',
        'No og:image',
        'The page names no picture for previews of links to it.',
        '<meta property="og:image" content="https://…">',
      );
    }
  }
  for (const [index, { content, element }] of pictures.entries()) {
    if (content === '') continue;
    const isAgain = pictures
      .slice(0, index)
      .some(
        (other) =>
          other.content === content && other.element !== element && nameOf(other.element) === nameOf(element),
      );
    if (isAgain) {
      report(
        'og-image-duplicate',
        'low',
        'Doubled og:image',
        `The page names the picture ${content} twice.`,
        'Leave one of the tags out.',
        element,
      );
      continue;
    }
    if (!/^[a-z][a-z0-9+.-]*:/i.test(content)) {
      const absolute = URL.parse(content, pageUrl)?.href ?? '';
      report(
        'og-image-relative',
        'high',
        'Relative address of og:image',
        `The address ${content} of og:image is not absolute, and most services cannot follow it.`,
        absolute,
        element,
      );
    } else if (/^data:/i.test(content) || !URL.canParse(content)) {
      report(
        'og-image-invalid',
        'high',
        'Invalid address of og:image',
        'The address of og:image cannot be asked for.',
        'Put the absolute address of a picture into it.',
        element,
      );
      continue;
    } else if (/^http:/i.test(content) && !/^http:/i.test(pageUrl)) {
      report(
        'og-image-insecure',
        'medium',
        'og:image without https',
        `The address ${content} of og:image does not use https.`,
        content.replace(/^http:/i, 'https:'),
        element,
      );
    } else if (/^http:/i.test(content) && URL.parse(content)?.host !== URL.parse(pageUrl)?.host) {
      report(
        'og-image-insecure',
        'medium',
        'og:image without https',
        `The address ${content} of og:image does not use https.`,
        content.replace(/^http:/i, 'https:'),
        element,
      );
    }
    judgePicture(content, element, index);
  }
  for (const { name, content, element } of tags.all) {
    if (!/^twitter:image(:src)?$/.test(name) || content === '') continue;
    if (pictures.some((picture) => picture.content === content)) continue;
    if (!/^[a-z][a-z0-9+.-]*:/i.test(content)) {
      report(
        'twitter-image-relative',
        'medium',
        'Relative address of twitter:image',
        `The address ${content} of twitter:image is not absolute.`,
        URL.parse(content, pageUrl)?.href ?? '',
        element,
      );
    }
    const image = images.get(URL.parse(content, pageUrl)?.href ?? '');
    const why = image && failureOf(image);
    if (why)
      report(
        'twitter-image-unreachable',
        'medium',
        'twitter:image cannot be shown',
        `The picture of twitter:image ${why}.`,
        'Correct the address.',
        element,
      );
  }

  function judgePicture(content: string, element: Element, index: number) {
    const image = images.get(URL.parse(content, pageUrl)?.href ?? '');
    if (!image) return;
    const why = failureOf(image);
    if (why) {
      const isOther = 'status' in image && image.status < 400;
      report(
        isOther ? 'og-image-not-an-image' : 'og-image-unreachable',
        'high',
        isOther ? 'og:image is no picture' : 'og:image cannot be reached',
        `The picture of og:image, ${content}, ${why}.`,
        'Correct the address, or put the picture there.',
        element,
      );
      return;
    }
    const { size } = image as { size: ImageSize };
    if (size.type === 'svg') {
      report(
        'og-image-format',
        'medium',
        'og:image in a format that is not shown',
        'Services that show previews do not show SVG.',
        'Use a JPEG or PNG of 1200 by 630 pixels.',
        element,
      );
      return;
    }
    const { width, height } = size;
    if (width === undefined || height === undefined) return;
    judgeSize(width, height, element);
    judgeDeclared(width, height, index);
  }

  function judgeSize(width: number, height: number, element: Element) {
    const isSquareCard =
      /^(summary|app|player)$/.test(filled('twitter:card') ?? '') && Math.abs(width / height - 1) < 0.15;
    const isSmall =
      width < MIN_WIDTH ||
      height < MIN_HEIGHT ||
      (!isSquareCard && (width < WIDE_WIDTH || height < WIDE_HEIGHT));
    if (isSmall) {
      report(
        'og-image-size',
        'medium',
        'Small og:image',
        `The picture of og:image is ${width} by ${height} pixels; wide previews need at least ${WIDE_WIDTH} by ${WIDE_HEIGHT}.`,
        'Use a picture of 1200 by 630 pixels.',
        element,
      );
      return;
    }
    const ratio = width / height;
    if (!isSquareCard && (ratio < 1.6 || ratio > 2.3)) {
      report(
        'og-image-ratio',
        'low',
        'og:image of another shape',
        `The picture of og:image is ${width} by ${height} pixels; previews are 1.91 times as wide as high and cut off the rest.`,
        'Use a picture of 1200 by 630 pixels.',
        element,
      );
    }
  }

  function judgeDeclared(width: number, height: number, index: number) {
    // What is said of a picture follows it and comes before the next.
    const place = tags.all.indexOf(pictures[index]!);
    const next = pictures[index + 1] ? tags.all.indexOf(pictures[index + 1]!) : tags.all.length;
    const own = pictures.length > 1 ? tags.all.slice(place, next) : tags.all;
    const declared = (name: string) => own.find((tag) => tag.name === name);
    const [w, h] = [declared('og:image:width'), declared('og:image:height')];
    const isWrong = (tag: typeof w, real: number) =>
      tag !== undefined && tag.content !== '' && Number.parseInt(tag.content, 10) !== real;
    if (isWrong(w, width) || isWrong(h, height)) {
      report(
        'og-image-declared-size',
        'low',
        'Wrong size declared for og:image',
        `The page declares og:image as ${w?.content ?? '?'} by ${h?.content ?? '?'} pixels, but it is ${width} by ${height}.`,
        `<meta property="og:image:width" content="${width}"> <meta property="og:image:height" content="${height}">`,
        (isWrong(w, width) ? w : h)!.element,
      );
    }
  }

  if (pictures.some(({ content }) => content !== '')) {
    const alt = tags.all.find(({ name }) => name === 'og:image:alt');
    if (!alt?.content && !filled('twitter:image:alt')) {
      report(
        'og-image-alt',
        'low',
        'og:image without a description',
        alt
          ? 'The tag og:image:alt is empty.'
          : 'Nothing says what the picture of og:image shows to those who cannot see it.',
        '<meta property="og:image:alt" content="…">',
        alt?.element,
      );
    }
  }
  for (const [name, severity] of [
    ['og:title', 'medium'],
    ['og:description', 'medium'],
    ['og:url', 'low'],
    ['og:type', 'low'],
  ] as const) {
    const tag = tags.all.find((one) => one.name === name);
    if (filled(name)) continue;
    const type = `${name.replace(':', '-')}-${tag ? 'empty' : 'missing'}`;
    report(
      type,
      severity,
      `${tag ? 'Empty' : 'No'} ${name}`,
      tag ? `The tag ${name} is empty.` : `The page has no tag ${name}.`,
      `<meta property="${name}" content="…">`,
      tag?.element,
    );
  }
  judgeUrl();
  judgeRest();
  return findings;

  function judgeUrl() {
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
        'medium',
        'Relative og:url',
        `The address ${tag.content} of og:url is not absolute.`,
        pageUrl,
        tag.element,
      );
      return;
    }
    const page = URL.parse(pageUrl)!;
    const same = (one: URL, other: URL) => pathOf(one) === pathOf(other) && hostOf(one) === hostOf(other);
    if (same(named, page) || (canonicalUrl && canonical && same(named, canonicalUrl))) return;
    // A copy of a site on a machine for trying out names the addresses of the real one.
    const isCopy =
      /^(localhost|127\.|\[::1\])/.test(page.hostname) &&
      pathOf(named) === pathOf(page) &&
      named.hostname !== page.hostname;
    if (isCopy) return;
    report(
      'og-url-mismatch',
      'medium',
      'og:url of another page',
      `The tag og:url names ${tag.content}, which is not this page.`,
      canonicalUrl && canonical ? canonicalUrl.href : pageUrl,
      tag.element,
    );
  }

  function judgeRest() {
    for (const name of SINGLE) {
      const [, second] = tags.all.filter((tag) => tag.name === name);
      if (second)
        report(
          `${name.replace(':', '-')}-duplicate`,
          'low',
          `Doubled ${name}`,
          `The page has the tag ${name} more than once, and services take either.`,
          'Leave one of the tags out.',
          second.element,
        );
    }
    const card = tags.all.find(({ name }) => name === 'twitter:card');
    if (card && !CARDS.includes(card.content.toLowerCase())) {
      report(
        'twitter-card-invalid',
        'medium',
        'Invalid twitter:card',
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
        'low',
        'Invalid og:type',
        `The value ${type.content} of og:type is none that there is.`,
        '<meta property="og:type" content="website">',
        type.element,
      );
    }
    for (const { name, content, element } of tags.all) {
      if (/^twitter:(title|description|image|site|creator|image:alt)$/.test(name) && content === '') {
        report(
          `${name.replaceAll(':', '-')}-empty`,
          'low',
          `Empty ${name}`,
          `The tag ${name} is empty.`,
          `Fill it in, or leave it out; the Open Graph tags then serve in its place.`,
          element,
        );
      }
    }
  }
}

const nameOf = (element: Element) => attributeOf(element, 'property') ?? attributeOf(element, 'name');
const pathOf = (url: URL) =>
  url.pathname.replace(/\/(index\.\w+)?$/, '') + url.search.replace(/[?&]utm_[^&]*/g, '');
const hostOf = (url: URL) => url.host.replace(/^www\./, '');

/** Why a picture cannot be shown, as the rest of a sentence. */
function failureOf(image: FetchedImage): string | undefined {
  if ('problem' in image) return `cannot be reached: ${image.problem}`;
  if (image.status >= 400) return `answers with HTTP ${image.status}`;
  if (!image.size) return `is no picture${image.mimeType ? ` but ${image.mimeType.split(';')[0]}` : ''}`;
  return undefined;
}
