import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { within } from '../../lib/time.ts';
import type { SignIn } from '../net/sign-in.ts';
import type { View } from './browser.ts';
import type { Launched } from './launch-browser.ts';

export interface Opened {
  context: BrowserContext;
  browser: Launched;
}

/** A page with a context and a renderer of its own. */
export interface Tab extends Opened {
  page: Page;
  session: CDPSession;
  /** Pages that it has shown. */
  shown: number;
  /** True once anything stays behind that clearing does not remove, such as a stopped clock. */
  isSpent: boolean;
}

/** Pages of one run that may follow one another in a tab. */
interface Use {
  run: object;
  view: View;
  url: string;
  signIn?: SignIn | undefined;
}

/** Pages after which a tab is renewed, since a renderer grows. */
const MAX_SHOWN = 50;
const MAX_HEAP_BYTES = 128 * 2 ** 20;
/** Longest wait for clearing, which a busy machine does slowly. */
const CLEARING_MS = 15_000;
/** Time after which a tab that no page of its run needs is closed. */
const UNUSED_MS = 10_000;

/** Events of a page that visits listen to. Those of its end also have listeners of Playwright's own. */
const VISIT_EVENTS = [
  'request',
  'requestfinished',
  'requestfailed',
  'response',
  'websocket',
  'download',
] as const;

/**
 * Keeps tabs for further pages of the same run, site and view. A new renderer takes more processor time than most pages
 * do. Tabs are never shared between runs, and a tab that holds more than can be cleared is not kept.
 */
export function createKeptTabs(close: (tab: Tab) => unknown) {
  const kept: { tab: Tab; run: object; key: string; signIn: SignIn | undefined; timer: NodeJS.Timeout }[] =
    [];

  const remove = (entry: (typeof kept)[number] | undefined) => {
    if (!entry) return undefined;
    kept.splice(kept.indexOf(entry), 1);
    clearTimeout(entry.timer);
    return entry.tab;
  };

  return {
    get count() {
      return kept.length;
    },

    take({ run, view, url, signIn }: Use): Tab | undefined {
      const key = keyOf(view, url);
      const isFit = (entry: (typeof kept)[number]) =>
        entry.run === run && entry.key === key && entry.signIn === signIn && isAlive(entry.tab);
      return remove(kept.findLast(isFit));
    },

    /** Clears a tab and keeps it. False if it has to be closed. */
    async keep(tab: Tab, { run, view, url, signIn }: Use): Promise<boolean> {
      const key = keyOf(view, url);
      const mayStay =
        !tab.isSpent &&
        tab.shown < MAX_SHOWN &&
        tab.page.url() !== 'about:blank' &&
        keyOf(view, tab.page.url()) === key &&
        tab.context.pages().length === 1 &&
        tab.context.serviceWorkers().length === 0;
      if (!mayStay || !(await within(CLEARING_MS, clear(tab), false)) || !isAlive(tab)) return false;
      const entry = {
        tab,
        run,
        key,
        signIn,
        timer: setTimeout(() => {
          remove(entry);
          close(tab);
        }, UNUSED_MS).unref(),
      };
      kept.push(entry);
      return true;
    },

    closeOldest() {
      const tab = remove(kept[0]);
      if (tab) close(tab);
    },

    forget() {
      for (const { timer } of kept.splice(0)) clearTimeout(timer);
    },
  };
}

const isAlive = ({ isSpent, page, browser }: Tab) =>
  !isSpent && !page.isClosed() && browser.browser.isConnected();

const keyOf = ({ deviceType, skip = [] }: View, url: string): string =>
  JSON.stringify([URL.parse(url)?.origin, deviceType, [...skip].sort()]);

/**
 * Removes what a page has left behind, so that the next one finds a browser that has seen nothing but the files in its
 * cache. This happens on a blank page, since a document may store something while it is left.
 */
async function clear({ page, session }: Tab): Promise<boolean> {
  try {
    for (const event of VISIT_EVENTS) page.removeAllListeners(event);
    await page.goto('about:blank', { timeout: CLEARING_MS });
    const [heapBytes] = await Promise.all([
      page.evaluate(() => {
        window.name = '';
        return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
      }),
      // The origin stands for all of them, and then the storage of the session is cleared too.
      session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' }),
      session.send('Page.resetNavigationHistory'),
    ]);
    return heapBytes <= MAX_HEAP_BYTES;
  } catch {
    return false;
  }
}
