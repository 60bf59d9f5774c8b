import type { Frame } from 'playwright-core';
import { z } from 'zod';
import { cutText } from '../../lib/text/cut-text.ts';
import { pageStrategy } from './gather-strategy.ts';
import { cleanHtml } from './reading/clean-html.ts';
import { type FrameBudget, frameBudget, readInnerFrames } from './reading/inner-frames.ts';
import { browserWait, waitUntil } from './reading/wait-until.ts';

const MAX_CHARS = 300_000;
const MAX_SOURCE_CHARS = 2_000_000;

const htmlOptions = z.looseObject({
  includeHead: z.boolean().default(true),
  includeBody: z.boolean().default(true),
  excludeIframes: z.boolean().default(false),
  waitUntil: waitUntil.optional(),
});

export interface PageHtml {
  url: string;
  status: number;
  html: string;
  truncated: boolean;
  /** The document as it is, scripts and comments included, for reviewers that look at what readers do not see. */
  source: string;
}

/** The document as its scripts left it, cleaned of what only machines read. */
export const webPageHtml = pageStrategy({
  name: 'web-page-html',
  options: htmlOptions,
  choice: {
    shows: 'the HTML',
    locates: 'elements',
    askedBy:
      /\b(html|meta|tags?|title tags?|canonical|h[1-6]|headings?|attributes?|elements?|schema|structured data|json-?ld|markup|forms?|fields?|inputs?|buttons?|scripts?|iframes?|videos?|favicons?|hreflang|doctype|viewport|seo|og:\w+|open ?graph|noindex|navigation|menus?|footers?|headers?)\b/i,
    rank: 20,
  },

  view: (options, deviceType) => ({
    deviceType,
    waitUntil: browserWait(options.waitUntil, 'networkidle'),
    skip: ['image', 'media', 'font'],
  }),

  async gather({ page, loaded, options }): Promise<PageHtml> {
    const { includeHead, includeBody } = options;
    const budget = frameBudget(options.excludeIframes);
    const { html, source } = await frameHtml(page.mainFrame(), { includeHead, includeBody }, budget);
    return {
      url: page.url(),
      status: loaded.status,
      html: cutText(html, MAX_CHARS),
      truncated: html.length > MAX_CHARS,
      source: cutText(source, MAX_SOURCE_CHARS),
    };
  },

  toPrompt({ url, html, truncated }) {
    return [{ text: `HTML of ${url}:\n${html}${truncated ? '\n(cut off here)' : ''}` }];
  },
});

async function frameHtml(
  frame: Frame,
  parts: { includeHead: boolean; includeBody: boolean },
  budget: FrameBudget,
): Promise<{ html: string; source: string }> {
  const read = await frame.evaluateHandle(serializeDocument);
  const source = await read.evaluate((value) => value.source);
  const elements = await read.getProperty('frames');
  const frames = await readInnerFrames(elements, budget, (one) =>
    frameHtml(one, { includeHead: false, includeBody: true }, budget),
  );
  await read.dispose();
  return { html: cleanHtml(source, { ...parts, frames: frames.map((frame) => frame?.html) }), source };
}

/** Runs in the page. Open shadow roots come as declarative ones, the frames in the order of the source. */
function serializeDocument(): { source: string; frames: Element[] } {
  const shadowRoots: ShadowRoot[] = [];
  const frames: Element[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      // A field of a form can take the name of any property of it.
      if (element.shadowRoot instanceof ShadowRoot) {
        shadowRoots.push(element.shadowRoot);
        visit(element.shadowRoot);
      }
      if (element.localName === 'iframe') frames.push(element);
    }
  };
  visit(document);
  const { doctype, documentElement: root } = document;
  const inner = root.getHTML({ shadowRoots });
  const shell = root.cloneNode(false) as Element;
  const [start = '<html>'] = shell.outerHTML.split('</html>');
  const source = `${doctype ? `<!DOCTYPE ${doctype.name}>` : ''}${start}${inner}</html>`;
  return { source, frames };
}
