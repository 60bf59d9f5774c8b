import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { openEditor } from '../../packages/client/src/editors.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { newLiveTenant } from '../e2e/live-tenant.ts';
import { ownDatabase } from '../e2e/own-database.ts';
import { startService } from '../e2e/service.ts';
import { until } from '../until.ts';
import { packageFolder } from './bundled.ts';
import { servePage } from './served-page.ts';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
});

const place = { organizationId: 'acme', documentId: 'home', editorId: 'body' };

/** The page keeps its text in the attributes of its body, and takes orders as events. */
const pageCode = (baseUrl: string, token: string) => {
  const from = (file: string) => JSON.stringify(join(packageFolder, 'src', file));
  return `
    import { createClient } from ${from('index.ts')};
    import { openEditor } from ${from('editors.ts')};
    const redpen = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, getUserToken: () => ${JSON.stringify(token)} });
    const editor = openEditor(redpen, ${JSON.stringify(place)});
    const text = editor.ydoc.getText('content');
    const show = () => Object.assign(document.body.dataset, { text: text.toString(), status: editor.status });
    text.observe(show);
    editor.subscribe(() => { throw new Error('in a listener'); });
    editor.subscribe(show);
    addEventListener('write', ({ detail }) => text.insert(text.length, detail));
    addEventListener('leave', () => editor.close());`;
};

test('a page in a browser shares a text with a program, and leaves no connection behind', async () => {
  const { env } = await ownDatabase(cleanUp);
  const service = await startService(env);
  cleanUp.push(() => service.kill('SIGKILL'));
  const tenant = await newLiveTenant(() => service);
  const redpen = createClient({ baseUrl: service.url, getUserToken: () => tenant.token('bob') });
  const editor = openEditor(redpen, place);
  cleanUp.push(() => editor.close());
  await editor.synced;
  const text = editor.ydoc.getText('content');
  text.insert(0, 'Hello');

  const { path, env: variables } = await findChromium({ chromePath: process.env.CHROME_PATH });
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...variables } as never,
  });
  cleanUp.push(() => browser.close());
  const page = await browser.newPage();
  const messages: string[] = [];
  page.on('pageerror', (error) => messages.push(error.message));
  page.on('console', (message) => messages.push(message.text()));
  const sockets: { isClosed(): boolean }[] = [];
  page.on('websocket', (socket) => sockets.push(socket));

  await page.goto(await servePage(cleanUp, pageCode(service.url, await tenant.token('ada'))));
  await page.waitForSelector('body[data-text="Hello"][data-status="live"]', { state: 'attached' });
  await page.evaluate(() => dispatchEvent(new CustomEvent('write', { detail: ', world' })));
  await until(() => text.toString() === 'Hello, world', 'the text of the page');
  await page.evaluate(() => dispatchEvent(new CustomEvent('leave')));
  await page.waitForSelector('body[data-status="ended"]', { state: 'attached' });
  await until(() => sockets.length === 1 && sockets[0]!.isClosed(), 'the connection to be closed');
  // The error of a listener is reported, and keeps nothing from going on.
  expect(new Set(messages)).toEqual(new Set(['in a listener']));
});
