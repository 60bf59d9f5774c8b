// What is planted, and which tool looks for it. The lists follow the documentation of the tools; they and the sites were
// written before any of the tools was run on them.

/** Words of rule ids and messages that say that a report is of a kind. */
export const KINDS: Readonly<Record<string, RegExp>> = {
  'broken-link': /broken|404|405|not.?found|dead|status|unreachable/i,
  'scripted-broken-link': /broken|404|not.?found|dead|status/i,
  'server-error': /broken|500|server.?error|status/i,
  'redirect-loop': /redirect|loop|broken|status/i,
  'permanent-redirect': /redirect|moved|301/i,
  'members-only': /redirect|log.?in|sign.?in|auth|members/i,
  'soft-404': /soft.?404|not.?found|no such page/i,
  'broken-fragment-elsewhere': /fragment|anchor|broken/i,
  'broken-fragment-here': /fragment|anchor|broken|NoSuchID|skip-link/i,
  'broken-image': /broken|404|image|status|errors-in-console/i,
  'broken-stylesheet': /broken|404|stylesheet|status|errors-in-console/i,
  'invalid-mail-address': /mail/i,
  'missing-alt': /alt\b|alternative|H37|H30/i,
  contrast: /contrast|G18|G145/i,
  'empty-link': /link-name|link.?(text|name)|H30|H91|discernible|empty|accessible name/i,
  'empty-button': /button-name|H91|accessible name|discernible/i,
  'missing-label': /label|select-name|H91|F68|H44|accessible name/i,
  'heading-order': /heading|H42|G141/i,
  'missing-lang': /lang\b|language|H57/i,
  'frame-title': /frame|H64/i,
  'zoom-off': /viewport|zoom|scal/i,
  tabindex: /tabindex/i,
  'missing-title': /title|H25/i,
  'duplicate-title': /duplicate.?title|same title/i,
  'missing-description': /meta.?description/i,
  'missing-og-image': /og.?image|preview|open.?graph|social|share/i,
  'vague-link': /link-text|descriptive|vague|click here/i,
  misspelling: /spell|misspell|unknown.?word/i,
  'repeated-word': /repeat|double|duplicate.?word/i,
  'lorem-ipsum': /lorem|placeholder|filler|spell/i,
  todo: /todo|placeholder|lorem|unfinished|draft|debug/i,
  'exposed-email': /e.?mail|pii|personal|contact/i,
  'exposed-phone': /phone|pii|personal|contact/i,
  'exposed-key': /key|secret|credential|token|aws/i,
  'exposed-password': /password|secret|credential|database|connection|comment/i,
};

const LINKS = [
  'broken-link',
  'server-error',
  'redirect-loop',
  'broken-fragment-elsewhere',
  'broken-fragment-here',
  'broken-image',
  'broken-stylesheet',
];
const BARRIERS = [
  'missing-alt',
  'contrast',
  'empty-link',
  'empty-button',
  'missing-label',
  'heading-order',
  'missing-lang',
  'frame-title',
  'zoom-off',
  'tabindex',
  'missing-title',
];

/** The kinds that a tool looks for, as run here. A fault of another kind is not looked for, and so not missed. */
export const TRADES = {
  // `--redirects warn` reports each redirect. It reads HTML that the server sends, without scripts.
  linkinator: [...LINKS, 'permanent-redirect', 'members-only'],
  // axe-core and HTML_CodeSniffer, which also checks that fragments of a page exist in it.
  'pa11y-ci': [...BARRIERS, 'broken-fragment-here'],
  'axe-cli': BARRIERS,
  // Accessibility without best practices of axe-core beyond those of Lighthouse; failed requests of the page itself.
  lhci: [...BARRIERS, 'broken-image', 'broken-stylesheet', 'missing-description', 'vague-link'],
  // The preset launch: links, accessibility, spelling, placeholders, previews, secrets.
  redpen: [
    ...LINKS,
    ...BARRIERS,
    'scripted-broken-link',
    'permanent-redirect',
    'members-only',
    'soft-404',
    'invalid-mail-address',
    'duplicate-title',
    'missing-og-image',
    'misspelling',
    'repeated-word',
    'lorem-ipsum',
    'todo',
    'exposed-key',
    'exposed-password',
  ],
  // All built-in agents that need no model: also personal data and Lighthouse.
  'redpen-all': Object.keys(KINDS),
} satisfies Record<string, readonly string[]>;

export type Tool = keyof typeof TRADES;
