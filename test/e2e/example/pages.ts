import type { Locator, Page } from 'playwright-core';

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Selects a text of the article, as with a mouse. */
export const select = (page: Page, text: string): Promise<void> =>
  page.evaluate((wanted) => {
    const texts = document.createTreeWalker(document.querySelector('#article')!, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const start = node.data.indexOf(wanted);
      if (start >= 0) return getSelection()!.setBaseAndExtent(node, start, node, start + wanted.length);
    }
    throw new Error(`The article does not contain "${wanted}".`);
  }, text);

/** The thread that contains a text. */
export const thread = (page: Page, text: string) => page.locator('#threads > li').filter({ hasText: text });

/** Starts a thread about a passage. */
export async function comment(page: Page, passage: string, text: string): Promise<void> {
  await select(page, passage);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('#draft textarea').fill(text);
  await page.locator('#draft textarea').press('Control+Enter');
}

/** Replies to a thread that contains a text. */
export async function reply(page: Page, to: string, text: string): Promise<void> {
  await thread(page, to).locator('.quote').click();
  const area = thread(page, to).getByLabel('Reply');
  await area.fill(text);
  await area.press('Control+Enter');
}

/** Waits until the service has all changes of a thread. */
export const sent = (thread: Locator): Promise<void> =>
  thread.locator('.waiting').waitFor({ state: 'hidden' });

/** The number on the bell; 0 without one. */
export const unread = async (page: Page): Promise<number> =>
  Number((await page.locator('#unread:not([hidden])').allTextContents())[0] ?? 0);
