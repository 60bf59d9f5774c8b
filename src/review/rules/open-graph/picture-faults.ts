import { causeOfAddress } from '../../causes/cause-of.ts';
import { attributeOf, type Element } from '../html-page.ts';
import type { ImageSize } from './image-size.ts';
import { type FetchedImage, hasRequiredTag, MISSING_PICTURE, type Preview } from './preview.ts';

const MIN_WIDTH = 200;
const MIN_HEIGHT = 200;
const WIDE_WIDTH = 600;
const WIDE_HEIGHT = 315;

type Tags = Preview['tags']['all'];

/** Reports faults of the pictures that a page names for its previews. */
export function checkPictures(preview: Preview): void {
  const pictures = preview.tags.all.filter(({ name }) => /^og:image(:url)?$/.test(name));
  if (pictures.some(({ content }) => content !== '')) {
    for (const [index, { content }] of pictures.entries()) {
      if (
        content === '' ||
        isRepeated(preview, pictures, index) ||
        !hasUsableAddress(preview, pictures[index]!)
      )
        continue;
      checkPicture(preview, pictures, index);
    }
    checkAlternativeText(preview);
  } else reportNoPicture(preview, pictures);
  checkTwitterPictures(preview, pictures);
}

function reportNoPicture(preview: Preview, [empty]: Tags): void {
  const { report } = preview;
  if (empty) {
    report(
      'og-image-empty',

      'The tag og:image names no picture.',
      'Put the absolute address of a picture of 1200 by 630 pixels into it.',
      empty.element,
    );
  } else if (hasRequiredTag(preview)) {
    report(
      'og-image-missing',

      'The page names no picture for previews of links to it.',
      '<meta property="og:image" content="https://…">',
      undefined,
      MISSING_PICTURE,
    );
  }
}

function isRepeated({ report }: Preview, pictures: Tags, index: number): boolean {
  const { content, element } = pictures[index]!;
  const isAgain = pictures
    .slice(0, index)
    .some(
      (other) =>
        other.content === content && other.element !== element && nameOf(other.element) === nameOf(element),
    );
  if (isAgain)
    report(
      'og-image-duplicate',

      `The page names the picture ${content} twice.`,
      'Leave one of the tags out.',
      element,
    );
  return isAgain;
}

/** Reports a faulty address of a picture. False if it cannot be fetched at all. */
function hasUsableAddress({ pageUrl, report }: Preview, { content, element }: Tags[number]): boolean {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(content)) {
    report(
      'og-image-relative',

      `The address ${content} of og:image is not absolute, and most services cannot follow it.`,
      URL.parse(content, pageUrl)?.href ?? '',
      element,
    );
  } else if (/^data:/i.test(content) || !URL.canParse(content)) {
    report(
      'og-image-invalid',

      'The address of og:image cannot be asked for.',
      'Put the absolute address of a picture into it.',
      element,
    );
    return false;
  } else if (/^http:/i.test(content) && !isFromPlainSite(content, pageUrl)) {
    report(
      'og-image-insecure',

      `The address ${content} of og:image does not use https.`,
      content.replace(/^http:/i, 'https:'),
      element,
    );
  }
  return true;
}

function checkAlternativeText({ tags, filled, report }: Preview): void {
  const alt = tags.all.find(({ name }) => name === 'og:image:alt');
  if (alt?.content || filled('twitter:image:alt')) return;
  report(
    'og-image-alt',

    alt
      ? 'The tag og:image:alt is empty.'
      : 'Nothing says what the picture of og:image shows to those who cannot see it.',
    '<meta property="og:image:alt" content="…">',
    alt?.element,
  );
}

function checkTwitterPictures({ tags, pageUrl, images, report }: Preview, pictures: Tags): void {
  for (const { name, content, element } of tags.all) {
    if (!/^twitter:image(:src)?$/.test(name) || content === '') continue;
    if (pictures.some((picture) => picture.content === content)) continue;
    if (!/^[a-z][a-z0-9+.-]*:/i.test(content)) {
      report(
        'twitter-image-relative',

        `The address ${content} of twitter:image is not absolute.`,
        URL.parse(content, pageUrl)?.href ?? '',
        element,
      );
    }
    const url = URL.parse(content, pageUrl)?.href ?? '';
    const image = images.get(url);
    const why = image && failureOf(image);
    if (why)
      report(
        'twitter-image-unreachable',

        `The picture of twitter:image ${why}.`,
        'Correct the address.',
        element,
        causeOfAddress(url),
      );
  }
}

function checkPicture(preview: Preview, pictures: Tags, index: number): void {
  const { images, pageUrl, report } = preview;
  const { content, element } = pictures[index]!;
  const url = URL.parse(content, pageUrl)?.href ?? '';
  const image = images.get(url);
  if (!image) return;
  const why = failureOf(image);
  if (why) {
    const isOther = 'status' in image && image.status < 400;
    report(
      isOther ? 'og-image-not-an-image' : 'og-image-unreachable',
      `The picture of og:image, ${content}, ${why}.`,
      'Correct the address, or put the picture there.',
      element,
      causeOfAddress(url),
    );
    return;
  }
  const { size } = image as { size: ImageSize };
  if (size.type === 'svg') {
    report(
      'og-image-format',

      'Services that show previews do not show SVG.',
      'Use a JPEG or PNG of 1200 by 630 pixels.',
      element,
      `open-graph og-image-format ${url}`,
    );
    return;
  }
  const { width, height } = size;
  if (width === undefined || height === undefined) return;
  checkSize(preview, width, height, element, url);
  checkDeclaredSize(preview, pictures, index, width, height);
}

function checkSize(
  { filled, report }: Preview,
  width: number,
  height: number,
  element: Element,
  url: string,
): void {
  const isSquareCard =
    /^(summary|app|player)$/.test(filled('twitter:card') ?? '') && Math.abs(width / height - 1) < 0.15;
  const isSmall =
    width < MIN_WIDTH ||
    height < MIN_HEIGHT ||
    (!isSquareCard && (width < WIDE_WIDTH || height < WIDE_HEIGHT));
  if (isSmall) {
    report(
      'og-image-size',

      `The picture of og:image is ${width} by ${height} pixels; wide previews need at least ${WIDE_WIDTH} by ${WIDE_HEIGHT}.`,
      'Use a picture of 1200 by 630 pixels.',
      element,
      `open-graph og-image-size ${url}`,
    );
    return;
  }
  const ratio = width / height;
  if (!isSquareCard && (ratio < 1.6 || ratio > 2.3)) {
    report(
      'og-image-ratio',

      `The picture of og:image is ${width} by ${height} pixels; previews are 1.91 times as wide as high and cut off the rest.`,
      'Use a picture of 1200 by 630 pixels.',
      element,
      `open-graph og-image-ratio ${url}`,
    );
  }
}

function checkDeclaredSize(
  { tags, report }: Preview,
  pictures: Tags,
  index: number,
  width: number,
  height: number,
): void {
  // Tags about a picture follow it and precede the next one.
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

      `The page declares og:image as ${w?.content ?? '?'} by ${h?.content ?? '?'} pixels, but it is ${width} by ${height}.`,
      `<meta property="og:image:width" content="${width}"> <meta property="og:image:height" content="${height}">`,
      (isWrong(w, width) ? w : h)!.element,
    );
  }
}

const nameOf = (element: Element) => attributeOf(element, 'property') ?? attributeOf(element, 'name');

/** Reason why a picture cannot be shown, as a predicate. */
function failureOf(image: FetchedImage): string | undefined {
  if ('problem' in image) return `cannot be reached: ${image.problem}`;
  if (image.status >= 400) return `answers with HTTP ${image.status}`;
  if (!image.size) return `is no picture${image.mimeType ? ` but ${image.mimeType.split(';')[0]}` : ''}`;
  return undefined;
}

/** True if a picture is on the page's own host, which has no https itself. */
const isFromPlainSite = (picture: string, pageUrl: string): boolean =>
  /^http:/i.test(pageUrl) && URL.parse(picture)?.host === URL.parse(pageUrl)?.host;
