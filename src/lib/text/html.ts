import sanitizeHtml from 'sanitize-html';

/** Tags whose content is dropped too: code, markup of another language, or text that is not meant to be read. */
const DROPPED_WHOLE = [
  ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'iframe', 'frameset', 'object'],
  ...['svg', 'math', 'select', 'option', 'textarea', 'title', 'head', 'xmp', 'plaintext', 'audio', 'video'],
];

const TAGS = [
  ...['p', 'br', 'hr', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'],
  ...['b', 'i', 'em', 'strong', 'u', 's', 'del', 'ins', 'mark', 'sub', 'sup', 'small', 'kbd'],
  ...['a', 'ul', 'ol', 'li'],
];

const RULES = {
  allowedTags: TAGS,
  disallowedTagsMode: 'discard',
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    // No other attributes: scripts of the page that shows a comment may react to them.
    span: ['data-type', 'data-id', 'data-user-id', 'data-label', 'data-value', 'data-mention*'],
    ol: ['start'],
  },
  allowedClasses: { span: ['mention', 'mention-*'], code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: DROPPED_WHOLE,
  // Browsers lay out deep nesting slowly.
  nestingLimit: 50,
  transformTags: {
    a: (tagName, { target: _target, rel: _rel, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer nofollow' },
    }),
  },
} satisfies sanitizeHtml.IOptions;

/** Sanitizes until nothing changes, because removing a tag can make a new one of the text around it. */
function sanitizeUntilStable(html: string, rules: sanitizeHtml.IOptions): string {
  let clean = html;
  for (let pass = 0; pass < 5; pass++) {
    const cleaner = sanitizeHtml(clean, rules);
    if (cleaner === clean) break;
    clean = cleaner;
  }
  return clean;
}

/** Sanitizes HTML for display in a page: nothing in it runs, loads, submits or covers anything. */
export const safeHtml = (html: string): string =>
  /[<>&]/.test(html) ? sanitizeUntilStable(html, RULES) : html;

/** Matches a tag that `safeHtml` would not have written in this form. */
const FOREIGN_TAG = new RegExp(
  `<(?!/?(?:${TAGS.join('|')})>|(?:br|hr) />|` +
    '(?:a(?: href="(?:https?:|mailto:)[^"<>]*")?(?: title="[^"<>]*")?' +
    ' target="_blank" rel="noopener noreferrer nofollow"' +
    '|span(?: class="mention[\\w-]*")?(?: data-(?:type|id|user-id|label|value|mention[\\w-]*)="[^"<>]*")*' +
    '|code class="language-[\\w-]*"|ol start="[^"<>]*")>)',
);

/** Sanitizes HTML that was stored as safe, but only if it contains an unexpected tag. */
export const safeStoredHtml = (html: string): string => (FOREIGN_TAG.test(html) ? safeHtml(html) : html);

const { transformTags: _, ...PLAIN_RULES } = RULES;
const SNIPPET_RULES = {
  ...PLAIN_RULES,
  disallowedTagsMode: 'escape',
  preserveEscapedAttributes: true,
} as const;

/**
 * Sanitizes an excerpt of a page. Active markup is evidence, so it is escaped as text instead of removed. Text without
 * a tag remains unchanged, so that its `&` does not become an entity.
 */
export const safeSnippet = (html: string): string =>
  html.includes('<') ? sanitizeUntilStable(html, SNIPPET_RULES) : html;

const TEXT_RULES: sanitizeHtml.IOptions & { preserveEscapedAttributes: true } = {
  allowedTags: ['b', 'i', 'em', 'strong', 'code', 'br', 'p', 'ul', 'ol', 'li'],
  allowedAttributes: {},
  disallowedTagsMode: 'escape',
  // A suggested fix needs its attributes, except those that run code.
  preserveEscapedAttributes: true,
  transformTags: {
    '*': (tagName, attribs) => ({
      tagName,
      attribs: Object.fromEntries(
        Object.entries(attribs).filter(([name, value]) => !/^on/i.test(name) && !isScriptUrl(value)),
      ),
    }),
  },
  parser: { decodeEntities: false },
};

/** Sanitizes a text that some clients show as HTML: a few tags are allowed, all others are escaped. */
export const safeText = (text: string): string =>
  text.includes('<') ? sanitizeUntilStable(text, TEXT_RULES) : text;

/** Parsing deeply nested tags takes quadratic time. Texts of people have a few dozen tags. */
export const MAX_TAGS = 5_000;

export const hasTooManyTags = (html: string): boolean => {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0 && tags <= MAX_TAGS; at = html.indexOf('<', at + 1)) tags++;
  return tags > MAX_TAGS;
};

/** True if following or loading the URL would run code. `data:` URLs of images do not. */
export const isScriptUrl = (url: string): boolean =>
  /^(javascript|vbscript|data(?!:image\/(png|jpeg|gif|webp|avif)[;,])):/i.test(
    // Browsers skip white space and control characters within the scheme.
    url.replace(/[\x00-\x20\x7f-\x9f\u00a0\ufeff]/g, ''),
  );
