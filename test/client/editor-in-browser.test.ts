import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEditor } from '../../packages/client/src/editors.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { newLiveTenant } from '../service/live-tenant.ts';
import { newTestContext } from '../service/test-browser.ts';
import { sharedService } from '../service/worker-service.ts';
import { packageFolder } from './bundled.ts';
import { servePage } from './served-page.ts';

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
  const service = await sharedService();
  const tenant = await newLiveTenant(() => service);
  const redpen = createClient({ baseUrl: service.url, getUserToken: () => tenant.token('bob') });
  const editor = openEditor(redpen, place);
  onTestFinished(() => editor.close());
  await editor.synced;
  const text = editor.ydoc.getText('content');
  text.insert(0, 'Hello');

  // The error of a listener is reported, and keeps nothing from going on.
  expectLog(/in a listener/);
  const page = await (await newTestContext()).newPage();
  const messages: string[] = [];
  page.on('pageerror', (error) => messages.push(error.message));
  page.on('console', (message) => messages.push(message.text()));
  const sockets: { isClosed(): boolean }[] = [];
  page.on('websocket', (socket) => sockets.push(socket));

  await page.goto(await servePage(pageCode(service.url, await tenant.token('ada'))));
  await page.waitForSelector('body[data-text="Hello"][data-status="live"]', { state: 'attached' });
  await page.evaluate(() => dispatchEvent(new CustomEvent('write', { detail: ', world' })));
  await until(() => text.toString() === 'Hello, world', 'the text of the page');
  await page.evaluate(() => dispatchEvent(new CustomEvent('leave')));
  await page.waitForSelector('body[data-status="ended"]', { state: 'attached' });
  await until(() => sockets.length === 1 && sockets[0]!.isClosed(), 'the connection to be closed');
  expect(new Set(messages)).toEqual(new Set(['in a listener']));
});
