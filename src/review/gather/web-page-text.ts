import type { Frame } from 'playwright-core';
import { z } from 'zod';
import { joinWords, type PageWords } from '../../lib/page-words/page-words.ts';
import { readPageWords } from '../../lib/page-words/read-page-words.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { pageStrategy } from './gather-strategy.ts';
import { deviceTypeOption } from './reading/device-type-option.ts';
import { type FrameBudget, frameBudget, readInnerFrames } from './reading/inner-frames.ts';
import { FRAME_MARK, readVisibleText } from './reading/read-visible-text.ts';

const MAX_CHARS = 200_000;

const textOptions = z.looseObject({
  deviceType: deviceTypeOption.optional(),
  excludeIframes: z.boolean().default(false),
});

export interface PageText {
  /** Address of the page after redirects and navigation by scripts. */
  url: string;
  status: number;
  title: string;
  text: string;
  truncated: boolean;
  /** The text of the page in the form that rules read. */
  words: PageWords;
}

/** The rendered text that a reader sees, with that of open shadow roots and frames, and without hidden elements. */
export const webPageText = pageStrategy({
  name: 'web-page-text',
  options: textOptions,
  choice: {
    shows: 'the visible text',
    locates: 'elements',
    askedBy:
      /\b(spell\w*|typos?|grammar\w*|wording|words?|tone|copy|texts?|lorem|placeholders?|headlines?|titles?|language|sentences?|phras\w+|translat\w+|capitali\w+|punctuation|prices?|dates?|years?|names?|numbers?|legal|disclaimers?|privacy|terms|copyright|mentions?|contact)\b/i,
    rank: 10,
  },

  view: (options, deviceType) => ({
    deviceType: options.deviceType ?? deviceType,
    waitUntil: 'networkidle',
    skip: ['image', 'media', 'font'],
  }),

  async gather({ page, loaded, options }): Promise<PageText> {
    const title = await page.title();
    const raw = await frameText(page.mainFrame(), frameBudget(options.excludeIframes));
    const text = tidy(cutText(raw, 2 * MAX_CHARS));
    return {
      url: page.url(),
      status: loaded.status,
      title,
      text: cutText(text, MAX_CHARS),
      truncated: text.length > MAX_CHARS,
      words: await frameWords(page.mainFrame(), frameBudget(options.excludeIframes)),
    };
  },

  toPrompt({ url, title, text, truncated }) {
    const cut = truncated ? '\n(cut off here)' : '';
    return [{ text: `Visible text of ${url} (title: ${title || 'none'}):\n${text}${cut}` }];
  },
});

/** The text of a frame, with that of each inner frame at its place. */
async function frameText(frame: Frame, budget: FrameBudget): Promise<string> {
  const read = await frame.evaluateHandle(readVisibleText);
  const text = await read.evaluate((value) => value.text);
  const elements = await read.getProperty('frames');
  const inner = await readInnerFrames(elements, budget, (one) => frameText(one, budget));
  await read.dispose();
  const [first = '', ...rest] = text.split(FRAME_MARK);
  return first + rest.map((piece, index) => `\n${inner[index] ?? ''}\n${piece}`).join('');
}

async function frameWords(frame: Frame, budget: FrameBudget): Promise<PageWords> {
  const steps = await frame.evaluateHandle(readPageWords, { labels: true, marks: true });
  const read = await steps.evaluateHandle((reading) => {
    for (;;) {
      const step = reading.next();
      if (step.done) return step.value;
    }
  });
  await steps.dispose();
  const words = await read.evaluate((value) => value.words);
  const elements = await read.getProperty('frames');
  const inner = await readInnerFrames(elements, budget, (one) => frameWords(one, budget));
  await read.dispose();
  return joinWords(words, inner);
}

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
