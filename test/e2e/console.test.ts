import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ownDatabase } from '../service/own-database.ts';
import { newPlace, runRedpen } from '../service/redpen-command.ts';
import { type Service, startService } from '../service/service.ts';
import { newTestContext } from '../service/test-browser.ts';

let env: Record<string, string>;
let service: Service;
beforeAll(async () => {
  ({ env } = await ownDatabase());
  service = await startService(env);
});

const HTML = { accept: 'text/html' };
const get = (path: string) => fetch(service.url + path, { headers: HTML, redirect: 'manual' });

test('a start serves the console once it is built, which runs in a browser under its policy', async () => {
  await expect.poll(async () => (await get('/console')).text()).toContain('<div id="root">');
  const root = await get('/');
  expect([root.status, root.headers.get('location')]).toEqual([302, 'console']);
  const asJson = await fetch(service.url);
  expect([asJson.status, (await asJson.json()).result.status]).toEqual([200, 'success']);
  expect((await get('/console/licenses.txt')).status).toBe(200);
  const page = await (await newTestContext({ onlyHosts: [new URL(service.url).host] })).newPage();
  const place = newPlace();
  onTestFinished(place.remove);
  // The first link of a service makes a workspace with an API key.
  await page.goto((await runRedpen(place, ['console', 'link'], env)).stdout.trim());
  await page.waitForURL(/\/console\/k\//);
  await page.locator('main h1').waitFor();
  expect(await page.evaluate('globalThis.trustedTypes?.defaultPolicy?.name')).toBe('default');
  const nonce = await page.evaluate("document.querySelector('meta[property=csp-nonce]').nonce");
  expect(nonce).toMatch(/^[\w+/]{22}==$/);
});

test('a service without the console leads to the reference', async () => {
  await service.restart({ REDPEN_CONSOLE: 'off' });
  const root = await get('/');
  expect([root.status, root.headers.get('location')]).toEqual([302, 'docs']);
  for (const path of ['/console', '/client/overlay.js']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  expect(service.output()).not.toMatch(/console/);
});
