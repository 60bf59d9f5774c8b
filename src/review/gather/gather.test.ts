import { expect, test } from 'vitest';
import { z } from 'zod';
import { bareFetchInput } from '../../../test/reviews/review-inputs.ts';
import { type Browser, type LoadedPage, PageFailure, type View } from '../../outside/browser/browser.ts';
import { type GatherInput, gatherAll } from './gather.ts';
import { fetchStrategy, type GatherStrategy, pageStrategy } from './gather-strategy.ts';
import { shareLoad } from './load-together.ts';

const toPrompt = <Data>(data: Data) => [{ text: `said ${JSON.stringify(data)}` }];

const reads = (name: string, view: Partial<View>, gather: () => Promise<unknown>) =>
  pageStrategy({
    name,
    options: z.looseObject({ deviceType: z.enum(['mobile', 'desktop']).optional() }),
    view: (options, deviceType) => ({
      deviceType: options.deviceType ?? deviceType,
      waitUntil: 'load',
      ...view,
    }),
    gather,
    toPrompt,
  });

const asks = (name: string, gather: (url: string) => Promise<unknown>) =>
  fetchStrategy({ name, options: z.looseObject({}), gather: ({ url }) => gather(url), toPrompt });

function browserOf(open: () => LoadedPage = () => ({ url: '', status: 200, headers: {} }) as LoadedPage) {
  const views: View[] = [];
  const browser: Browser = {
    async withPage(_url, view, _options, use) {
      views.push(view);
      return use(open());
    },
    close: async () => {},
  };
  return { browser, views };
}

function run(available: GatherStrategy[], input: Partial<GatherInput> = {}) {
  const { browser, views } = browserOf();
  const lines: string[] = [];
  const result = gatherAll({
    ...bareFetchInput,
    url: 'https://example.com/',
    deviceType: 'desktop',
    strategies: available.map(({ name }) => name),
    fetch: () => Promise.reject(new Error('Nothing is asked here.')),
    browser,
    signal: new AbortController().signal,
    log: ({ message }) => lines.push(message),
    available,
    ...input,
  });
  return { result, views, lines };
}

test('results are in the order of the strategies, each with its data and its prompt', async () => {
  const isQuickDone = Promise.withResolvers<void>();
  const slow = asks('slow', async () => {
    await isQuickDone.promise;
    return 1;
  });
  const quick = asks('quick', async () => {
    isQuickDone.resolve();
    return 2;
  });
  const { result } = run([slow, quick], {
    strategies: ['quick', 'none', 'slow', 'quick'],
  });
  expect((await result).gathered).toEqual([
    { name: 'quick', data: 2, parts: [{ text: 'said 2' }] },
    { name: 'slow', data: 1, parts: [{ text: 'said 1' }] },
  ]);
});

test('strategies for one device share one load with the strictest wait and the fewest skips', async () => {
  const order: string[] = [];
  const note = (name: string) => async () => {
    order.push(name);
  };
  const strategies = [
    reads('first', { waitUntil: 'domcontentloaded', skip: ['image', 'font'] }, note('first')),
    reads('second', { waitUntil: 'networkidle', skip: ['font', 'media'] }, note('second')),
    reads('third', { waitUntil: 'load', skip: ['font'] }, note('third')),
  ];
  const { result, views } = run(strategies, {
    strategies: ['third', 'second', 'first'],
    strategyOptions: { third: { deviceType: 'mobile' } },
  });
  await result;
  expect(views).toEqual([
    { deviceType: 'desktop', waitUntil: 'networkidle', skip: ['font'] },
    { deviceType: 'mobile', waitUntil: 'load', skip: ['font'] },
  ]);
  expect(order.indexOf('first')).toBeLessThan(order.indexOf('second'));
});

test('a failed strategy has an error in its place and the others go on', async () => {
  const broken = reads('broken', {}, async () => {
    throw new Error('page.evaluate: it broke\nCall log:\n  - and so on');
  });
  const { result, lines } = run([
    broken,
    reads('sound', {}, async () => 'fine'),
    asks('beside', async () => 3),
  ]);
  const { gathered, pageFailure } = await result;
  expect(gathered[0]).toEqual({
    name: 'broken',
    error: 'page.evaluate: it broke',
    parts: [{ text: 'broken of https://example.com/ could not be gathered: page.evaluate: it broke' }],
  });
  expect(gathered.slice(1).map(({ data }) => data)).toEqual(['fine', 3]);
  expect(pageFailure).toBeUndefined();
  expect(lines).toHaveLength(1);
});

test('a page that does not open fails its strategies alone and is reported as such', async () => {
  const { browser } = browserOf(() => {
    throw new PageFailure('refused-host', 'The host is internal.');
  });
  const page = [reads('a', {}, async () => 1), reads('b', {}, async () => 2)];
  const { result, lines } = run([...page, asks('beside', async () => 3)], { browser });
  const { gathered, pageFailure } = await result;
  expect(pageFailure?.kind).toBe('refused-host');
  expect(lines).toEqual([]);
  expect(gathered.map(({ data, error }) => data ?? error)).toEqual([
    'The host is internal.',
    'The host is internal.',
    3,
  ]);
});

test('a crash of the browser fails only the strategies that have not finished', async () => {
  const gone = new PageFailure('crash', 'The page crashed.');
  const crash = Promise.withResolvers<never>();
  const browser: Browser = {
    withPage: (_url, _view, _options, use) => Promise.race([use({ url: '' } as LoadedPage), crash.promise]),
    close: async () => {},
  };
  const never = reads('never', {}, () => {
    crash.reject(gone);
    return new Promise(() => {});
  });
  const { result } = run([reads('read', {}, async () => 1), never], { browser });
  const { gathered, pageFailure } = await result;
  expect(gathered.map(({ data, error }) => data ?? error)).toEqual([1, 'The page crashed.']);
  expect(pageFailure).toBeUndefined();
});

test('a page that navigates is read again at its new address, and only once', async () => {
  let tries = 0;
  const page = { waitForLoadState: async () => {} };
  const { browser } = browserOf(() => ({ page }) as unknown as LoadedPage);
  const left = async () => {
    tries += 1;
    throw new Error('page.content: Execution context was destroyed, most likely because of a navigation');
  };
  const moved = reads('moved', {}, () => (tries === 0 ? left() : Promise.resolve('arrived')));
  const { result } = run([moved, reads('restless', {}, left)], { browser });
  const { gathered } = await result;
  expect(gathered[0]?.data).toBe('arrived');
  expect(gathered[1]?.error).toContain('Execution context was destroyed');
  expect(tries).toBe(3);
});

test('a strategy that runs out of time fails even if it ignores its signal', async () => {
  const { result } = run([asks('deaf', () => new Promise(() => {})), asks('quick', async () => 1)], {
    timeoutMs: 30,
  });
  const { gathered } = await result;
  expect(gathered[0]?.error).toBe('The time for gathering ran out.');
  expect(gathered[1]?.data).toBe(1);
});

test('runs that share a load which is too slow get what was read until then', async () => {
  const limits = { signal: new AbortController().signal, timeoutMs: 1_000 };
  const { browser } = browserOf();
  const strategies = [reads('quick', {}, async () => 1), reads('deaf', {}, () => new Promise(() => {}))];
  const results = shareLoad(browser, '', 2, limits).map(
    (seat) => run(strategies, { browser, seat, timeoutMs: limits.timeoutMs }).result,
  );
  for (const { gathered, pageFailure } of await Promise.all(results)) {
    expect(pageFailure).toBeUndefined();
    expect(gathered[0]?.data).toBe(1);
    expect(gathered[1]?.error).toBe('It took too long.');
  }
});

test('a run that loads a page for the other device alone does not delay those that share a load', async () => {
  const limits = { signal: new AbortController().signal, timeoutMs: 5_000 };
  const { browser } = browserOf();
  const [one, two] = shareLoad(browser, '', 2, limits);
  const isShared = Promise.withResolvers<number>();
  const onPhone = reads('phone', { deviceType: 'mobile' }, () => isShared.promise);
  const alone = run([onPhone], { browser, seat: one, timeoutMs: limits.timeoutMs }).result;
  const shared = await run([reads('quick', {}, async () => 1)], { browser, seat: two }).result;
  isShared.resolve(2);
  expect([(await alone).gathered[0]?.data, shared.gathered[0]?.data]).toEqual([2, 1]);
});

test('an abort of the caller is thrown', async () => {
  const stop = new AbortController();
  const { result } = run([asks('deaf', () => new Promise(() => {}))], { signal: stop.signal });
  stop.abort(new Error('The run was stopped.'));
  await expect(result).rejects.toThrow('The run was stopped.');
});

test('unavailable and unknown strategies and invalid options fail without opening a page', async () => {
  const { result, views } = run([reads('a', {}, async () => 1)], {
    strategies: ['rest-api', 'palm-reading', 'a'],
    strategyOptions: { a: { deviceType: 'watch' } },
  });
  const { gathered } = await result;
  expect(gathered[0]?.error).toBe('This version cannot run the strategy rest-api.');
  expect(gathered[1]?.error).toBe('There is no strategy palm-reading.');
  expect(gathered[2]?.error).toMatch(/^Invalid options: deviceType: /);
  expect(views).toEqual([]);
});

test('a page with an HTTP error counts as not opened', async () => {
  const { browser } = browserOf(() => ({ url: '', status: 404, headers: {} }) as LoadedPage);
  const { result } = run([reads('text', {}, async () => 'Not found')], { browser });
  const { gathered, pageFailure } = await result;
  expect(pageFailure?.message).toBe('The page answered with HTTP 404.');
  expect(gathered[0]?.data).toBeUndefined();
});
