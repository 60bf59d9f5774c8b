import type { Page } from 'playwright-core';
import type { Browser, View } from '../../../outside/browser/browser.ts';
import type { PageLinks } from '../page/page-links.ts';

/** The load on which links are read: scripts often add some after the load event. */
export const linksView: Omit<View, 'deviceType'> = {
  waitUntil: 'settled',
  skip: ['image', 'media', 'font'],
  onlyReads: true,
};

/** Every address of an open page, open shadow roots included. */
export async function readRenderedLinks(page: Page): Promise<PageLinks> {
  const [{ extractLinks }, html, shadow] = await Promise.all([
    import('../page/extract-links.ts'),
    page.content(),
    page.evaluate(readShadowRoots),
  ]);
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
}

/** Loads a page in the browser and reads its links. Throws `PageFailure`. */
export const loadLinks = (
  browser: Browser,
  url: string,
  deviceType: View['deviceType'],
  signal: AbortSignal,
): Promise<PageLinks> =>
  browser.withPage(url, { deviceType, ...linksView }, { signal }, ({ page }) => readRenderedLinks(page));

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
