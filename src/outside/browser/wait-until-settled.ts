import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, JSHandle, Page } from 'playwright-core';
import { waitForTimers } from './pending-timers.ts';

/** Time without a change after which the page counts as quiet. */
const QUIET_MS = 150;
/** The same for a page with no request in flight once it has loaded; its timers are run by virtual time anyway. */
const CALM_MS = 25;
/** The same for a page with a frame, a worker or a socket, which work outside of its main thread. */
const QUIET_BESIDE_MS = 500;
/** Virtual time by which the page's clock is advanced at the end, so that pending timers fire without a wait. */
const AHEAD_MS = 1000;
/** Time for which timers are awaited where the clock is better left alone: about as long as a new renderer takes. */
const TIMERS_AWAITED_MS = 400;
/** Lets virtual time advance in a page whose tasks schedule each other without end. */
const TASKS_AT_ONE_TIME = 1000;

/**
 * Watches a page from before its load, and returns a function that waits until its scripts have inserted their
 * content, or until the timeout: first until the page is quiet, with no request in flight and no new URL in the
 * document, then until it is quiet again after its clock was advanced. This uses Chromium's virtual time, which jumps
 * from timer to timer and pauses during requests. The clock stays stopped afterwards, in all pages of the renderer, so
 * the page can then only be read. With `onStop`, which is called before that, timers that are due soon are awaited
 * instead, and the clock is stopped only if there are others.
 */
export function watchSettling(
  page: Page,
  session: CDPSession,
  onStop?: () => void,
): (waitMs: number) => Promise<void> {
  const inFlight = new Set<unknown>();
  let requests = 0;
  let hasSocket = false;
  let hasStream = false;
  page.on('request', (request) => {
    requests++;
    if (request.resourceType() === 'eventsource') hasStream = true;
    else inFlight.add(request);
  });
  page.on('requestfinished', (request) => inFlight.delete(request));
  page.on('requestfailed', (request) => inFlight.delete(request));
  page.on('websocket', () => {
    hasSocket = true;
  });
  const hasBackgroundWork = () =>
    hasSocket || hasStream || page.workers().length > 0 || page.frames().length > 1;

  async function settle(over: Promise<unknown>, isOver: () => boolean) {
    let watch = await watchDocument(page);
    if (watch && !hasBackgroundWork() && !(await watch.evaluate(({ isAlive }) => isAlive).catch(() => true)))
      return;
    let seen = requests;

    const hasChanged = async () => {
      const asked = requests !== seen;
      seen = requests;
      const changes = await watch?.evaluate((it) => it.changes.splice(0).length).catch(() => undefined);
      // The document itself was replaced.
      if (changes === undefined) watch = await watchDocument(page);
      return asked || changes !== 0 || inFlight.size > 0;
    };
    const untilQuiet = async (go: (ms: number) => unknown) => {
      do {
        const window = hasBackgroundWork() ? QUIET_BESIDE_MS : QUIET_MS;
        await sleep(window);
        await go(window);
      } while (!isOver() && (await hasChanged()));
    };
    const advanceClock = async (ms: number) => {
      onStop?.();
      const { promise: spent, resolve } = Promise.withResolvers<void>();
      session.once('Emulation.virtualTimeBudgetExpired', () => resolve());
      await session.send('Emulation.setVirtualTimePolicy', {
        // A stream is a request that never ends, and would stop the clock forever.
        policy: hasStream ? 'advance' : 'pauseIfNetworkFetchesPending',
        budget: ms,
        maxVirtualTimeTaskStarvationCount: TASKS_AT_ONE_TIME,
      });
      await Promise.race([spent, over]);
    };

    const isCalm = async () => {
      if (inFlight.size > 0 || hasBackgroundWork()) return false;
      await sleep(CALM_MS);
      return !(await hasChanged()) && !hasBackgroundWork();
    };
    const wasCalm = await isCalm();
    if (!wasCalm) await untilQuiet(() => {});
    /** Waits for timers while these are due soon. True if the page has then settled. */
    const awaitTimers = async () => {
      const end = performance.now() + TIMERS_AWAITED_MS;
      for (;;) {
        const wait = hasBackgroundWork() ? undefined : await waitForTimers(page, AHEAD_MS);
        if (wait === 0 && !(await hasChanged()) && !hasBackgroundWork()) return true;
        if (wait === undefined || performance.now() + wait > end || isOver()) return isOver();
        await sleep(Math.max(wait, CALM_MS));
      }
    };
    if (isOver() || (onStop && (await awaitTimers()))) return;
    // A worker or a frame may have started meanwhile.
    if (wasCalm && hasBackgroundWork()) await untilQuiet(() => {});
    await advanceClock(AHEAD_MS);
    if (await hasChanged()) await untilQuiet(advanceClock);
  }

  return async (waitMs) => {
    const stop = new AbortController();
    const over = sleep(waitMs, undefined, { signal: stop.signal })
      .catch(() => {})
      .then(() => stop.abort());
    const settled = settle(over, () => stop.signal.aborted);
    settled.catch(() => {});
    await Promise.race([settled, over]);
    stop.abort();
  };
}

interface Watch {
  /** True if the document contains something that can change it. */
  isAlive: boolean;
  changes: 1[];
}

/** Undefined while the page navigates to another document. */
const watchDocument = (page: Page): Promise<JSHandle<Watch> | undefined> =>
  page
    .evaluateHandle((): Watch => {
      const urlAttributes = ['href', 'src', 'srcset', 'action', 'data', 'poster', 'id', 'name'];
      const selector = urlAttributes.map((name) => `[${name}]`).join();
      const holdsUrl = (node: Node) =>
        node instanceof Element &&
        (node.matches(selector) || node.querySelector(selector) !== null || node.shadowRoot !== null);
      const changes: 1[] = [];
      // Changes of text or looks alone, such as a clock or a spinner, may never end.
      new MutationObserver((records) => {
        if (records.some(({ type, addedNodes }) => type === 'attributes' || [...addedNodes].some(holdsUrl)))
          changes.push(1);
      }).observe(document, { subtree: true, childList: true, attributeFilter: urlAttributes });
      const isAlive =
        document.querySelector('script, iframe, frame, object, embed, meta[http-equiv]') !== null;
      return { isAlive, changes };
    })
    .catch(() => undefined);
