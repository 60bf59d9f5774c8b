import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createRawClient } from '../packages/client/src/raw.ts';
import { liveStores } from '../packages/client/src/stores.ts';
import { startCorpus } from '../test/anchor/corpus.ts';
import type {} from '../test/anchor/page/many.ts';
import { createOverlayStage, PLACE, threadAt } from '../test/overlay/overlay-stage.ts';
import { endFileSteps } from '../test/run/at-end.ts';
import { until } from '../test/run/until.ts';
import { startService } from '../test/service/service.ts';
import { closeTestBrowser } from '../test/service/test-browser.ts';
import { report } from './figures.ts';
import { createLocalLighthouse } from './local-lighthouse.ts';

// What the overlay costs the page on which it is: time of the main thread, and how long its tasks block the page, until it
// is idle on a machine of a quarter of the speed; layout shifts, the score of Lighthouse, frames while scrolling with many
// pins; and the time until another browser shows a comment. The reference is the same page without the overlay in the same
// run; that of comments is a client in Node.
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const AUDITS = Number(process.env.AUDITS ?? 3);
const COMMENTS = Number(process.env.COMMENTS ?? 40);
const PINS = Number(process.env.PINS ?? 500);
const SOME_PINS = 20;
const CPU_RATE = 4;
/** After the last pin is there. */
const QUIET_MS = 1_500;
/** From the load of a page on a slow machine until it and the overlay are idle. */
const IDLE_AFTER_MS = 4_000;
/** A task is felt from this length on, as Lighthouse counts. */
const FELT_MS = 50;

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const quantile = (values: readonly number[], share: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
const median = (values: readonly number[]) => quantile(values, 0.5);

/** A saved page of another project, without what it would load from elsewhere. */
const saved = readFileSync(
  join(import.meta.dirname, '../test/anchor/fixtures/saved/flask-templating.html'),
  'utf8',
).replaceAll(/<script\b[\s\S]*?<\/script>|<(?:link|img|iframe)\b[^>]*>/gi, '');
const long = `<!doctype html><html lang="en"><head><title>Long</title></head><body>${Array.from(
  { length: PINS },
  (_, at) => `<p>Paragraph ${at} of a long page, whose words number${at} and last${at} are commented on.</p>`,
).join('')}</body></html>`;
const short =
  '<!doctype html><html lang="en"><head><title>Short</title></head><body><h1>Short</h1></body></html>';

const withOverlay = (html: string): string =>
  html.replace(
    /<\/head>/i,
    '<script type="module" src="SERVICE/client/overlay.js" data-organization="acme" data-document="home" data-token-url="/token-ada"></script></head>',
  );

const pages = {
  '/page': { html: withOverlay(saved) },
  '/page-without': { html: saved },
  '/long': { html: withOverlay(long) },
  '/long-without': { html: long },
  '/comments': { html: withOverlay(short) },
};
const service = await startService({ REDPEN_ALLOW_HOSTS: '127.0.0.1' });
const stage = await createOverlayStage(pages, { service });

async function addThreads(path: string, count: number, textOf: (at: number) => string): Promise<void> {
  const all = Array.from({ length: count }, (_, at) =>
    threadAt(stage.pageAt(path), `${path} ${at}`, {
      targetElement: { targetText: textOf(at), occurrence: 1 },
    }),
  );
  for (let at = 0; at < count; at += 50)
    await stage.tenant.must('/v2/commentannotations/add', {
      ...PLACE,
      commentAnnotations: all.slice(at, at + 50),
    });
}

const pinsOf = (page: Page) => page.locator('rp-overlay .pin:visible').count();
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Cost {
  mainThreadMs: number;
  /** What tasks take beyond 50 ms. */
  blockingMs: number;
  shift: number;
}

declare global {
  interface Window {
    cost: Omit<Cost, 'mainThreadMs'>;
  }
}

/** Loads a page with an empty cache, until it and the overlay are idle. Waits without asking the page, which would cost time. */
async function load(path: string, pins: number): Promise<Cost> {
  const context = await stage.newProfile();
  await context.addInitScript((feltMs) => {
    window.cost = { blockingMs: 0, shift: 0 };
    const observe = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    observe('longtask', ({ duration }) => {
      window.cost.blockingMs += Math.max(0, duration - feltMs);
    });
    observe('layout-shift', (entry) => {
      window.cost.shift += (entry as PerformanceEntry & { value: number }).value;
    });
  }, FELT_MS);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
  await page.goto(stage.pageAt(path), { waitUntil: 'load' });
  await pause(IDLE_AFTER_MS);
  const { metrics } = await session.send('Performance.getMetrics');
  const cost = await page.evaluate(() => window.cost);
  const shown = await pinsOf(page);
  if (shown !== pins) throw new Error(`${path} shows ${shown} of ${pins} pins when it should be idle.`);
  await context.close();
  return { mainThreadMs: metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000, ...cost };
}

async function measureLoads(): Promise<void> {
  const words = [...new Set(saved.replaceAll(/<[^>]*>/g, ' ').match(/\b[a-z]{9,}\b/g))].slice(0, SOME_PINS);
  await addThreads('/page', words.length, (at) => words[at]!);
  const [first] = [await stage.open(await stage.newProfile(), '/page')];
  await until(async () => (await pinsOf(first)) > 0, 'the pins');
  await pause(QUIET_MS);
  const shown = await pinsOf(first);
  await first.context().close();
  const own: Cost[] = [];
  const reference: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    reference.push(await load('/page-without', 0));
    own.push(await load('/page', shown));
  }
  for (const [key, name] of [
    ['mainThreadMs', 'main thread'],
    ['blockingMs', 'blocking time'],
  ] as const) {
    const differences = own.map((one, at) => one[key] - reference[at]![key]);
    const value = Math.round(median(differences));
    const without = Math.round(median(reference.map((one) => one[key])));
    console.log(
      `${name} for the overlay with ${shown} pins, at a quarter of the speed: ${value} ms (${sorted(differences).map(Math.round).join(' ')}); page without it ${without} ms`,
    );
    report({
      name: `overlay ${name} until idle, slow machine`,
      value,
      unit: 'ms',
      references: { 'page without it': without },
    });
  }
  const [shift, shiftWithout] = [own, reference].map((all) => Math.max(...all.map((one) => one.shift)));
  console.log(`layout shift: ${shift}; page without it ${shiftWithout}`);
  report({ name: 'overlay layout shift', value: shift!, unit: 'score' });
}

async function measureScores(): Promise<void> {
  const audit = await createLocalLighthouse();
  const scoreOf = async (path: string): Promise<number> => {
    const options = { categories: ['performance'] as const, formFactor: 'mobile' as const };
    const { scores } = await audit(stage.pageAt(path), { ...options, timeoutMs: 180_000 });
    return scores.performance ?? 0;
  };
  const own: number[] = [];
  const reference: number[] = [];
  for (let round = 0; round < AUDITS; round++) {
    reference.push(await scoreOf('/page-without'));
    own.push(await scoreOf('/page'));
  }
  console.log(`Lighthouse performance: ${own.join(' ')}; page without it ${reference.join(' ')}`);
  report({
    name: 'Lighthouse performance of a page with the overlay',
    value: median(own),
    unit: 'score',
    references: { 'page without it': median(reference) },
  });
}

/** Milliseconds between frames while the page scrolls from its top to its end. */
const scrollThrough = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const frames: number[] = [];
        let last = performance.now();
        const end = document.documentElement.scrollHeight - innerHeight;
        const step = (now: number) => {
          frames.push(now - last);
          last = now;
          scrollBy(0, Math.ceil(end / 240));
          if (scrollY >= end - 1) done(frames.slice(2));
          else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );

async function measureScrolling(): Promise<void> {
  await addThreads('/long', PINS, (at) => `number${at} and last${at}`);
  const rates: number[] = [];
  const open = async (path: string, pins: number) => {
    const page = await stage.open(await stage.newProfile(), path);
    await until(async () => (await pinsOf(page)) === pins, 'the pins');
    await pause(QUIET_MS);
    const frames = await scrollThrough(page);
    await page.context().close();
    rates.push((frames.length * 1_000) / frames.reduce((sum, one) => sum + one, 0));
    return frames;
  };
  const reference = await open('/long-without', 0);
  const own = await open('/long', PINS);
  const [without, value] = rates.map((rate) => Math.round(rate * 10) / 10);
  const late = (frames: readonly number[]) => quantile(frames, 0.98).toFixed(1);
  console.log(
    `scrolling with ${PINS} pins: ${value} frames a second, p98 ${late(own)} ms between two; page without it ${without}, ${late(reference)} ms`,
  );
  report({
    name: `overlay frames while scrolling with ${PINS} pins`,
    value: value!,
    unit: '/s',
    references: { 'page without it': without! },
  });
}

async function measureAnchors(): Promise<void> {
  const corpus = await startCorpus('many');
  const page = await corpus.open({ name: 'many', html: '<!doctype html><body></body>' });
  const runs: { found: number; ms: number; longest: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { found, ms, slices } = await page.evaluate((pins) => window.many(pins, pins / 5), PINS);
    runs.push({ found, ms, longest: Math.max(...slices) });
  }
  // A slice also holds what other programs of the machine take meanwhile, which differs from run to run.
  const longest = median(runs.map((run) => run.longest));
  const ms = median(runs.map((run) => run.ms));
  console.log(
    `${runs[0]!.found} of ${PINS} pins found in ${Math.round(ms)} ms, in slices of at most ${longest.toFixed(1)} ms (${sorted(
      runs.map((run) => run.longest),
    )
      .map((one) => one.toFixed(1))
      .join(' ')})`,
  );
  report({ name: `overlay finds ${PINS} pins`, value: Math.round(ms), unit: 'ms' });
  report({ name: 'overlay longest slice', value: Math.round(longest * 10) / 10, unit: 'ms' });
}

/** Milliseconds from a store of one client to that of another, without pages. */
async function commentsOfClients(): Promise<number[]> {
  const storeOf = () => {
    const { connection } = createRawClient({
      baseUrl: stage.service.url,
      getUserToken: () => stage.tenant.token('eve'),
    });
    return liveStores(connection).threads({ ...PLACE, pageUrl: stage.pageAt('/clients') });
  };
  const [writer, reader] = [storeOf(), storeOf()];
  const stops = [writer, reader].map((store) => store.subscribe(() => {}));
  await until(() => writer.get().status === 'live' && reader.get().status === 'live', 'both stores');
  const times: number[] = [];
  for (let count = 1; count <= COMMENTS; count++) {
    const began = performance.now();
    const seen = until(() => reader.get().threads.length === count, 'the comment');
    await writer.add({ commentText: `${count}` }, { pageInfo: { url: stage.pageAt('/clients') } });
    await seen;
    times.push(performance.now() - began);
  }
  for (const stop of stops) stop();
  return times;
}

async function measureComments(): Promise<void> {
  const writer = await stage.open(await stage.newProfile(), '/comments');
  const reader = await stage.open(await stage.newProfile(), '/comments');
  for (const page of [writer, reader])
    await until(
      async () => (await page.locator('rp-overlay .tab').textContent()) === 'No comments',
      'the overlay',
    );
  await writer.evaluate(() =>
    addEventListener('keydown', () => Object.assign(window, { pressed: Date.now() }), true),
  );
  const times: number[] = [];
  for (let count = 1; count <= COMMENTS; count++) {
    const seenAt = reader.evaluate(
      (wanted) =>
        new Promise<number>((done) => {
          const { shadowRoot } = document.querySelector('rp-overlay')!;
          const look = () => {
            const pins = shadowRoot!.querySelectorAll('.pin:not([hidden])').length;
            if (pins >= wanted) done(Date.now());
            else requestAnimationFrame(look);
          };
          look();
        }),
      count,
    );
    await writer.keyboard.press('c');
    await writer.locator('rp-overlay .hint').waitFor();
    // By keyboard, since pins cover what a pointer would hit.
    await writer.keyboard.press('ArrowDown');
    await writer.keyboard.press('Enter');
    await writer.locator('rp-overlay .composer textarea').fill(`Comment ${count}`);
    await writer.keyboard.press('Control+Enter');
    const seen = await seenAt;
    times.push(seen - (await writer.evaluate(() => (window as unknown as { pressed: number }).pressed)));
  }
  const clients = await commentsOfClients();
  const [value, other] = [times, clients].map((all) => Math.round(quantile(all, 0.95)));
  console.log(
    `a comment is seen in another browser: p50 ${median(times)} ms, p95 ${value} ms; clients in Node p50 ${Math.round(median(clients))} ms, p95 ${other} ms`,
  );
  report({
    name: 'overlay comment seen in another browser, p95',
    value: value!,
    unit: 'ms',
    references: { 'clients in Node': other! },
  });
}

try {
  await measureLoads();
  await measureAnchors();
  await measureScrolling();
  await measureComments();
  await measureScores();
} finally {
  await endFileSteps();
  await closeTestBrowser();
}
