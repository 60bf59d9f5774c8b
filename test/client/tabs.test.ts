import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { allowLog, expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { type Forwarder, forwardTo } from '../service/forwarder.ts';
import { PLAIN_HOST } from '../service/test-browser.ts';
import { sharedService } from '../service/worker-service.ts';
import { commentsOf, type StorePages, startStorePages, stateOf } from './store-pages.ts';
import { liveStateOf, newStoreStage, type StoreStage, settled } from './store-stage.ts';

let way: Forwarder;
let stage: StoreStage;
let pages: StorePages;
beforeAll(async () => {
  way = await forwardTo((await sharedService()).url);
  stage = await newStoreStage({ address: way.url });
  pages = await startStorePages();
});

/** What a browser says of a request without an answer. */
const UNREACHABLE = /Failed to load resource: net::ERR/;

const streamsIn = (requests: Request[]) =>
  requests.filter((request) => request.method() === 'GET' && request.url().includes('/v2/events'));
const isLive = (page: Page) =>
  until(async () => (await stateOf(page)).status === 'live', 'the page to be live');

async function newPlace(userId = 'ada') {
  const place = await stage.newDocument();
  return { baseUrl: stage.url, token: await stage.tenant.token(userId), place };
}

const add = (page: Page, commentText: string) =>
  page.evaluate((text) => void window.store.add({ commentText: text }).catch(() => {}), commentText);
const reply = (place: object, commentId: number) =>
  stage.tenant.must('/v2/commentannotations/comments/add', {
    ...place,
    annotationId: 'thread',
    commentData: [
      { commentId, commentText: `${commentId}`, from: { userId: 'bob', name: 'Bob', email: 'b@acme.dev' } },
    ],
  });

test('two tabs of a user share one stream, and another user has one of their own', async () => {
  const { requests, open } = await pages.newProfile();
  const place = await newPlace();
  const [first, second] = [await open(place), await open(place)];
  await Promise.all([first, second].map(isLive));
  expect(streamsIn(requests)).toHaveLength(1);
  await add(first, 'from the first');
  await add(second, 'from the second');
  for (const page of [first, second])
    await until(async () => {
      const { threads, pending } = await stateOf(page);
      return pending === 0 && threads.length === 2 && !threads.some((thread) => thread.pending);
    }, 'both threads');

  const eve = await open({ ...place, token: await stage.tenant.token('eve') });
  await isLive(eve);
  expect(streamsIn(requests)).toHaveLength(2);
  // A renewed token of the same user shares the stream.
  const third = await open({ ...place, token: await stage.tenant.token('ada') });
  await isLive(third);
  expect(streamsIn(requests)).toHaveLength(2);
});

test('when the tab with the stream closes, another one continues after its last event', async () => {
  const { requests, open } = await pages.newProfile();
  const place = await newPlace();
  await stage.tenant.must('/v2/commentannotations/add', {
    ...place.place,
    commentAnnotations: [
      {
        annotationId: 'thread',
        commentData: [
          { commentId: 0, commentText: '0', from: { userId: 'bob', name: 'Bob', email: 'b@acme.dev' } },
        ],
      },
    ],
  });
  const tabs = [await open(place), await open(place), await open(place)];
  await Promise.all(tabs.map(isLive));
  let written = 0;
  const writing = (async () => {
    for (let id = 1; id < 120; id++) {
      await reply(place.place, id);
      written = id;
    }
  })();
  for (const after of [30, 70]) {
    await until(() => written > after, 'writes');
    await tabs.shift()!.close();
  }
  await writing;
  const [last] = tabs as [Page];
  await until(async () => (await commentsOf(last)).length >= 120, 'all comments');
  expect((await commentsOf(last)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 120 }, (_, id) => id),
  );
  const [, ...later] = streamsIn(requests);
  expect(later).toHaveLength(2);
  for (const stream of later) expect(stream.headers()['last-event-id']).toBeTruthy();
  const reads = requests.filter(
    (one) => one.method() === 'POST' && one.url().endsWith('/commentannotations/get'),
  );
  // Each tab has read the list when it was opened, and none again.
  expect(reads).toHaveLength(3);
});

test('writes without a service survive a reload, are sent once, and not by another user', async () => {
  const { requests, open } = await pages.newProfile();
  const place = await newPlace();
  const page = await open(place);
  const eve = await open({ ...place, token: await stage.tenant.token('eve') });
  await Promise.all([page, eve].map(isLive));
  expectLog(UNREACHABLE);
  way.shut();
  await add(page, 'kept');
  await until(() => page.evaluate(() => window.stored()).then((count) => count === 1), 'the stored write');
  await page.reload();
  await page.waitForFunction(() => window.store?.get().pending === 1);
  expect((await stateOf(page)).threads).toMatchObject([
    { pending: true, comments: [{ commentText: 'kept' }] },
  ]);
  const other = await open(place);
  await eve.reload();
  await eve.waitForFunction(() => 'store' in window);

  way.open();
  const isConfirmed = async (tab: Page) => {
    const { threads, pending } = await stateOf(tab);
    return pending === 0 && threads.length === 1 && threads[0]?.annotationNumber === 1;
  };
  for (const tab of [page, other, eve]) await until(() => isConfirmed(tab), 'the thread');
  await until(() => page.evaluate(() => window.stored()).then((count) => count === 0), 'an empty outbox');
  const { annotations } = stage.clientOf('bob');
  expect(await annotations.list(place.place)).toMatchObject([{ from: { userId: 'ada' } }]);
  const answered: string[] = [];
  for (const request of requests) {
    if (request.method() !== 'POST' || !request.url().endsWith('/commentannotations/add')) continue;
    if (await request.response().catch(() => null)) answered.push(request.headers()['idempotency-key']!);
  }
  expect(answered).toHaveLength(1);
});

test('what a closed tab has not sent is sent by a tab that is still open', async () => {
  const { open } = await pages.newProfile();
  const place = await newPlace();
  const [first, second] = [await open(place), await open(place)];
  await Promise.all([first, second].map(isLive));
  // The tab may be closed before it has said so.
  allowLog(UNREACHABLE);
  await first.route('**/commentannotations/**', (route) => route.abort());
  await first.evaluate(() => {
    void window.store.add({ commentText: 'one' }, { annotationId: 'kept' }).catch(() => {});
    void window.store.reply('kept', { commentText: 'two' }).catch(() => {});
  });
  await until(() => second.evaluate(() => window.stored()).then((count) => count === 2), 'the stored writes');
  expect((await stateOf(second)).threads).toEqual([]);
  await first.close();
  await until(async () => {
    const { threads, pending } = await stateOf(second);
    return pending === 0 && threads[0]?.comments.length === 2;
  }, 'both');
  const { annotations } = stage.clientOf('bob');
  const [thread] = await annotations.list(place.place);
  expect(thread?.comments.map(({ commentText }) => commentText)).toEqual(['one', 'two']);
});

test('a page that came over plain HTTP has neither locks nor all of the cryptography, and works', async () => {
  const { open } = await pages.newProfile();
  const place = await newPlace();
  const tabs = [await open(place, PLAIN_HOST), await open(place, PLAIN_HOST)];
  expect(await tabs[0]!.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
  await Promise.all(tabs.map(isLive));
  await add(tabs[0]!, 'over plain HTTP');
  for (const tab of tabs)
    await until(async () => (await stateOf(tab)).threads[0]?.annotationNumber === 1, 'the thread');
});

test('a store whose code cannot be loaded says so', async () => {
  const { context, open } = await pages.newProfile();
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  expectLog(UNREACHABLE);
  await context.route('**/openers*', (route) => route.abort());
  const page = await open(await newPlace());
  await until(async () => (await stateOf(page)).status === 'failed', 'the failure');
  expect(await page.evaluate(() => window.store.get().error?.status)).toBe('UNAVAILABLE');
  const added = page.evaluate(() => window.store.add({ commentText: 'lost' }));
  await expect(added).rejects.toThrow('openers');
  expect(errors).toEqual([]);
});

test('a user who leaves the page is no longer present, and is again after coming back', async () => {
  const { open } = await pages.newProfile();
  const place = await newPlace();
  const get = await liveStateOf(stage.clientOf('eve').live.presence(place.place));
  const page = await open(place);
  await page.evaluate(() => window.join());
  await settled(get, ({ users }) => users.length === 1);
  await page.goto('about:blank');
  await settled(get, ({ users }) => users.length === 0);
  await page.goBack();
  await page.waitForFunction(() => 'store' in window);
  await page.evaluate(() => window.join());
  await settled(get, ({ users }) => users.length === 1);
  await page.close();
  await settled(get, ({ users }) => users.length === 0);
});

test('the outbox does not keep a page from deleting the databases of its origin', async () => {
  const { open } = await pages.newProfile();
  const place = await newPlace();
  const [page, other] = [await open(place), await open(place)];
  await Promise.all([page, other].map(isLive));
  await add(page, 'before');
  const isConfirmed = async (count: number) => {
    const { threads, pending } = await stateOf(page);
    return pending === 0 && threads.length === count;
  };
  await until(() => isConfirmed(1), 'the thread');
  const deleted = await other.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase('redpen-outbox');
        request.onsuccess = () => resolve('deleted');
        request.onblocked = () => resolve('blocked');
      }),
  );
  expect(deleted).toBe('deleted');
  await add(page, 'after');
  await until(() => isConfirmed(2), 'the other thread');
});

test('a page that may use neither locks nor databases works', async () => {
  const { context, open } = await pages.newProfile();
  await context.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return await route.fallback();
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': 'sandbox allow-scripts' };
    await route.fulfill({ response, headers });
  });
  await context.route('**/*.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': '*' } });
  });
  const page = await open(await newPlace());
  await until(async () => /live|failed/.test((await stateOf(page)).status), 'the state');
  expect((await stateOf(page)).error).toBeUndefined();
  await add(page, 'from a sandbox');
  await until(async () => (await stateOf(page)).threads[0]?.annotationNumber === 1, 'the thread');
});
