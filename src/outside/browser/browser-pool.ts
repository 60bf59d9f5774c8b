import { createSemaphore } from '../../lib/threads/semaphore.ts';
import { within } from '../../lib/time.ts';
import { browserPagesOpen, browserPagesWaiting } from '../net/outbound-metrics.ts';
import type { SignIn } from '../net/sign-in.ts';
import type { Browser, View } from './browser.ts';
import { openContext, openPage, type PageRules, restoreCookies } from './browser-context.ts';
import { browserNotStarted } from './chromium-sandbox.ts';
import { createKeptTabs, type Opened, type Tab } from './kept-tabs.ts';
import { type BrowserSettings, type Launched, type Log, launchBrowser } from './launch-browser.ts';
import { loadPage, refusedHost } from './load-page.ts';
import { createVisit, pageAborted } from './page-visit.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const CONTEXT_CLOSE_MS = 5_000;
const ANSWER_MS = 5_000;
const SLOW_CLOSE_MS = 30_000;
/** Time without pages after which the browser ends: it takes as much memory as the rest of the service. */
const IDLE_MS = 60_000;

interface PoolSettings extends BrowserSettings {
  maxPages: number;
  idleMs?: number;
}

/**
 * The pool of browser pages: one Chromium for all of them, started with the first page and again with the next one after
 * it died or was idle for a minute. Each page has a fresh context, or one that is cleared after another page of the same
 * run. `bench/crawl.ts` and `bench/rendered-links.ts` compare it with crawlee's pool, which would keep its own queue,
 * retries and session storage besides ours.
 */
export function createBrowser(options: PoolSettings): Browser {
  const { maxPages, idleMs = IDLE_MS, log } = options;
  const closing = new AbortController();
  const kept = createKeptTabs(({ context, browser }) => closeContext(context, browser, log));
  const current = createCurrent(options, closing.signal);
  let ended = Promise.resolve();
  const end = () => {
    kept.forget();
    return current.end();
  };
  const slots = createSlots(maxPages, idleMs, () => {
    ended = end().catch((error: Error) =>
      log('The idle browser could not be ended.', { reason: error.message }),
    );
  });

  return {
    async withPage(url, view, { signal, timeoutMs = DEFAULT_TIMEOUT_MS, run, signIn, mayNavigate }, use) {
      if (options.guard.checkUrl(url)) throw refusedHost();
      const rules = { mayNavigate, signIn };
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const releaseSlot = await slots.take(stop);
      const visit = createVisit(stop, timeoutMs);
      const deadline = performance.now() + timeoutMs;
      // Storage of origins cannot be put back after it was cleared.
      const maySharePages = view.onlyReads && !mayNavigate && !signIn?.storage.length;
      const shared = run && maySharePages ? { run, view, url, signIn } : undefined;

      let opened: Opened | undefined;
      let tab: Tab | undefined;
      let wentWell = false;
      const work = async () => {
        tab = shared && kept.take(shared);
        if (!tab && slots.taken + kept.count > maxPages) kept.closeOldest();
        opened =
          tab ??
          (await openOnLive(current.launched, view, shared !== undefined, signIn).catch((cause) => {
            throw browserNotStarted(cause);
          }));
        if (visit.isOver) throw pageAborted();
        const { context, browser } = opened;
        browser.browser.once('disconnected', visit.crashed);
        context.once('close', visit.crashed);
        if (tab && signIn) await restoreCookies(context, signIn);
        tab ??= await openTab(opened, view, rules);
        const { page, session } = tab;
        page.once('crash', visit.crashed);
        tab.shown++;
        const loaded = await loadPage(page, session, url, view, {
          proxy: browser.proxy,
          timeoutMs: deadline - performance.now(),
          ...(shared && { onClockStop: spend(tab) }),
        });
        return use(loaded);
      };
      const leave = async () => {
        if (!opened) return;
        opened.browser.browser.off('disconnected', visit.crashed);
        opened.context.off('close', visit.crashed);
        tab?.page.off('crash', visit.crashed);
        const isKept = shared && tab && wentWell && (await kept.keep(tab, shared));
        if (!isKept) await closeContext(opened.context, opened.browser, log);
      };

      const working = work();
      try {
        const result = await visit.run(working);
        wentWell = true;
        return result;
      } finally {
        visit.end();
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
      slots.close();
      await Promise.all([ended, end()]);
    },
  };
}

/** The browser of a pool, which `launched` starts unless it runs. */
function createCurrent(options: BrowserSettings, closing: AbortSignal) {
  let current: Promise<Launched> | undefined;
  return {
    launched(): Promise<Launched> {
      if (current) return current;
      if (closing.aborted) return Promise.reject(pageAborted());
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
    },

    async end(): Promise<void> {
      const ending = current;
      current = undefined;
      const live = await ending?.catch(() => undefined);
      await live?.end();
    },
  };
}

/** The slots for pages, with their metrics. `onIdle` is called when none has been taken for a while. */
function createSlots(maxPages: number, idleMs: number, onIdle: () => void) {
  const slots = createSemaphore(maxPages);
  let taken = 0;
  let idle: NodeJS.Timeout | undefined;
  return {
    close() {
      clearTimeout(idle);
    },
    get taken() {
      return taken;
    },
    /** Resolves to a function that releases the slot. */
    async take(stop: AbortSignal): Promise<() => void> {
      browserPagesWaiting.inc();
      const release = await slots
        .acquire(stop)
        .catch((cause) => {
          throw pageAborted(cause);
        })
        .finally(() => browserPagesWaiting.dec());
      browserPagesOpen.inc();
      taken++;
      clearTimeout(idle);
      return () => {
        browserPagesOpen.dec();
        taken--;
        if (taken === 0) idle = setTimeout(onIdle, idleMs).unref();
        release();
      };
    },
  };
}

async function openOnLive(
  launched: () => Promise<Launched>,
  view: View,
  notesTimers: boolean,
  signIn: SignIn | undefined,
): Promise<Opened> {
  const browser = await launched();
  try {
    return { context: await openContext(browser.browser, view, { notesTimers, signIn }), browser };
  } catch (error) {
    if (browser.browser.isConnected()) throw error;
    const another = await launched();
    return { context: await openContext(another.browser, view, { notesTimers, signIn }), browser: another };
  }
}

async function openTab({ context, browser }: Opened, view: View, rules: PageRules): Promise<Tab> {
  const { page, session } = await openPage(context, view, browser.proxy, {
    ...rules,
    trusts: browser.trusts,
  });
  const tab: Tab = { context, browser, page, session, shown: 0, isSpent: false };
  page.once('crash', spend(tab));
  return tab;
}

const spend = (tab: Tab) => () => {
  tab.isSpent = true;
};

/**
 * Closes a context. A browser that does not close it is killed: soon if it answers nothing, and later if it answers,
 * since a busy machine closes pages slowly and the pages of other callers would end with the browser.
 */
async function closeContext(context: Opened['context'], { browser, kill }: Launched, log: Log) {
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
