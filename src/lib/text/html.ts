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

/** Tags that only format. They are kept in texts, without their attributes. */
const FORMATTING = /^(?:b|i|em|strong|code|br|p|ul|ol|li)$/;

/** Tags that a suggested fix may contain as they are, since a browser neither runs nor loads anything for them. */
const INERT: Record<string, (attributes: ReadonlyMap<string, string>) => boolean> = {
  meta: (attributes) =>
    hasOnly(attributes, ['property', 'name', 'content']) &&
    /^(?:(?:og|twitter|article|fb):[\w:.-]*|description|keywords|author|robots|)$/.test(
      attributes.get('property') ?? attributes.get('name') ?? '-',
    ),
  link: (attributes) =>
    hasOnly(attributes, ['rel', 'href', 'hreflang']) &&
    /^(?:canonical|alternate)$/.test(attributes.get('rel') ?? ''),
  a: (attributes) => hasOnly(attributes, ['href', 'title']),
  html: (attributes) => hasOnly(attributes, ['lang', 'dir']),
  label: (attributes) => hasOnly(attributes, ['for']),
};

const hasOnly = (attributes: ReadonlyMap<string, string>, names: readonly string[]): boolean =>
  [...attributes].every(
    ([name, value]) =>
      names.includes(name) &&
      // Entities may spell the scheme of a script.
      (name === 'href' ? /^(?:https?:\/\/|mailto:|[/#])/i.test(value) : !isScriptUrl(value)),
  );

/** A `<` that begins a tag for a browser, with the tag if it is complete. */
const TAG = /<(?=[a-z/!?])(?:(\/?)([a-z][\w-]*)((?:\s+[a-z][\w:-]*(?:="[^"<>]*")?)*)\s*\/?>|[^<>]*>?)/gi;

/**
 * Makes a text safe for clients that show it as HTML by mistake, without a single escape: tags that format and tags
 * that do nothing remain, and the brackets of all other tags become ‹ and ›, which begin no tag.
 */
export const safeText = (text: string): string =>
  text.includes('<')
    ? text.replace(TAG, (tag: string, slash?: string, name?: string, attributes = '') => {
        const known = name?.toLowerCase() ?? '';
        if (FORMATTING.test(known)) return `<${slash}${known}>`;
        if (name && INERT[known]?.(attributesIn(attributes))) return tag;
        return tag.replace(/^</, '‹').replace(/>$/, '›');
      })
    : text;

const attributesIn = (source: string): Map<string, string> =>
  new Map(
    Array.from(source.matchAll(/([a-z][\w:-]*)(?:="([^"]*)")?/gi), ([, name, value]) => [
      name!.toLowerCase(),
      value ?? '',
    ]),
  );

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
