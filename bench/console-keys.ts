import type { Page } from 'playwright-core';
import { report } from './figures.ts';

/** The time from a key to the next frame, in a review with many findings; and the number of its nodes. */
export async function measureKeys(
  page: Page,
  reviewPath: string,
  goTo: (path: string) => Promise<void>,
): Promise<void> {
  await goTo(reviewPath);
  await page.getByRole('checkbox').first().waitFor();
  const times: number[] = [];
  for (let press = 0; press < 60; press++) {
    await page.evaluate(() => {
      const now = performance.now();
      // biome-ignore lint/suspicious/noExplicitAny: read back below.
      (globalThis as any).answered = new Promise<number>((done) => {
        addEventListener(
          'keydown',
          () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - now))),
          { once: true, capture: true },
        );
      });
    });
    await page.keyboard.press('j');
    // biome-ignore lint/suspicious/noExplicitAny: set above.
    times.push(await page.evaluate(() => (globalThis as any).answered as Promise<number>));
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const slowest = Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.98)]!);
  console.log(`J in a large review: p98 ${slowest} ms, ${nodes} elements`);
  report({ name: 'console key in a large review, p98', value: slowest, unit: 'ms' });
  report({ name: 'console elements in a large review', value: nodes, unit: 'count' });
}
