import { expect, test } from 'vitest';
import { createClient } from '../../packages/client/src/index.ts';
import { serviceUrl } from './client-stage.ts';
import { gated, liveStateOf, type StoreStage, settled, stageForFile, use } from './store-stage.ts';

let stage: StoreStage;
stageForFile((made) => {
  stage = made;
});

test('a store of some threads does not show the others', async () => {
  const place = await stage.newDocument();
  const gate = gated('/add');
  const { live } = stage.clientOf('ada', { fetch: gate.fetch });
  const all = live.threads(place);
  const ofAll = await liveStateOf(all);
  const ofOne = await liveStateOf(live.threads({ ...place, annotationIds: ['one'] }));
  gate.hold();
  const added = [
    all.add({ commentText: 'One' }, { annotationId: 'one' }),
    all.add({ commentText: 'Two' }, { annotationId: 'two' }),
  ];
  const idsOf = (get: typeof ofAll) => get().threads.map(({ annotationId }) => annotationId);
  expect([idsOf(ofAll).toSorted(), idsOf(ofOne)]).toEqual([['one', 'two'], ['one']]);
  gate.release();
  await Promise.all(added);
  await settled(ofAll, (state) => state.pending === 0 && state.threads.length === 2);
  expect(idsOf(ofOne)).toEqual(['one']);
});

test('a write that is answered after its store has failed is pending no more', async () => {
  const place = await stage.newDocument();
  const gate = gated('/commentannotations/add');
  const cut = new AbortController();
  let isRefused = false;
  const store = stage
    .clientOf('ada', {
      async fetch(input, init) {
        if (!String(input).includes('/v2/events')) return await gate.fetch(input, init);
        if (isRefused)
          return new Response('{"error":{"status":"PERMISSION_DENIED","message":"Refused."}}', {
            status: 403,
          });
        return await fetch(input, { ...init, signal: AbortSignal.any([cut.signal, init!.signal!]) });
      },
    })
    .live.threads(place);
  const get = await liveStateOf(store);
  gate.hold();
  const added = store.add({ commentText: 'Sent' });
  expect(get().pending).toBe(1);
  isRefused = true;
  cut.abort();
  await settled(get, ({ status }) => status === 'failed');
  gate.release();
  await added;
  expect(get()).toMatchObject({
    status: 'failed',
    pending: 0,
    threads: [{ comments: [{ commentText: 'Sent' }] }],
  });
  expect(get().threads[0]).not.toHaveProperty('pending');
});

test('the order of the fields of a query does not matter', async () => {
  const { live } = stage.clientOf('ada');
  const store = live.threads({ organizationId: 'acme', documentId: 'home' });
  expect(live.threads({ documentId: 'home', organizationId: 'acme' })).toBe(store);
});

test('a store that cannot be connected at first is offline', async () => {
  const place = await stage.newDocument();
  let isGone = true;
  const store = stage
    .clientOf('ada', {
      async fetch(input, init) {
        if (isGone) throw new TypeError('There is no network.');
        return await fetch(input, init);
      },
    })
    .live.threads(place);
  const get = use(store);
  await settled(get, ({ status }) => status === 'offline');
  isGone = false;
  await settled(get, ({ status }) => status === 'live');
});

test('an answer of a backend that is no token is not kept', async () => {
  const tokens = ['<html>\nBad gateway', '', 'rejected'];
  const redpen = createClient({ baseUrl: await serviceUrl(), getUserToken: () => tokens.shift() ?? 'last' });
  const failed = async () => {
    const got = await redpen.annotations.list({ organizationId: 'acme' }, { safe: true });
    return got.ok ? undefined : got.error.message;
  };
  expect([await failed(), await failed()]).toEqual(['getUserToken failed.', 'getUserToken failed.']);
  expect(await failed()).not.toBe('getUserToken failed.');
  expect(tokens).toEqual([]);
});
