import type { Page } from 'playwright-core';
import { report } from './figures.ts';

// Measures how long the console takes to answer a person, as browsers do for the Interaction to Next Paint: from a key or a
// click until the frame that shows the result.
const PRESSES = 60;
/** The browser rounds durations to 8 ms and reports none below 16 ms; a shorter one counts as that. */
const LEAST_MS = 16;

/** Interactions of one kind, and their durations. */
type Durations = Map<string, number[]>;

/** Keeps the duration of every interaction of the page, by its id. */
const WATCH = `
  globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
  }).observe({ type: 'event', durationThreshold: ${LEAST_MS}, buffered: true });`;

/** Takes the durations since the last time, once the frames of all interactions are there. */
const takeDurations = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await frame();
    await frame();
    const { interactions } = globalThis as unknown as { interactions: Map<number, number> };
    const taken = [...interactions.values()];
    interactions.clear();
    return taken;
  });

/** Does something once or several times, and keeps how long each took. */
async function time(page: Page, durations: Durations, kind: string, act: () => Promise<unknown>, times = 1) {
  await takeDurations(page);
  for (let turn = 0; turn < times; turn++) {
    await act();
    const taken = await takeDurations(page);
    durations.set(kind, [...(durations.get(kind) ?? []), Math.max(LEAST_MS, ...taken)]);
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

function reportDurations(place: string, durations: Durations): void {
  const all = [...durations.values()].flat();
  const worst = Math.round(Math.max(...all));
  for (const [kind, values] of durations)
    console.log(`${place}, ${kind}: worst of ${values.length} ${Math.round(Math.max(...values))} ms`);
  const p98 = Math.round(percentile(all, 0.98));
  console.log(`${place}: p98 of ${all.length} interactions ${p98} ms, worst ${worst} ms`);
  const references = Object.fromEntries(
    [...durations].map(([kind, values]) => [kind, Math.round(Math.max(...values))]),
  );
  report({ name: `console interactions in ${place}, p98`, value: p98, unit: 'ms', references });
}

/** Moves the wheel over the list, and waits until the rows there are shown. */
async function scroll(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(width / 3, height * 0.75);
  await page.mouse.wheel(0, 1_500);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/** A person who goes through a review. */
async function useReview(page: Page, durations: Durations): Promise<void> {
  await page.getByRole('checkbox').first().waitFor();
  const boxes = page.getByRole('checkbox');
  const act = (kind: string, run: () => Promise<unknown>, times = 1) =>
    time(page, durations, kind, run, times);
  await act('J', () => page.keyboard.press('j'), PRESSES);
  await act('K', () => page.keyboard.press('k'), PRESSES);
  const rows = page.locator('[data-index] button[aria-current], [data-index] button:not([aria-label])');
  for (let turn = 0; turn < 5; turn++) await act('click on a finding', () => rows.nth(turn + 1).click());
  const pins = page.locator('rp-pins .pin');
  const shown = Math.min(5, await pins.count());
  for (let turn = 0; turn < shown; turn++)
    await act('click on a pin', () => pins.nth(turn).dispatchEvent('click'));
  await act('select one', () => boxes.first().click({ force: true }), 2);
  await scroll(page);
  await act('J after scrolling', () => page.keyboard.press('j'), 5);
  await act('accept', () => page.keyboard.press('a'));
  await act('undo', () => page.getByRole('button', { name: 'Undo' }).first().click());
}

/** A person who works through the inbox. */
async function useInbox(page: Page, durations: Durations): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select: / });
  await boxes.first().waitFor();
  const act = (kind: string, run: () => Promise<unknown>, times = 1) =>
    time(page, durations, kind, run, times);
  await act('J', () => page.keyboard.press('j'), PRESSES);
  await act('K', () => page.keyboard.press('k'), PRESSES);
  for (let turn = 0; turn < 5; turn++)
    await act('select one', () => boxes.nth(turn).click({ force: true, noWaitAfter: true }));
  const all = page.getByRole('button', { name: /^Select all/ });
  if (await all.isVisible()) await act('select all', () => all.click());
  await act('clear the selection', () => page.keyboard.press('Escape'));
  await scroll(page);
  await act('J after scrolling', () => page.keyboard.press('j'), 5);
  await act('accept', () => page.keyboard.press('a'));
  await act('undo', () => page.getByRole('button', { name: 'Undo' }).first().click());
  const filter = page
    .getByRole('button', { name: 'Filters' })
    .or(page.getByRole('button', { name: /filter/i }));
  await act('open the filters', () => filter.first().click());
  await page.keyboard.press('Escape');
  const search = page.getByRole('searchbox').first();
  if (await search.isVisible()) {
    await search.focus();
    for (const letter of 'link 7') await act('type in the search', () => page.keyboard.press(letter));
  }
}

/** Measures the interactions of a session in a large review and in the inbox. */
export async function measureInteractions(
  page: Page,
  reviewPath: string,
  goTo: (path: string) => Promise<void>,
): Promise<void> {
  await page.addInitScript(WATCH);
  for (const [place, path, use] of [
    ['a large review', reviewPath, useReview],
    ['a large inbox', '/findings?group=none', useInbox],
  ] as const) {
    const durations: Durations = new Map();
    await goTo(path);
    await use(page, durations);
    reportDurations(place, durations);
  }
}
