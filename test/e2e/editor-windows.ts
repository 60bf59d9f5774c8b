import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { type EditorName, startEditorPages } from './editor-pages.ts';
import type { Place } from './editors/connection.ts';

export interface EditorWindows {
  /** Opens an editor in a window of its own, and waits for the content. */
  open(editor: EditorName, place: Place): Promise<Page>;
  /** What pages complained about. */
  complaints: string[];
  close(): Promise<void>;
}

/** A real browser in which people open editors. */
export async function startEditorWindows(): Promise<EditorWindows> {
  const [pages, browser] = await Promise.all([startEditorPages(), startBrowser()]);
  const complaints: string[] = [];
  return {
    complaints,
    async open(editor, place) {
      const page = await (await browser.newContext()).newPage();
      const complain = (text: string) => complaints.push(`${editor} of ${place.userId}: ${text}`);
      page.on('pageerror', (error) => complain(error.message));
      page.on('console', (message) => complain(message.text()));
      await page.goto(`${pages.url(editor)}#${encodeURIComponent(JSON.stringify(place))}`);
      await page.waitForFunction(() => window.provider.isSynced);
      return page;
    },
    async close() {
      await browser.close();
      await pages.close();
    },
  };
}

async function startBrowser(): Promise<Browser> {
  const { path, env } = await findChromium({ chromePath: process.env.CHROME_PATH });
  return chromium.launch({ executablePath: path, env: { ...process.env, ...env } as never });
}

/** Presses a key once or some times. */
export async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) await page.keyboard.press(key);
}

/** Waits until the service has acknowledged all that was written. */
export async function saved(page: Page): Promise<void> {
  await page.waitForFunction(() => window.provider.isSynced && !window.provider.hasUnsyncedChanges);
}

/** Does something while the connection is cut. */
export async function offline(page: Page, work: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => window.provider.configuration.websocketProvider.disconnect());
  await page.waitForFunction(() => !window.provider.isSynced);
  await work();
  await page.evaluate(() => void window.provider.configuration.websocketProvider.connect());
  await saved(page);
}

/** Lets a page write that respects that it may not. */
export const defy = (page: Page): Promise<void> => page.evaluate(() => window.setEditable(true));

/** The text of a paragraph or line up to the caret in it. */
export const beforeCaret = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { anchorNode, anchorOffset } = getSelection()!;
    const range = document.createRange();
    range.setStart(anchorNode!.parentElement!.closest('p, .cm-line')!, 0);
    range.setEnd(anchorNode!, anchorOffset);
    return range.toString();
  });
