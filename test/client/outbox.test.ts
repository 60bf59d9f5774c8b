import { expect, test } from 'vitest';
import type { OutboxStorage, StoredWrite } from '../../packages/client/src/stores.ts';
import { until } from '../run/until.ts';
import { liveStateOf, type StoreStage, settled, stageForFile, use } from './store-stage.ts';

let stage: StoreStage;
stageForFile((made) => {
  stage = made;
});

/** A storage as a program in Node may have it, which outlives its clients. */
function newStorage() {
  const writes = new Map<string, StoredWrite>();
  const storage: OutboxStorage = {
    all: async () => structuredClone([...writes.values()]),
    put: async (write) => void writes.set(write.id, structuredClone(write)),
    delete: async (id) => void writes.delete(id),
  };
  return { storage, writes };
}

/** A page without a network, from \`leave\` on. */
function newPage(storage: OutboxStorage, userId = 'ada') {
  const sent: string[] = [];
  let isGone = false;
  const redpen = stage.clientOf(userId, {
    outbox: storage,
    async fetch(input, init) {
      if (isGone) throw new TypeError('There is no network.');
      const body = String(init?.body);
      if (/commentText/.test(body)) sent.push(/"commentText":"(.*?)"/.exec(body)![1]!);
      return await fetch(input, init);
    },
  });
  const set = (value: boolean) => {
    isGone = value;
  };
  return { redpen, sent, leave: () => set(true), back: () => set(false) };
}

/**
 * Begins a write on a page that may stay without a network. Its promise settles at any time later, during the tests of
 * another file too, and its error belongs to none of them.
 */
const begin = (write: Promise<unknown>) => void write.catch(() => {});

test('what could not be sent is pending on the next page, is sent in its order, and once', async () => {
  const place = await stage.newDocument();
  const { storage, writes } = newStorage();
  const first = newPage(storage);
  const store = first.redpen.live.threads(place);
  const get = await liveStateOf(store);
  first.leave();
  const texts = ['a', 'b', 'c', 'd'];
  begin(store.add({ commentText: 'a' }, { annotationId: 'kept' }));
  for (const commentText of texts.slice(1)) begin(store.reply('kept', { commentText }));
  const textsOf = (state: ReturnType<typeof get>) =>
    state.threads.flatMap(({ comments }) => comments.map(({ commentText }) => commentText));
  expect(textsOf(get())).toEqual(texts);
  await until(() => writes.size === 4, 'the writes to be stored');

  const second = newPage(storage);
  second.leave();
  const ofSecond = use(second.redpen.live.threads(place));
  await settled(ofSecond, (state) => state.pending === 4);
  expect(textsOf(ofSecond())).toEqual(texts);
  expect(ofSecond().threads).toMatchObject([{ pending: true }]);
  second.back();
  await settled(ofSecond, (state) => state.pending === 0 && state.status === 'live');
  expect(second.sent).toEqual(texts);
  expect(textsOf(ofSecond())).toEqual(texts);
  await until(() => writes.size === 0, 'the storage to be empty');

  // The first page was not closed after all: its writes are the same requests.
  first.back();
  await settled(get, (state) => state.pending === 0);
  expect(textsOf(await settled(get, (state) => !state.threads[0]?.pending))).toEqual(texts);
});

test('writes of another user or another service are not sent, and wait for them', async () => {
  const place = await stage.newDocument();
  const { storage, writes } = newStorage();
  const ada = newPage(storage);
  const store = ada.redpen.live.threads(place);
  await liveStateOf(store);
  ada.leave();
  begin(store.add({ commentText: 'of Ada' }));
  await until(() => writes.size === 1, 'the write to be stored');
  const [write] = writes.values();
  const elsewhere = { ...write!, id: 'other', owner: write!.owner.replace(stage.url, 'https://redpen.dev') };
  await storage.put(elsewhere);

  const eve = newPage(storage, 'eve');
  const ofEve = eve.redpen.live.threads(place);
  const get = await liveStateOf(ofEve);
  await ofEve.add({ commentText: 'of Eve' });
  await settled(get, (state) => state.pending === 0 && state.threads.length === 1);
  expect(eve.sent).toEqual(['of Eve']);
  expect([...writes.keys()].sort()).toEqual([write!.id, 'other'].sort());

  const later = use(newPage(storage).redpen.live.threads(place));
  await settled(later, (state) => state.pending === 0 && state.threads.length === 2);
  expect([...writes.keys()]).toEqual(['other']);
});

test('if the user of a client changes, what the one before has written is kept, and not sent in the name of the other', async () => {
  const place = await stage.newDocument();
  const { storage, writes } = newStorage();
  let userId = 'ada';
  let isGone = false;
  const bodies: string[] = [];
  const redpen = stage.clientOf(userId, {
    outbox: storage,
    getUserToken: () => stage.tenant.token(userId),
    async fetch(input, init) {
      if (isGone) throw new TypeError('There is no network.');
      bodies.push(String(init?.body));
      return await fetch(input, init);
    },
  });
  const store = redpen.live.threads(place);
  const get = await liveStateOf(store);
  isGone = true;
  const added = store.add({ commentText: 'secret of Ada' });
  const refused = expect(added).rejects.toMatchObject({ code: 'other-user' });
  await until(() => writes.size === 1, 'the write to be stored');
  userId = 'eve';
  redpen.connection.tokens!.drop();
  isGone = false;
  await refused;
  expect(get().pending).toBe(0);
  expect(bodies.join()).not.toContain('secret of Ada');
  expect([...writes.values()]).toMatchObject([{ owner: expect.stringContaining('ada') }]);
});

test('writes that are too old, or that the service refuses after a reload, are reported until they are discarded', async () => {
  const place = await stage.newDocument();
  const { storage, writes } = newStorage();
  const page = newPage(storage);
  const store = page.redpen.live.threads(place);
  await liveStateOf(store);
  page.leave();
  begin(store.add({ commentText: 'old' }));
  begin(store.reply('unknown', { commentText: 'refused' }));
  begin(store.add({ commentText: 'good' }));
  await until(() => writes.size === 3, 'the writes to be stored');
  for (const write of writes.values()) {
    if (JSON.stringify(write.data).includes('old'))
      await storage.put({ ...write, at: write.at - 24 * 3_600_000 });
  }

  const next = newPage(storage);
  const nextStore = next.redpen.live.threads(place);
  const get = await liveStateOf(nextStore);
  await settled(
    get,
    (state) => state.unsent.length === 2 && state.threads.length === 1 && state.pending === 0,
  );
  expect(next.sent).toEqual(['refused', 'good']);
  expect(get().unsent.map(({ error }) => error.status)).toEqual(['DEADLINE_EXCEEDED', 'NOT_FOUND']);
  expect(JSON.stringify(get().unsent[0]!.data)).toContain('"old"');

  const last = newPage(storage);
  const lastStore = last.redpen.live.threads(place);
  const ofLast = await liveStateOf(lastStore);
  await settled(ofLast, (state) => state.unsent.length === 2);
  for (const { id } of ofLast().unsent) await lastStore.discard(id);
  expect(ofLast().unsent).toEqual([]);
  expect(writes.size).toBe(0);
  expect(last.sent).toEqual([]);
});

test('a storage that fails costs nothing but the safety of a reload', async () => {
  const fail = async () => Promise.reject(new Error('The disk is full.'));
  const { redpen } = newPage({ all: fail, put: fail, delete: fail });
  const store = redpen.live.threads(await stage.newDocument());
  const get = await liveStateOf(store);
  await store.add({ commentText: 'sent' });
  await settled(get, (state) => state.pending === 0 && state.threads.length === 1);
});

test('a write whose token is refused again after a time without a network gets another token again', async () => {
  const place = await stage.newDocument();
  const answers = ['refused', 'lost', 'refused'];
  let asked = 0;
  const store = stage
    .clientOf('ada', {
      async getUserToken() {
        asked += 1;
        return stage.tenant.token('ada');
      },
      async fetch(input, init) {
        const answer = String(input).endsWith('/commentannotations/add') ? answers.shift() : undefined;
        if (answer === 'lost') throw new TypeError('There is no network.');
        if (answer !== 'refused') return await fetch(input, init);
        return new Response('{"error":{"status":"UNAUTHENTICATED","message":"Revoked."}}', { status: 401 });
      },
    })
    .live.threads(place);
  const get = await liveStateOf(store);
  await store.add({ commentText: 'Twice refused' });
  expect([answers, asked]).toEqual([[], 3]);
  await settled(get, (state) => state.pending === 0 && state.threads[0]?.annotationNumber === 1);
});
