import { cutText } from '../../lib/text/cut-text.ts';

/** How an agent is to look at pages and judge them. */
export interface Setup {
  strategies: string[];
  /** Of a service that needs no model; without one a model judges. */
  serviceId?: 'broken-links' | 'accessibility-checker' | 'og-image-checker';
  /** Why, as a sentence. */
  reason: string;
  /** Whether the words say so; otherwise it is what suits most agents. */
  isCertain: boolean;
}

interface ServiceRule {
  serviceId: NonNullable<Setup['serviceId']>;
  strategies: string[];
  asks: RegExp;
  /** What asks for more than the service looks at. */
  unless: RegExp;
  reason: string;
}

const SERVICES: ServiceRule[] = [
  {
    serviceId: 'broken-links',
    strategies: ['web-page-links'],
    asks: /\b(broken|dead|404)\b.*\b(links?|urls?|hrefs?)\b|\b(links?|urls?|hrefs?)\b.*\b(works?|working|functional|broken|dead|resolves?|valid|reachable|404|not found)\b/i,
    unless: /\b(new (tab|window)|hover|colou?rs?|underlin|styles?|texts?|labels?|names?|descriptive|focus)/i,
    reason: 'Whether links work is checked by asking them, which needs no model.',
  },
  {
    serviceId: 'og-image-checker',
    strategies: ['web-page-html'],
    asks: /\bog:image\b|\b(open ?graph|social|sharing|share|preview) (image|picture|card)s?\b/i,
    unless: /\bog:(?!image)|\btwitter:(?!image)/i,
    reason: 'The picture for previews is checked by fetching it, which needs no model.',
  },
  {
    serviceId: 'accessibility-checker',
    strategies: ['web-page-accessibility'],
    asks: /\b(accessibility|accessible|wcag|a11y|axe)\b/i,
    unless:
      /\b(alt|alternative|contrast|aria|keyboard|focus|tab|labels?|headings?|captions?|screen ?readers?|skip|zoom|buttons?|forms?|images?|links?|colou?rs?|videos?|menus?|name)\b/i,
    reason: 'Accessibility as a whole is checked by rule, which needs no model.',
  },
];

const STRATEGIES: { strategy: string; asks: RegExp }[] = [
  {
    strategy: 'web-page-text',
    asks: /\b(spell\w*|typos?|grammar\w*|wording|words?|tone|copy|texts?|lorem|placeholders?|headlines?|titles?|language|sentences?|phras\w+|translat\w+|capitali\w+|punctuation|prices?|dates?|years?|names?|numbers?|legal|disclaimers?|privacy|terms|copyright|mentions?|contact)\b/i,
  },
  {
    strategy: 'web-page-html',
    asks: /\b(html|meta|tags?|title tags?|canonical|h[1-6]|headings?|attributes?|elements?|schema|structured data|json-?ld|markup|forms?|fields?|inputs?|buttons?|scripts?|iframes?|videos?|favicons?|hreflang|doctype|viewport|seo|og:\w+|open ?graph|noindex|navigation|menus?|footers?|headers?)\b/i,
  },
  { strategy: 'web-page-links', asks: /\b(links?|hyperlinks?|hrefs?|urls?|anchors?|cta|ctas)\b/i },
  {
    strategy: 'web-page-screenshot',
    asks: /\b(screenshots?|visual\w*|visible|layouts?|align\w*|overlap\w*|responsive|mobile|logos?|images?|pictures?|photos?|icons?|design\w*|banners?|spacing|margins?|padding|fonts?|colou?rs?|brand\w*|look|looks|appear\w*|hero|above the fold|blurr\w+|pixelated|readab\w+|contrast)\b/i,
  },
  { strategy: 'web-page-css', asks: /\b(css|stylesheets?|font[- ]famil\w+|font[- ]size|media quer\w+)\b/i },
  {
    strategy: 'web-page-accessibility',
    asks: /\b(accessib\w*|wcag|a11y|aria|alt|alternative texts?|contrast|keyboard|focus|screen ?readers?|tab order|skip links?)\b/i,
  },
  {
    strategy: 'lighthouse',
    asks: /\b(lighthouse|performance|page ?speed|load(ing)? (time|speed)s?|core web vitals|lcp|cls|inp|fcp|best practices)\b/i,
  },
  { strategy: 'robots-txt', asks: /\brobots(\.txt)?\b/i },
  { strategy: 'sitemap-data', asks: /\bsite ?maps?(\.xml)?\b/i },
];

/** What is asked for is said at the beginning, and long texts take long to look through. */
const MAX_CHARS = 2_000;
const OF_THE_SITE = ['robots-txt', 'sitemap-data', 'lighthouse'];

/** What an agent needs to judge what these words ask for. */
export function chooseSetup(words: string): Setup {
  const text = cutText(words, MAX_CHARS);
  const service = SERVICES.find(({ asks, unless }) => asks.test(text) && !unless.test(text));
  if (service) {
    const { serviceId, strategies, reason } = service;
    return { serviceId, strategies: [...strategies], reason, isCertain: true };
  }
  const asked = STRATEGIES.filter(({ asks }) => asks.test(text)).map(({ strategy }) => strategy);
  if (asked.length === 0) {
    return {
      strategies: ['web-page-text', 'web-page-html'],
      reason: 'Nothing says what to look at, so text and HTML of the page are.',
      isCertain: false,
    };
  }
  // A picture or a stylesheet alone does not tell where on the page a finding is.
  const readsThePage = asked.some((name) =>
    ['web-page-text', 'web-page-html', 'web-page-accessibility'].includes(name),
  );
  const strategies =
    readsThePage || asked.every((name) => OF_THE_SITE.includes(name)) ? asked : ['web-page-html', ...asked];
  return {
    strategies,
    reason: `The instructions speak of what ${strategies.join(', ')} ${strategies.length === 1 ? 'shows' : 'show'}.`,
    isCertain: true,
  };
}
