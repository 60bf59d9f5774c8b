import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../test/harness.ts';
import { files } from '../../api/files.ts';
import { endpoints, routes } from '../../api/index.ts';
import type { Browser } from '../../outside/browser/browser.ts';
import { createBrowser } from '../../outside/browser/browser-pool.ts';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { createServer } from '../server/server.ts';
import { addReference } from './reference.ts';

let app: Awaited<ReturnType<typeof createServer>>;
let browser: Browser;

beforeAll(async () => {
  const { deps, authenticator } = await testApp();
  const probes = { readiness: async () => ({ faults: [], warnings: [] }) };
  app = await createServer({ deps, endpoints, files, probes, authenticator });
  await addReference(app, routes);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const guard = createGuard({ allowHosts: ['127.0.0.1'] });
  browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

test('the filter shows matching operations, and the failures of an operation are collapsed', async () => {
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/docs`;
  const view = { deviceType: 'desktop', waitUntil: 'load' } as const;
  await browser.withPage(url, view, { timeoutMs: 115_000 }, async ({ page }) => {
    page.setDefaultTimeout(110_000);
    const paths = page.locator('.opblock-summary-path');
    await page.fill('.operation-filter-input', 'execution/run');
    await paths.first().waitFor();
    expect(await paths.allInnerTexts()).toEqual([expect.stringMatching(/execution\/run$/)]);
    await page.locator('.opblock-summary').click();
    const failures = page.locator('button.failure');
    await failures.first().waitFor();
    expect(await failures.allInnerTexts()).toContain('UNAUTHENTICATED');
    const answer = page.locator('tr.response[data-code="401"]');
    expect(await answer.count()).toBe(0);
    await failures.filter({ hasText: 'UNAUTHENTICATED' }).click();
    await answer.waitFor();
    expect(await answer.innerText()).toContain('Invalid or missing credentials.');
    await page.fill('.operation-filter-input', '');
    await paths.first().waitFor({ state: 'detached' });
  });
});
