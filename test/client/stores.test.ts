import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../run/until.ts';
import { gated, liveStateOf, type StoreStage, settled, stageForFile, use } from './store-stage.ts';

let stage: StoreStage;
stageForFile((made) => {
  stage = made;
});

async function twoStores() {
  const place = await stage.newDocument();
  const [ada, eve] = ['ada', 'eve'].map((user) => stage.clientOf(user).live.threads(place)) as [
    Threads,
    Threads,
  ];
  return { place, ada, eve, ofAda: await liveStateOf(ada), ofEve: await liveStateOf(eve) };
}
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Threads = ReturnType<ReturnType<StoreStage['clientOf']>['live']['threads']>;

test('two clients see the writes of each other', async () => {
  const { ada, eve, ofAda, ofEve } = await twoStores();
  const added = await ada.add({ commentText: 'Per year?' }, { location: { id: 'prices' } });
  const { annotationId = '' } = added;
  expect(added).toMatchObject({ success: true, commentIds: [expect.any(Number)] });
  const { threads } = await settled(ofEve, (state) => state.threads.length === 1);
  expect(threads[0]).toMatchObject({
    annotationId,
    comments: [{ commentText: 'Per year?' }],
    isUnread: true,
  });

  const commentId = await eve.reply(annotationId, { commentText: 'Yes.' });
  await settled(ofAda, (state) => state.threads[0]?.comments.length === 2);
  expect(ofAda().threads[0]?.isUnread).toBe(true);
  await eve.editComment(annotationId, commentId, { commentText: 'Yes!' });
  await settled(ofAda, (state) => state.threads[0]?.comments[1]?.commentText === 'Yes!');
  await ada.update(annotationId, { status: { id: 'RESOLVED' } });
  await settled(ofEve, (state) => state.threads[0]?.status?.id === 'RESOLVED');
  for (const target of [{}, { commentId }]) {
    await ada.react(annotationId, 'agree', target);
    const reactionsOf = () =>
      (target.commentId ? ofEve().threads[0]?.comments[1] : ofEve().threads[0])?.reactions;
    await until(() => reactionsOf()?.[0]?.count === 1, 'the reaction');
    await ada.unreact(annotationId, 'agree', target);
    await until(() => reactionsOf() === undefined, 'the end of the reaction');
  }
  await eve.markRead(annotationId);
  await settled(ofEve, (state) => state.threads[0]?.isUnread === false);
  await ada.reply(annotationId, { commentText: 'Then change it.' });
  await settled(ofEve, (state) => state.threads[0]?.isUnread === true);
  await eve.markRead();
  await settled(ofEve, (state) => state.threads[0]?.isUnread === false && !state.threads[0].pending);
  await eve.deleteComment(annotationId, commentId);
  await settled(ofAda, (state) => state.threads[0]?.comments.length === 2);
  await ada.delete(annotationId);
  await settled(ofEve, (state) => state.threads.length === 0);
  await settled(ofAda, (state) => state.threads.length === 0 && state.pending === 0);
});

test('a change is shown at once, and taken back if the service refuses it', async () => {
  const { place, ada, ofAda, ofEve } = await twoStores();
  const { annotationId = '' } = await ada.add({ commentText: 'Mine' });
  const [{ comments }] = (await settled(ofEve, (state) => state.threads.length === 1)).threads as [Thread];
  const viewer = stage.clientOf('vera', { getUserToken: () => stage.tenant.token('vera', 'viewer') });
  const vera = viewer.live.threads(place);
  const ofVera = await liveStateOf(vera);
  const states: string[] = [];
  onTestFinished(
    vera.subscribe(() =>
      states.push(
        ofVera()
          .threads.map((one) => one.comments[0]?.commentText)
          .join(),
      ),
    ),
  );

  const refused = [
    vera.add({ commentText: 'Theirs' }),
    vera.reply(annotationId, { commentText: 'No' }),
    vera.editComment(annotationId, comments[0]!.commentId, { commentText: 'Wrong' }),
    vera.deleteComment(annotationId, comments[0]!.commentId),
    vera.react(annotationId, 'agree'),
    vera.delete(annotationId),
  ];
  expect(ofVera()).toMatchObject({
    pending: 6,
    threads: [{ pending: true, comments: [{ commentText: 'Theirs' }] }],
  });
  for (const { status, reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
    expect([status, reason.status]).toEqual(['rejected', 'PERMISSION_DENIED']);
  }
  expect(ofVera().pending).toBe(0);
  expect(ofVera().threads).toEqual([{ ...ofVera().threads[0], annotationId, comments }]);
  expect(ofVera().threads[0]).not.toHaveProperty('reactions.0');
  expect(states.some((state) => state.includes('Theirs'))).toBe(true);
  await expect(ada.editComment(annotationId, 7, { commentText: 'None' })).rejects.toMatchObject({
    status: 'NOT_FOUND',
  });
  await expect(ada.add({ commentText: 'Again' }, { annotationId })).rejects.toMatchObject({
    status: 'ALREADY_EXISTS',
  });
  await settled(ofAda, (state) => state.threads[0]?.comments.length === 1 && state.pending === 0);
});
type Thread = ReturnType<Threads['get']>['threads'][number];

test('conditions also decide about events', async () => {
  const { place, ada, ofAda } = await twoStores();
  const open = stage
    .clientOf('ada')
    .live.threads({ ...place, statusIds: ['OPEN'], pageUrl: 'https://acme.dev/' });
  const ofOpen = await liveStateOf(open);
  const pageInfo = { url: 'https://acme.dev/' };
  await ada.add({ commentText: 'elsewhere' }, { pageInfo: { url: 'https://acme.dev/prices' } });
  const { annotationId = '' } = await ada.add({ commentText: 'here' }, { pageInfo });
  await settled(ofAda, (state) => state.threads.length === 2);
  await settled(ofOpen, (state) => state.threads.length === 1);
  await ada.update(annotationId, { status: { id: 'RESOLVED' } });
  await settled(ofOpen, (state) => state.threads.length === 0);
  await ada.update(annotationId, { status: { id: 'OPEN' } });
  await settled(ofOpen, (state) => state.threads[0]?.annotationId === annotationId);
  // Its own writes that do not match go when they are confirmed.
  await open.add({ commentText: 'no page' });
  await settled(
    ofOpen,
    (state) => state.threads.length === 1 && state.threads[0]?.annotationId === annotationId,
  );
});

test('a snapshot is the same object until something changes, and the same query has the same store', async () => {
  const place = await stage.newDocument();
  const { live } = stage.clientOf('ada');
  const store = live.threads(place);
  expect(live.threads({ ...place })).toBe(store);
  expect(live.threads({ ...place, statusIds: ['OPEN'] })).not.toBe(store);
  expect(store.get()).toEqual({ status: 'loading', threads: [], pending: 0, unsent: [] });
  expect(store.get()).toBe(store.get());
  const get = await liveStateOf(store);
  const before = get();
  let calls = 0;
  const stop = store.subscribe(() => calls++);
  await store.add({ commentText: 'One' });
  await settled(get, ({ pending }) => pending === 0);
  expect(get()).not.toBe(before);
  expect(before.threads).toEqual([]);
  stop();
  const known = calls;
  expect(known).toBeGreaterThan(0);
  await store.add({ commentText: 'Two' });
  expect(calls).toBe(known);
});

test('a query returns the same store as long as one of its functions is in use, as a component of React may hold them', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const place = await stage.newDocument();
  const { live } = stage.clientOf('ada');
  const functionsOf = () => {
    const { get, subscribe } = live.threads(place);
    return { get, subscribe };
  };
  const { get, subscribe } = functionsOf();
  onTestFinished(subscribe(() => {}));
  await settled(get, ({ status }) => status === 'live');
  // A weak reference that was read is strong until the end of the task.
  for (let times = 0; times < 3; times++) {
    await setImmediate();
    collect();
  }
  expect(functionsOf()).toEqual({ get, subscribe });
});

test('a store that nothing is subscribed to is disconnected, and reads again when it is used again', async () => {
  const { place, ada, ofAda } = await twoStores();
  const store = stage.clientOf('eve').live.threads({ ...place, statusIds: ['OPEN'] });
  const stop = store.subscribe(() => {});
  await settled(store.get, ({ status }) => status === 'live');
  stop();
  await ada.add({ commentText: 'Missed' });
  await settled(ofAda, (state) => state.threads.length === 1);
  expect(store.get().threads).toEqual([]);
  const get = await liveStateOf(store);
  expect(get().threads).toHaveLength(1);
});

test('a long list is read page by page', async () => {
  const place = await stage.newDocument();
  for (const part of [0, 1]) {
    const commentAnnotations = Array.from({ length: 600 }, (_, index) => ({
      annotationId: `thread-${part}-${index}`,
      commentData: [{ commentText: `${index}`, from: { userId: 'ada', name: 'Ada', email: 'ada@acme.dev' } }],
    }));
    await stage.tenant.must('/v2/commentannotations/add', { ...place, commentAnnotations });
  }
  const get = use(stage.clientOf('eve').live.threads(place));
  const sizes = new Set<number>();
  const { threads } = await settled(
    get,
    (state) => sizes.add(state.threads.length) && state.status === 'live',
  );
  expect(new Set(threads.map(({ annotationId }) => annotationId)).size).toBe(1_200);
});

test('what changes while the list is read is neither lost nor doubled nor brought back', async () => {
  const { place, ada, ofAda } = await twoStores();
  const [kept, deleted] = await Promise.all(
    ['kept', 'deleted'].map((commentText) => ada.add({ commentText })),
  );
  const gate = gated('/commentannotations/get');
  gate.hold();
  const get = use(stage.clientOf('eve', { fetch: gate.fetch }).live.threads(place));
  await until(() => gate.held.length > 0, 'the read');
  await ada.delete(deleted!.annotationId!);
  await ada.reply(kept!.annotationId!, { commentText: 'later' });
  await ada.add({ commentText: 'new' });
  await settled(ofAda, (state) => state.threads.length === 2 && state.pending === 0);
  gate.release();
  const isRight = (threads: readonly Thread[]) =>
    threads.length === 2 &&
    threads
      .map(({ comments }) => comments.length)
      .sort()
      .join() === '1,2';
  await settled(get, (state) => state.status === 'live' && isRight(state.threads));
  // The same as a read now; the reactions of a comment may be absent or undefined.
  const read = await stage.clientOf('eve').annotations.list(place);
  await until(() => isDeepStrictEqual(plain(get().threads), plain(read)), 'the same as a read');
});

test('the event of a write that arrives before its answer shows nothing twice', async () => {
  const { place, eve, ofEve } = await twoStores();
  const gate = gated('add');
  const store = stage.clientOf('ada', { fetch: gate.fetch }).live.threads(place);
  const get = await liveStateOf(store);
  gate.hold();
  const added = store.add({ commentText: 'First' }, { annotationId: 'first' });
  const replied = store.reply('first', { commentText: 'Second' });
  expect(get()).toMatchObject({ pending: 2, threads: [{ comments: [{}, {}] }] });
  await settled(ofEve, (state) => state.threads.length === 1);
  // The reply waits for the thread, so that only the thread is there.
  expect(ofEve().threads[0]?.comments).toHaveLength(1);
  await eve.reply('first', { commentText: 'Third' });
  await settled(get, (state) => state.threads[0]?.comments.length === 3);
  expect(get()).toMatchObject({ pending: 2, threads: [{ pending: true, annotationNumber: 1 }] });
  gate.release();
  await Promise.all([added, replied]);
  await settled(ofEve, (state) => state.threads[0]?.comments.length === 3);
  await settled(get, (state) => state.pending === 0 && !('pending' in state.threads[0]!));
  expect(get().threads).toHaveLength(1);
  expect(get().threads[0]?.comments).toHaveLength(3);
});

test('after a reset everything is read again', async () => {
  const { place, ada, ofAda } = await twoStores();
  let streams = 0;
  const cut = new AbortController();
  const store = stage
    .clientOf('eve', {
      async fetch(input, init) {
        if (!String(input).includes('/v2/events')) return await fetch(input, init);
        const headers = new Headers(init?.headers);
        if (++streams === 1) {
          const signal = AbortSignal.any([cut.signal, init!.signal!]);
          return await fetch(input, { ...init, headers, signal });
        }
        // The stream comes back only after something has happened, with a position that is not known any more.
        await settled(ofAda, (state) => state.threads.length === 1 && state.pending === 0);
        headers.set('last-event-id', 'forgotten');
        return await fetch(input, { ...init, headers });
      },
    })
    .live.threads(place);
  const get = await liveStateOf(store);
  cut.abort();
  await settled(get, ({ status }) => status === 'offline');
  await ada.add({ commentText: 'Meanwhile' });
  await settled(get, (state) => state.status === 'live' && state.threads.length === 1);
  expect(streams).toBe(2);
});

test('the state ends with the document, and fails when the user loses access', async () => {
  const { place, ofAda } = await twoStores();
  await stage.tenant.must('/v2/organizations/documents/delete', {
    organizationId: 'acme',
    documentIds: [place.documentId],
  });
  await settled(ofAda, ({ status }) => status === 'ended');

  const secret = { organizationId: 'acme', documentId: 'secret' };
  await stage.tenant.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'secret', accessType: 'restricted' }],
  });
  const grant = {
    user: { userId: 'gus' },
    permissions: { resources: [{ type: 'document', id: 'secret', organizationId: 'acme' }] },
  };
  await stage.tenant.must('/v2/auth/permissions/add', grant);
  const { token } = await stage.tenant.must('/v2/auth/generate_token', {
    userId: 'gus',
    userProperties: { name: 'Gus', email: 'gus@acme.dev' },
    permissions: { resources: [{ type: 'organization', id: 'elsewhere' }] },
  });
  const get = await liveStateOf(stage.clientOf('gus', { getUserToken: () => token }).live.threads(secret));
  await stage.tenant.must('/v2/auth/permissions/remove', { ...grant, userId: 'gus' });
  const { error } = await settled(get, ({ status }) => status === 'failed');
  expect(error).toMatchObject({ status: 'PERMISSION_DENIED' });
  const unknown = use(stage.clientOf('ada').live.threads({ organizationId: 'acme', documentId: 'nowhere' }));
  await settled(unknown, ({ status, error }) => status === 'failed' && error?.status === 'PERMISSION_DENIED');
});

test('a stream is opened with a new token when the old one expires or is revoked', async () => {
  const place = await stage.newDocument();
  let asked = 0;
  let isRevoked = false;
  const client = stage.clientOf('ada', {
    getUserToken: () => {
      asked++;
      return stage.tenant.token('ada');
    },
    async fetch(input, init) {
      if (!isRevoked || !String(input).includes('/v2/')) return await fetch(input, init);
      isRevoked = false;
      return new Response('{"error":{"status":"UNAUTHENTICATED","message":"Revoked."}}', { status: 401 });
    },
  });
  const store = client.live.threads(place);
  const get = await liveStateOf(store);
  isRevoked = true;
  await store.add({ commentText: 'With a new token' });
  expect(asked).toBe(2);
  await settled(get, (state) => state.pending === 0 && state.threads[0]?.annotationNumber === 1);
});
