import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createBrowser } from '../../src/outside/browser/browser-pool.ts';
import { createGuard } from '../../src/outside/net/ssrf-guard.ts';
import { type Service, startService } from './service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'redpen-console-'));
const HTML = { accept: 'text/html' };

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function withService(env: Record<string, string>, use: (service: Service) => Promise<void>) {
  const service = await startService({ REDPEN_DATA_DIR: dataDir, ...env });
  try {
    await use(service);
  } finally {
    await service.kill('SIGTERM');
  }
}

const textAt = async ({ url }: Service, path: string) => (await fetch(url + path, { headers: HTML })).text();

/** Opens a page, reloads it, and returns what the browser complains about and the origins that it asks. */
async function open(url: string, use: (page: Page) => Promise<void>) {
  const guard = createGuard({ allowHosts: ['127.0.0.1'] });
  const browser = createBrowser({ chromePath: process.env.CHROME_PATH, guard, log: () => {}, maxPages: 1 });
  const complaints: string[] = [];
  const origins = new Set<string>();
  const view = { deviceType: 'desktop', waitUntil: 'load' } as const;
  try {
    await browser.withPage(url, view, { timeoutMs: 590_000 }, async ({ page }) => {
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted/.test(message.text())) complaints.push(message.text());
      });
      page.on('request', (request) => origins.add(new URL(request.url()).origin));
      await page.reload();
      await use(page);
    });
  } finally {
    await browser.close();
  }
  return { complaints, origins: [...origins] };
}

test('a start serves the console once it is built, which runs in a browser under its policy', async () => {
  await withService({}, async (service) => {
    await expect.poll(() => textAt(service, '/console')).toContain('<div id="root">');
    const root = await fetch(service.url, { headers: HTML, redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, 'console']);
    const asJson = await fetch(service.url);
    expect([asJson.status, (await asJson.json()).result.status]).toEqual([200, 'success']);
    expect((await fetch(`${service.url}/console/licenses.txt`)).status).toBe(200);
    const { complaints, origins } = await open(`${service.url}/console/`, async (page) => {
      await page.locator('#root > *').first().waitFor({ state: 'attached' });
      const policy = 'globalThis.trustedTypes?.defaultPolicy?.name';
      expect(await page.evaluate(policy)).toBe('default');
      const nonce = await page.evaluate("document.querySelector('meta[property=csp-nonce]').nonce");
      expect(nonce).toMatch(/^[\w+/]{22}==$/);
    });
    expect({ complaints, origins }).toEqual({ complaints: [], origins: [service.url] });
  });
});

test('a service without the console leads to the reference', async () => {
  await withService({ REDPEN_CONSOLE: 'off' }, async (service) => {
    const root = await fetch(service.url, { headers: HTML, redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, 'docs']);
    for (const path of ['/console', '/client/overlay.js']) {
      const { status } = await fetch(service.url + path, { headers: HTML });
      expect([path, status]).toEqual([path, 404]);
    }
    expect(service.output()).not.toMatch(/console/);
  });
});
