import type { CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import { cutText } from '../../lib/text/cut-text.ts';
import { pageStrategy } from './gather-strategy.ts';

const MAX_CHARS = 300_000;
const MAX_SOURCE_CHARS = 4_000_000;
const MAX_INLINE = 1000;
/** Chromium reports its own sheet for <details> as one of the page's. */
const DETAILS_SHEET = /^\s*:host summary \{\s*display: list-item;\s*counter-increment: list-item 0;/;

const cssOptions = z.looseObject({
  includeInlineStyles: z.boolean().default(false).describe('Includes the style attributes of elements.'),
});

interface PageCss {
  url: string;
  /** `sourceUrl` is empty for rules in the page itself. */
  sheets: { sourceUrl: string; chars: number }[];
  css: string;
  truncated: boolean;
}

/** The rules of all active stylesheets: linked, imported, written in the page or made by its scripts. */
export const webPageCss = pageStrategy({
  name: 'web-page-css',
  options: cssOptions,
  choice: {
    shows: 'the stylesheets',
    locates: 'nothing',
    askedBy: /\b(css|stylesheets?|font[- ]famil\w+|font[- ]size|media quer\w+)\b/i,
    rank: 50,
  },

  view: (_options, deviceType) => ({
    deviceType,
    waitUntil: 'networkidle',
    skip: ['image', 'media', 'font'],
  }),

  async gather({ page, options }): Promise<PageCss> {
    const sheets = await readSheets(page);
    const inline = options.includeInlineStyles ? await page.evaluate(readInlineStyles, MAX_INLINE) : [];
    let room = MAX_SOURCE_CHARS;
    const read = sheets.filter(({ text }) => {
      room -= text.length;
      return room >= 0;
    });
    const { cleanCss } = await import('./reading/clean-css.ts');
    const css = cleanCss([...read.map(({ text }) => text), ...inline]);
    return {
      url: page.url(),
      sheets: sheets.map(({ sourceUrl, text }) => ({ sourceUrl, chars: text.length })),
      css: cutText(css, MAX_CHARS),
      truncated: css.length > MAX_CHARS || read.length < sheets.length,
    };
  },

  toPrompt({ url, css, truncated }) {
    if (css === '') return [{ text: `${url} has no CSS of its own.` }];
    return [{ text: `CSS of ${url}:\n${css}${truncated ? '\n(cut off here)' : ''}` }];
  },
});

interface Sheet {
  sourceUrl: string;
  text: string;
}

/** Reads over the DevTools protocol, since scripts may not read stylesheets of other hosts. */
async function readSheets(page: Page): Promise<Sheet[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const headers: { styleSheetId: string; sourceURL: string; frameId: string }[] = [];
    session.on('CSS.styleSheetAdded', ({ header }) => {
      if (header.origin === 'regular' && !header.disabled) headers.push(header);
    });
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { frameTree } = await session.send('Page.getFrameTree');
    const own = headers.filter(({ frameId }) => frameId === frameTree.frame.id);
    const sheets: Sheet[] = [];
    for (const { styleSheetId, sourceURL } of own) {
      const text = await sheetText(session, styleSheetId);
      if (text.trim() !== '' && !DETAILS_SHEET.test(text))
        sheets.push({ sourceUrl: sourceURL === page.url() ? '' : sourceURL, text });
    }
    return sheets;
  } finally {
    await session.detach().catch(() => {});
  }
}

/** The text of a sheet; empty if the page has removed it meanwhile. */
const sheetText = (session: CDPSession, styleSheetId: string): Promise<string> =>
  session.send('CSS.getStyleSheetText', { styleSheetId }).then(
    ({ text }) => text,
    () => '',
  );

/** Runs in the page. Writes each `style` attribute as a rule. */
function readInlineStyles(max: number): string[] {
  const rules = new Set<string>();
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (rules.size >= max) return;
      // A form field can shadow any property of its form (DOM clobbering).
      if (element.shadowRoot instanceof ShadowRoot) visit(element.shadowRoot);
      const style = element.getAttribute('style')?.trim();
      if (!style) continue;
      const name = element.getAttribute('id');
      const id = name ? `#${CSS.escape(name)}` : '';
      const classes = [...element.classList].map((name) => `.${CSS.escape(name)}`).join('');
      rules.add(`${element.localName}${id}${classes}[style]{${style}}`);
    }
  };
  visit(document);
  return [...rules];
}
