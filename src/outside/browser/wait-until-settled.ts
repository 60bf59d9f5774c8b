import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, JSHandle, Page } from 'playwright-core';

/** How long the page must stay as it is. */
const QUIET_MS = 150;
/** How long where nothing is under way once it has loaded; what its timers hold is then wound forth anyway. */
const CALM_MS = 25;
/** And how long where something works beside the page's own thread: a frame, a worker, a socket. */
const QUIET_BESIDE_MS = 500;
/** How far the page's clock is wound on in the end, so that nobody waits for what its timers still hold. */
const AHEAD_MS = 1000;
/** Keeps a page whose tasks call one another without end from holding its clock. */
const TASKS_AT_ONE_TIME = 1000;

/**
 * Watches a page from before its load. Answers what waits until the page has put in what its scripts put in by
 * themselves, or the time is over: first until it is quiet, with no request under way and no new address in the
 * document, then until it is quiet again after its clock was wound on. That is Chromium's virtual time, which
 * jumps from timer to timer and stands still during requests. The clock stays stopped afterwards, so this is
 * only for who reads the document.
 */
export function watchSettling(page: Page, session: CDPSession): (patienceMs: number) => Promise<void> {
  const underWay = new Set<unknown>();
  let requests = 0;
  let hasSocket = false;
  let hasStream = false;
  page.on('request', (request) => {
    requests++;
    if (request.resourceType() === 'eventsource') hasStream = true;
    else underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  page.on('websocket', () => {
    hasSocket = true;
  });
  const worksBeside = () => hasSocket || hasStream || page.workers().length > 0 || page.frames().length > 1;

  async function settle(over: Promise<unknown>, isOver: () => boolean) {
    let watch = await watchDocument(page);
    if (watch && !worksBeside() && !(await watch.evaluate(({ isAlive }) => isAlive).catch(() => true)))
      return;
    let seen = requests;

    const hasChanged = async () => {
      const asked = requests !== seen;
      seen = requests;
      const changes = await watch?.evaluate((it) => it.changes.splice(0).length).catch(() => undefined);
      // A document that went away is the greatest change of all.
      if (changes === undefined) watch = await watchDocument(page);
      return asked || changes !== 0 || underWay.size > 0;
    };
    const untilQuiet = async (go: (ms: number) => unknown) => {
      do {
        const window = worksBeside() ? QUIET_BESIDE_MS : QUIET_MS;
        await sleep(window);
        await go(window);
      } while (!isOver() && (await hasChanged()));
    };
    const wind = async (ms: number) => {
      const { promise: spent, resolve } = Promise.withResolvers<void>();
      session.once('Emulation.virtualTimeBudgetExpired', () => resolve());
      await session.send('Emulation.setVirtualTimePolicy', {
        // A stream is a request that never ends, and would hold the clock for ever.
        policy: hasStream ? 'advance' : 'pauseIfNetworkFetchesPending',
        budget: ms,
        maxVirtualTimeTaskStarvationCount: TASKS_AT_ONE_TIME,
      });
      await Promise.race([spent, over]);
    };

    const isCalm = async () => {
      if (underWay.size > 0 || worksBeside()) return false;
      await sleep(CALM_MS);
      return !(await hasChanged()) && !worksBeside();
    };
    if (!(await isCalm())) await untilQuiet(() => {});
    if (isOver()) return;
    await wind(AHEAD_MS);
    if (await hasChanged()) await untilQuiet(wind);
  }

  return async (patienceMs) => {
    const stop = new AbortController();
    const over = sleep(patienceMs, undefined, { signal: stop.signal })
      .catch(() => {})
      .then(() => stop.abort());
    const settled = settle(over, () => stop.signal.aborted);
    settled.catch(() => {});
    await Promise.race([settled, over]);
    stop.abort();
  };
}

interface Watch {
  /** Whether the document could change by itself. */
  isAlive: boolean;
  changes: 1[];
}

/** Nothing where the page is just leaving for another document. */
const watchDocument = (page: Page): Promise<JSHandle<Watch> | undefined> =>
  page
    .evaluateHandle((): Watch => {
      const bearers = ['href', 'src', 'srcset', 'action', 'data', 'poster', 'id', 'name'];
      const selector = bearers.map((name) => `[${name}]`).join();
      const isBearer = (node: Node) =>
        node instanceof Element &&
        (node.matches(selector) || node.querySelector(selector) !== null || node.shadowRoot !== null);
      const changes: 1[] = [];
      // What only changes words or looks, such as a clock or a spinner, may go on for ever.
      new MutationObserver((records) => {
        if (records.some(({ type, addedNodes }) => type === 'attributes' || [...addedNodes].some(isBearer)))
          changes.push(1);
      }).observe(document, { subtree: true, childList: true, attributeFilter: bearers });
      const isAlive =
        document.querySelector('script, iframe, frame, object, embed, meta[http-equiv]') !== null;
      return { isAlive, changes };
    })
    .catch(() => undefined);
