import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { findChromium } from '../../../src/outside/browser/find-chromium.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function startBrowser(): Promise<Browser> {
  const { path, env } = await findChromium({ chromePath: process.env.CHROME_PATH });
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env } as never,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
}

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

/** What a checker of accessibility finds on a page. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      nodes: { html: string }[];
    }
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
};
