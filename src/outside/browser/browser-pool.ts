import type { BrowserContext } from 'playwright-core';
import { createSemaphore } from '../../lib/threads/semaphore.ts';
import { within } from '../../lib/time.ts';
import { browserPagesOpen, browserPagesWaiting } from '../net/outbound-metrics.ts';
import type { Browser, View } from './browser.ts';
import { openContext, openPage } from './browser-context.ts';
import { browserNotStarted } from './chromium-sandbox.ts';
import { type BrowserSettings, type Launched, type Log, launchBrowser } from './launch-browser.ts';
import { loadPage, refusedHost } from './load-page.ts';
import { createVisit, pageAborted } from './page-visit.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const CONTEXT_CLOSE_MS = 5_000;
const ANSWER_MS = 5_000;
const SLOW_CLOSE_MS = 30_000;

/**
 * The pool of browser pages: one Chromium for all of them, with a fresh context for each, started with the first page
 * and again with the next one after it died. `bench/crawl.ts` and `bench/rendered-links.ts` compare it with crawlee's
 * pool, which would keep its own queue, retries and session storage besides ours.
 */
export function createBrowser(options: BrowserSettings & { maxPages: number }): Browser {
  const slots = createSemaphore(options.maxPages);
  const closing = new AbortController();
  let current: Promise<Launched> | undefined;

  function launched(): Promise<Launched> {
    if (current) return current;
    if (closing.signal.aborted) return Promise.reject(pageAborted());
    const starting = launchBrowser(options);
    current = starting;
    const forget = () => {
      if (current === starting) current = undefined;
    };
    starting.then(({ browser }) => {
      browser.once('disconnected', forget);
      if (!browser.isConnected()) forget();
    }, forget);
    return starting;
  }

  async function openOnLive(view: View): Promise<{ context: BrowserContext; browser: Launched }> {
    const browser = await launched();
    try {
      return { context: await openContext(browser.browser, view), browser };
    } catch (error) {
      if (browser.browser.isConnected()) throw error;
      const another = await launched();
      return { context: await openContext(another.browser, view), browser: another };
    }
  }

  return {
    async withPage(url, view, { signal, timeoutMs = DEFAULT_TIMEOUT_MS }, use) {
      if (options.guard.checkUrl(url)) throw refusedHost();
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      browserPagesWaiting.inc();
      const slot = await slots
        .acquire(stop)
        .catch((cause) => {
          throw pageAborted(cause);
        })
        .finally(() => browserPagesWaiting.dec());
      browserPagesOpen.inc();
      const releaseSlot = () => {
        browserPagesOpen.dec();
        slot();
      };
      const visit = createVisit(stop, timeoutMs);
      const deadline = performance.now() + timeoutMs;

      let opened: { context: BrowserContext; browser: Launched } | undefined;
      const work = async () => {
        opened = await openOnLive(view).catch((cause) => {
          throw browserNotStarted(cause);
        });
        const { context, browser } = opened;
        if (visit.isOver) throw pageAborted();
        browser.browser.once('disconnected', visit.crashed);
        context.once('close', visit.crashed);
        const { page, session } = await openPage(context, view, browser.proxy);
        page.once('crash', visit.crashed);
        const timeLeft = deadline - performance.now();
        const loaded = await loadPage(page, session, url, view, {
          proxy: browser.proxy,
          timeoutMs: timeLeft,
        });
        return use(loaded);
      };

      const working = work();
      try {
        return await visit.run(working);
      } finally {
        visit.end();
        const leave = async () => {
          if (opened) {
            opened.browser.browser.off('disconnected', visit.crashed);
            await closeContext(opened.context, opened.browser, options.log);
          }
        };
        // If the browser is still starting, its context is closed once it is there.
        if (opened) await leave().finally(releaseSlot);
        else
          void working
            .catch(() => {})
            .then(leave)
            .finally(releaseSlot);
      }
    },

    async close() {
      closing.abort(new Error('The browser is closing.'));
      const live = await current?.catch(() => undefined);
      await live?.end();
    },
  };
}

/**
 * Closes a context. A browser that does not close it is killed: soon if it answers nothing, and later if it answers,
 * since a busy machine closes pages slowly and the pages of other callers would end with the browser.
 */
async function closeContext(context: BrowserContext, { browser, kill }: Launched, log: Log) {
  const settles = (work: Promise<unknown>, ms: number) =>
    within(
      ms,
      work.catch(() => {}).then(() => true),
      false,
    );
  const closed = context.close();
  if (await settles(closed, CONTEXT_CLOSE_MS)) return;
  const answer = browser.newBrowserCDPSession().then((session) => session.detach());
  if ((await settles(answer, ANSWER_MS)) && (await settles(closed, SLOW_CLOSE_MS))) return;
  if (!browser.isConnected()) return;
  log('A page could not be closed, so its browser was ended.');
  kill();
}
