import chromiumPack from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser } from '../../outside/outside.ts';

/** A browser for tests of what is done with a page, without the rules of how one is opened. */
export async function testingBrowser(): Promise<Browser & { loads: string[] }> {
  const browser = await chromium.launch({
    executablePath: await chromiumPack.executablePath(),
    args: ['--no-sandbox', '--no-zygote'],
  });
  const loads: string[] = [];
  return {
    loads,
    async withPage(url, view, _options, use) {
      const isMobile = view.deviceType === 'mobile';
      const viewport = isMobile ? { width: 390, height: 844 } : { width: 1280, height: 720 };
      const context = await browser.newContext({ viewport, isMobile });
      try {
        loads.push(`${view.deviceType} ${view.waitUntil}`);
        const page = await context.newPage();
        const response = await page.goto(url, { waitUntil: view.waitUntil });
        return await use({ page, url: page.url(), status: response?.status() ?? 0, headers: {} });
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}
