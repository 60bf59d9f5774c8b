import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Browser, type LoadedPage, PageFailure } from '../../outside/browser/browser.ts';
import { pageStrategy } from './gather-strategy.ts';
import { shareLoad } from './load-together.ts';

const URL = 'http://127.0.0.1/';

/** A browser that counts loads, and notes when a page closes. */
function countingBrowser(failure?: PageFailure) {
  const events: string[] = [];
  const browser: Browser = {
    async withPage(_url, view, _options, use) {
      events.push(`open ${view.waitUntil}`);
      if (failure) throw failure;
      try {
        return await use({ status: 200, url: URL, headers: {}, page: {} } as unknown as LoadedPage);
      } finally {
        events.push('close');
      }
    },
    close: async () => {},
  };
  return { browser, events };
}

function strategyOf(name: string, waitUntil: 'load' | 'networkidle', calls: string[]) {
  const strategy = pageStrategy({
    name,
    options: z.any(),
    view: () => ({ deviceType: 'desktop', waitUntil }),
    gather: async () => void calls.push(name),
    toPrompt: () => [],
  });
  return (turn: number) => ({ strategy, options: {}, view: strategy.view({}, 'desktop'), turn });
}

const limits = { signal: new AbortController().signal, timeoutMs: 60_000 };
const { signal } = limits;

test('runs share one load, on which each strategy runs once and in its turn', async () => {
  const { browser, events } = countingBrowser();
  const calls: string[] = [];
  const [text, axe] = [strategyOf('text', 'load', calls), strategyOf('axe', 'networkidle', calls)];
  const [one, two] = shareLoad(browser, URL, 2, limits);
  const parts = await Promise.all([
    one!.ask({ tasks: [axe(2), text(1)], keepOpen: undefined }, signal),
    two!.ask({ tasks: [text(1)], keepOpen: undefined }, signal),
  ]);
  expect(calls).toEqual(['text', 'axe']);
  expect(events).toEqual(['open networkidle', 'close']);
  expect(parts.map(({ outcomes }) => [...outcomes.keys()].sort())).toEqual([['axe', 'text'], ['text']]);
});

test('the page stays open until each of its holders has looked at it or released it', async () => {
  const { browser, events } = countingBrowser();
  const text = strategyOf('text', 'load', []);
  const seats = shareLoad(browser, URL, 3, limits);
  const [one, two, three] = await Promise.all(
    (['if-complete', 'if-complete', undefined] as const).map((keepOpen, index) =>
      seats[index]!.ask({ tasks: [text(1)], keepOpen }, signal),
    ),
  );
  expect(three!.held).toBeUndefined();
  const looks = await Promise.all([
    one!.held!.use(async () => void events.push('first look')),
    two!
      .held!.use(async () => {
        events.push('second look');
        throw new Error('It failed.');
      })
      .catch((error: Error) => error.message),
  ]);
  expect(looks).toEqual([undefined, 'It failed.']);
  await expect(one!.held!.use(async () => {})).rejects.toThrow(PageFailure);
  await expect.poll(() => events).toEqual(['open load', 'first look', 'second look', 'close']);
});

test('the load begins when the last run passes, and never if all do', async () => {
  const { browser, events } = countingBrowser();
  const text = strategyOf('text', 'load', []);
  const [one, two] = shareLoad(browser, URL, 2, limits);
  const asked = one!.ask({ tasks: [text(1)], keepOpen: undefined }, signal);
  expect(events).toEqual([]);
  two!.pass();
  two!.pass();
  await asked;
  expect(events).toEqual(['open load', 'close']);
  for (const seat of shareLoad(browser, URL, 2, limits)) seat.pass();
  expect(events).toHaveLength(2);
});

test('a run that is aborted does not take the page from the others, nor hold it', async () => {
  const { browser, events } = countingBrowser();
  const text = strategyOf('text', 'load', []);
  const [one, two] = shareLoad(browser, URL, 2, limits);
  const gone = one!.ask({ tasks: [text(1)], keepOpen: 'always' }, AbortSignal.abort(new Error('cancelled')));
  await expect(gone).rejects.toThrow('cancelled');
  const part = await two!.ask({ tasks: [text(1)], keepOpen: 'always' }, signal);
  await part.held!.release();
  await expect.poll(() => events.at(-1)).toBe('close');
});

test('a page that does not open fails for all', async () => {
  const failure = new PageFailure('navigation', 'There is no such page.');
  const { browser } = countingBrowser(failure);
  const text = strategyOf('text', 'load', []);
  const seats = shareLoad(browser, URL, 2, limits);
  const parts = await Promise.all(
    seats.map((seat) => seat.ask({ tasks: [text(1)], keepOpen: 'always' }, signal)),
  );
  expect(parts.map((part) => [part.failure, part.held])).toEqual([
    [failure, undefined],
    [failure, undefined],
  ]);
});
