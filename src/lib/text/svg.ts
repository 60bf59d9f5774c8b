import sanitizeHtml from 'sanitize-html';

const SHAPES = ['path', 'circle', 'ellipse', 'rect', 'line', 'polyline', 'polygon'];
const PAINT = [
  ...['fill', 'fill-rule', 'fill-opacity', 'clip-rule', 'opacity', 'transform', 'color'],
  ...['stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-opacity', 'stroke-dasharray'],
];
const GEOMETRY = [
  ...['d', 'points', 'pathLength', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry'],
  ...['width', 'height', 'viewBox', 'preserveAspectRatio', 'xmlns', 'role', 'aria-hidden', 'aria-label'],
];

const RULES = {
  allowedTags: ['svg', 'g', 'title', ...SHAPES],
  allowedAttributes: { '*': [...PAINT, ...GEOMETRY] },
  disallowedTagsMode: 'discard',
  nonTextTags: ['script', 'style', 'foreignobject', 'textarea', 'option', 'noscript', 'desc', 'metadata'],
  nestingLimit: 20,
  // Names of SVG tell upper from lower case.
  parser: { lowerCaseTags: false, lowerCaseAttributeNames: false, xmlMode: true },
} as const satisfies sanitizeHtml.IOptions;

/** Values may refer to what is elsewhere, which a browser would load, also in letters written as CSS escapes. */
const REFERS = /url\s*\(|\\/i;

/** An icon as shapes and nothing else: no scripts, styles, links, pictures or references. */
export const safeSvg = (svg: string): string =>
  sanitizeHtml(svg, {
    ...RULES,
    allowedTags: [...RULES.allowedTags],
    nonTextTags: [...RULES.nonTextTags],
    allowedAttributes: { '*': [...RULES.allowedAttributes['*']] },
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(Object.entries(attribs).filter(([, value]) => !REFERS.test(value))),
      }),
    },
  }).trim();
