import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

/** Time limit of the scrolling, since some pages grow without end. */
const SCROLL_LIMIT_MS = 10_000;
/** Time limit for pictures that still load at the end. */
const PICTURES_MS = 3_000;
/** Virtual time that passes after the load and at the end, so that timers fire. */
const ADVANCE_MS = 1_000;
/** Virtual time after each step on a page with a scroll listener, which may debounce scrolling. */
const DEBOUNCE_MS = 250;
/** Time without a frame after which the clock is resumed for a moment. */
const STUCK_MS = 1_000;
/** Real time for frames and workers, which have clocks of their own. */
const FRAMES_MS = 500;
const ADVANCE_LIMIT_MS = 2_000;
const MAX_TASKS_PER_TIME = 1000;

export type AwaitFrames = <T>(work: Promise<T>) => Promise<T>;

/**
 * Loads the content of a loaded page down to a height: what its scripts add without interaction and, with `scroll`,
 * what loads lazily when it comes into view. The clock of a page with scripts is advanced (Chromium's virtual time,
 * which pauses during requests) instead of waited for, and stays stopped afterwards. Returns a function for work that
 * needs a frame of the page: on a busy machine the frame may not come while the clock is stopped, so the clock is
 * resumed for a moment from time to time.
 */
export async function loadLazyContent(page: Page, maxHeight: number, scroll: boolean): Promise<AwaitFrames> {
  const deadline = performance.now() + SCROLL_LIMIT_MS;
  const isOver = () => performance.now() > deadline;
  const isAlive = (await page.evaluate(couldChange)) === true;
  const clock = isAlive ? await takeClock(page) : undefined;
  const awaitFrames: AwaitFrames = async (work) => {
    const resumeClock = () => void clock?.advance(ADVANCE_MS, 'advance').catch(() => {});
    const stuck = setInterval(resumeClock, STUCK_MS);
    try {
      return await work;
    } finally {
      clearInterval(stuck);
    }
  };
  await clock?.advance(ADVANCE_MS);
  if (scroll) {
    const debounces = clock !== undefined && (await clock.hasScrollListener());
    for (let top = 0; top >= 0 && !isOver(); ) {
      // Without a scroll listener, a frame per screen is enough for the browser and its observers.
      top = await awaitFrames(page.evaluate(scrollOn, { top, maxHeight, steps: debounces ? 1 : 100 }));
      await clock?.advance(debounces ? DEBOUNCE_MS : ADVANCE_MS);
      if (top < 0 && clock) top = await page.evaluate(heightBelow, maxHeight);
    }
    await awaitFrames(page.evaluate(scrollToTop));
    if (debounces) await clock.advance(DEBOUNCE_MS);
    await picturesLoaded(page, clock);
  }
  return awaitFrames;
}

/** Waits for the pictures of the document and advances the page's clock meanwhile. */
async function picturesLoaded(page: Page, clock: Clock | undefined): Promise<void> {
  const deadline = performance.now() + PICTURES_MS;
  while (performance.now() < deadline && (await page.evaluate(countLoading)) > 0) {
    await clock?.advance(50);
    await sleep(10);
  }
}

type Clock = Awaited<ReturnType<typeof takeClock>>;

async function takeClock(page: Page) {
  const session = await page.context().newCDPSession(page);
  let policy: 'pauseIfNetworkFetchesPending' | 'advance' = 'pauseIfNetworkFetchesPending';
  if (page.frames().length > 1 || page.workers().length > 0) await sleep(FRAMES_MS);
  return {
    async advance(ms: number, virtualTimePolicy = policy) {
      const { promise: spent, resolve } = Promise.withResolvers<'spent'>();
      session.once('Emulation.virtualTimeBudgetExpired', () => resolve('spent'));
      await session.send('Emulation.setVirtualTimePolicy', {
        policy: virtualTimePolicy,
        budget: ms,
        maxVirtualTimeTaskStarvationCount: MAX_TASKS_PER_TIME,
      });
      const stop = new AbortController();
      const over = sleep(ADVANCE_LIMIT_MS, 'over' as const, { signal: stop.signal }).catch(() => 'over');
      // A request that never ends would stop the clock for good.
      if ((await Promise.race([spent, over])) === 'over') policy = 'advance';
      stop.abort();
    },
    hasScrollListener: () => hasScrollListener(session),
  };
}

/** True if a script listens to scrolling; some of them load content only once the scrolling has stopped. */
async function hasScrollListener(session: CDPSession): Promise<boolean> {
  for (const expression of ['window', 'document', 'document.body']) {
    const { result } = await session.send('Runtime.evaluate', { expression });
    if (!result.objectId) continue;
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
    if (listeners.some(({ type }) => type === 'scroll' || type === 'wheel')) return true;
  }
  return false;
}

/** Runs in the page. */
const couldChange = () =>
  document.querySelector('script, iframe, frame, object, embed, meta[http-equiv]') !== null;

/**
 * Runs in the page. Scrolls down by a number of screens, each in view for a frame. Returns the offset, or -1 at the end.
 * A page that grows as it is scrolled is followed down to `maxHeight`.
 */
async function scrollOn({ top, maxHeight, steps }: { top: number; maxHeight: number; steps: number }) {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const step = Math.max(200, Math.floor(innerHeight * 0.95));
  const bottom = () => Math.min(document.documentElement.scrollHeight, maxHeight);
  let at = top;
  for (let taken = 0; taken < steps && at < bottom(); taken++, at += step) {
    scrollTo({ top: at, behavior: 'instant' });
    await frame();
  }
  // The last screen is drawn after the frame that it waited for.
  await frame();
  return at < bottom() ? at : -1;
}

/** Runs in the page. The offset from which the page has grown since its end was in view, or -1. */
function heightBelow(maxHeight: number) {
  const end = Math.min(document.documentElement.scrollHeight, maxHeight);
  const seen = scrollY + innerHeight;
  return end > seen + 1 ? seen : -1;
}

/** Runs in the page. */
async function scrollToTop() {
  scrollTo({ top: 0, behavior: 'instant' });
  await new Promise((done) => requestAnimationFrame(done));
}

/** Runs in the page. Counts loading pictures; pictures that are not displayed never load. */
function countLoading() {
  return [...document.images].filter((image) => !image.complete && image.getClientRects().length > 0).length;
}
