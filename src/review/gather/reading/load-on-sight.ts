import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';

/** For all of it, however far the page goes on. */
const PATIENCE_MS = 10_000;
/** For what is still on its way once the whole page has been in sight. */
const PICTURES_MS = 3_000;
/** How far the page's clock is wound on after its load and at its end, so that nobody waits for what timers hold. */
const AHEAD_MS = 1_000;
/** The same after each step of a page that waits for its reader to stand still. */
const STANDING_MS = 250;
/** How long frames and workers get, whose clocks are their own. */
const BESIDE_MS = 500;
const WIND_PATIENCE_MS = 2_000;
const TASKS_AT_ONE_TIME = 1000;

/**
 * Brings a page, once it is loaded, to where all of it down to a height is there: what its scripts put in by
 * themselves, and with `scroll` what loads on sight. A page with scripts has its clock wound on instead of waiting
 * for it (Chromium's virtual time, which stands still during requests); the clock stays stopped afterwards. Answers what
 * lets it go on for a moment.
 */
export async function loadOnSight(page: Page, maxHeight: number, scroll: boolean): Promise<() => void> {
  const deadline = performance.now() + PATIENCE_MS;
  const isOver = () => performance.now() > deadline;
  const isAlive = (await page.evaluate(couldChange)) === true;
  const clock = isAlive ? await takeClock(page) : undefined;
  const letGoOn = () => void clock?.wind(AHEAD_MS, 'advance').catch(() => {});
  await clock?.wind(AHEAD_MS);
  if (scroll) {
    const standing = clock !== undefined && (await clock.isScrollHeard());
    for (let top = 0; top >= 0 && !isOver(); ) {
      // Where nobody listens, the frames of one go are enough for what the browser and its observers see.
      top = await page.evaluate(scrollOn, { top, maxHeight, steps: standing ? 1 : 100 });
      await clock?.wind(standing ? STANDING_MS : AHEAD_MS);
      if (top < 0 && clock) top = await page.evaluate(heightBelow, maxHeight);
    }
    await page.evaluate(scrollToTop);
    if (standing) await clock.wind(STANDING_MS);
    await picturesLoaded(page, clock);
  }
  return letGoOn;
}

/** Waits for the pictures of the document, with the page's clock going on as far as they need it. */
async function picturesLoaded(page: Page, clock: Clock | undefined): Promise<void> {
  const deadline = performance.now() + PICTURES_MS;
  while (performance.now() < deadline && (await page.evaluate(countLoading)) > 0) {
    await clock?.wind(50);
    await sleep(10);
  }
}

type Clock = Awaited<ReturnType<typeof takeClock>>;

async function takeClock(page: Page) {
  const session = await page.context().newCDPSession(page);
  let policy: 'pauseIfNetworkFetchesPending' | 'advance' = 'pauseIfNetworkFetchesPending';
  if (page.frames().length > 1 || page.workers().length > 0) await sleep(BESIDE_MS);
  return {
    async wind(ms: number, how = policy) {
      const { promise: spent, resolve } = Promise.withResolvers<'spent'>();
      session.once('Emulation.virtualTimeBudgetExpired', () => resolve('spent'));
      await session.send('Emulation.setVirtualTimePolicy', {
        policy: how,
        budget: ms,
        maxVirtualTimeTaskStarvationCount: TASKS_AT_ONE_TIME,
      });
      const stop = new AbortController();
      const over = sleep(WIND_PATIENCE_MS, 'over' as const, { signal: stop.signal }).catch(() => 'over');
      // A request that never ends would hold the clock for ever.
      if ((await Promise.race([spent, over])) === 'over') policy = 'advance';
      stop.abort();
    },
    isScrollHeard: () => isScrollHeard(session),
  };
}

/** Whether a script wants to know that the reader scrolls; some then wait until the reader stands still. */
async function isScrollHeard(session: CDPSession): Promise<boolean> {
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
 * Runs in the page. So many screens further down from a height, each in sight for a frame; answers where it
 * stands, and -1 at the end. A page that grows as it is scrolled is followed down to the height that is captured.
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
  // The last of them is drawn behind the frame that it waited for.
  await frame();
  return at < bottom() ? at : -1;
}

/** Runs in the page: from where it has grown since its end was seen, or -1. */
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

/** Runs in the page. Those that are not drawn are never loaded either. */
function countLoading() {
  return [...document.images].filter((image) => !image.complete && image.getClientRects().length > 0).length;
}
