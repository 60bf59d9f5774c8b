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
  // Names in SVG are case-sensitive.
  parser: { lowerCaseTags: false, lowerCaseAttributeNames: false, xmlMode: true },
} satisfies sanitizeHtml.IOptions;

/** Values with `url(` would load resources; a backslash could hide it as a CSS escape. */
const REFERS = /url\s*\(|\\/i;

/** Reduces an SVG icon to its shapes: no scripts, styles, links, images or references. */
export const safeSvg = (svg: string): string =>
  sanitizeHtml(svg, {
    ...RULES,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(Object.entries(attribs).filter(([, value]) => !REFERS.test(value))),
      }),
    },
  }).trim();
