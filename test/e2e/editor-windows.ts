import type { Page } from 'playwright-core';
import { newTestContext } from '../service/test-browser.ts';
import { type EditorName, startEditorPages } from './editor-pages.ts';
import type { Place } from './editors/connection.ts';

export interface EditorWindows {
  /** Opens an editor in a new browser context, and waits for its content. */
  open(editor: EditorName, place: Place): Promise<Page>;
}

/** Starts pages on which users open editors. */
export async function startEditorWindows(): Promise<EditorWindows> {
  const pages = await startEditorPages();
  return {
    async open(editor, place) {
      const page = await (await newTestContext()).newPage();
      await page.goto(`${pages.url(editor)}#${encodeURIComponent(JSON.stringify(place))}`);
      await page.waitForFunction(() => window.provider.isSynced);
      return page;
    },
  };
}

export async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) await page.keyboard.press(key);
}

/** Waits until the service has acknowledged all changes of a page. */
export async function saved(page: Page): Promise<void> {
  await page.waitForFunction(() => window.provider.isSynced && !window.provider.hasUnsyncedChanges);
}

/** Calls `work` while the page is disconnected, then reconnects and waits until all changes are saved. */
export async function offline(page: Page, work: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => window.provider.configuration.websocketProvider.disconnect());
  await page.waitForFunction(() => !window.provider.isSynced);
  await work();
  await page.evaluate(() => void window.provider.configuration.websocketProvider.connect());
  await saved(page);
}

/** Makes the editor of a viewer editable against the rules. */
export const forceEditable = (page: Page): Promise<void> => page.evaluate(() => window.setEditable(true));

/** The text of the current paragraph or line, up to the caret. */
export const beforeCaret = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { anchorNode, anchorOffset } = getSelection()!;
    const range = document.createRange();
    range.setStart(anchorNode!.parentElement!.closest('p, .cm-line')!, 0);
    range.setEnd(anchorNode!, anchorOffset);
    return range.toString();
  });
