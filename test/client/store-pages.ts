import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page, Request } from 'playwright-core';
import type { ThreadsState, ThreadsStore } from '../../packages/client/src/stores.ts';
import { atEnd } from '../run/at-end.ts';
import { newTestContext } from '../service/test-browser.ts';
import { bundle, packageFolder } from './bundled.ts';

declare global {
  interface Window {
    store: ThreadsStore;
    /** Shows the user as present. */
    join(): Promise<void>;
    /** The number of writes in the outbox. */
    stored(): Promise<number>;
  }
}

const SCRIPT = `
import { createClient } from ${JSON.stringify(`${packageFolder}/src/index.ts`)};
const { baseUrl, token, place } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const { live } = createClient({ baseUrl, getUserToken: () => token });
window.store = live.threads(place);
const presence = live.presence(place);
window.join = async () => {
  await presence.join();
  // Browsers also report this when the page is left.
  document.addEventListener('visibilitychange', () =>
    presence.update({ status: document.hidden ? 'away' : 'online' }).catch(() => {}));
};
window.store.subscribe(() => {});
window.stored = () => new Promise((resolve) => {
  const request = indexedDB.open('redpen-outbox');
  request.onsuccess = () => {
    const database = request.result;
    const done = (count) => (database.close(), resolve(count));
    if (!database.objectStoreNames.contains('redpen-outbox')) return done(0);
    const counting = database.transaction('redpen-outbox').objectStore('redpen-outbox').count();
    counting.onsuccess = () => done(counting.result);
  };
});`;

export interface Place {
  baseUrl: string;
  token: string;
  place: { organizationId: string; documentId: string };
}

/** Pages with a store of threads in a real browser, until the end of the file. */
export interface StorePages {
  /** A browser profile for the running test, with its requests so far. */
  newProfile(): Promise<{
    context: BrowserContext;
    requests: Request[];
    /** Opens a page; the browser trusts a `host` that is a name no more than any other without TLS. */
    open(place: Place, host?: string): Promise<Page>;
  }>;
}

export async function startStorePages(): Promise<StorePages> {
  const chunks = new Map((await bundle(SCRIPT)).map(({ fileName, code }) => [`/${fileName}`, code]));
  const entry = [...chunks.keys()].find((name) => name.includes('entry'));
  const server = createServer((request, response) => {
    const code = chunks.get(request.url!);
    if (code !== undefined) response.setHeader('content-type', 'text/javascript').end(code);
    else
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><meta charset="utf-8"><script type="module" src="${entry}"></script>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    async newProfile() {
      const context = await newTestContext();
      const requests: Request[] = [];
      context.on('request', (request) => requests.push(request));
      return {
        context,
        requests,
        async open(place, host = '127.0.0.1') {
          const page = await context.newPage();
          await page.goto(`http://${host}:${port}/#${encodeURIComponent(JSON.stringify(place))}`);
          await page.waitForFunction(() => 'store' in window);
          return page;
        },
      };
    },
  };
}

export const stateOf = (page: Page): Promise<ThreadsState> => page.evaluate(() => window.store.get());

/** The ids of the comments of all threads of a page. */
export const commentsOf = async (page: Page): Promise<number[]> =>
  (await stateOf(page)).threads.flatMap(({ comments }) => comments.map(({ commentId }) => commentId));
