import { z } from 'zod';
import { extractLinks } from '../links/extract-links.ts';
import type { PageLinks } from '../links/page-links.ts';
import { pageStrategy } from './gather-strategy.ts';

const MAX_PROMPT_LINKS = 1000;

/** Every address of the page after its scripts ran, open shadow roots included. */
export const webPageLinks = pageStrategy({
  name: 'web-page-links',
  options: z.looseObject({}),
  choice: {
    shows: 'all links',
    locates: 'nothing',
    askedBy: /\b(links?|hyperlinks?|hrefs?|urls?|anchors?|cta|ctas)\b/i,
    rank: 30,
  },

  // Scripts often add links after the load event.
  view: (_options, deviceType) => ({
    deviceType,
    waitUntil: 'settled',
    skip: ['image', 'media', 'font'],
  }),

  async gather({ page }): Promise<PageLinks> {
    const [html, shadow] = await Promise.all([page.content(), page.evaluate(readShadowRoots)]);
    const url = page.url();
    const links = extractLinks(html, url, { rendered: true });
    // Selectors do not enter shadow roots, so these links get the selector of the host element.
    const shadowLinks = shadow.roots.flatMap((root) =>
      extractLinks(root.html, url, { rendered: true, baseUrl: shadow.baseUrl }).links.map((link) => ({
        ...link,
        selector: root.hostSelector,
      })),
    );
    return { ...links, links: [...links.links, ...shadowLinks] };
  },

  toPrompt({ finalUrl, links }) {
    const line = ({ url, kind, text, internal }: PageLinks['links'][number]) =>
      `${internal ? 'internal' : 'external'} ${kind} ${url}${text ? ` "${text}"` : ''}`;
    const more = links.length > MAX_PROMPT_LINKS ? `\n(${links.length - MAX_PROMPT_LINKS} more)` : '';
    const lines = links.slice(0, MAX_PROMPT_LINKS).map(line).join('\n');
    return [{ text: `Links of ${finalUrl} (${links.length}):\n${lines}${more}` }];
  },
});

/** Runs in the page. */
function readShadowRoots(): { baseUrl: string; roots: { html: string; hostSelector: string }[] } {
  const roots: { html: string; hostSelector: string }[] = [];
  const selectorOf = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) {
      const { localName } = at;
      const siblings = [...(at.parentElement?.children ?? [])].filter((one) => one.localName === localName);
      steps.unshift(`${CSS.escape(localName)}:nth-of-type(${siblings.indexOf(at) + 1})`);
    }
    return ['html', ...steps].join(' > ');
  };
  const visit = (root: Document | ShadowRoot, hostSelector: string | undefined) => {
    for (const element of root.querySelectorAll('*')) {
      // A form field can shadow any property of its form (DOM clobbering).
      if (!(element.shadowRoot instanceof ShadowRoot)) continue;
      const selector = hostSelector ?? selectorOf(element);
      roots.push({ html: element.shadowRoot.innerHTML, hostSelector: selector });
      visit(element.shadowRoot, selector);
    }
  };
  visit(document, undefined);
  return { baseUrl: document.baseURI, roots };
}
