import { expect, test } from 'vitest';
import type { OutboxStorage, StoredWrite } from '../../packages/client/src/stores.ts';
import { until } from '../run/until.ts';
import { liveStateOf, type StoreStage, settled, stageForFile } from './store-stage.ts';

let stage: StoreStage;
stageForFile((made) => {
  stage = made;
});

/** A page whose session may become that of another user, or be out of reach. */
async function newPage(outbox?: OutboxStorage) {
  const place = await stage.newDocument();
  let userId: string | undefined = 'ada';
  let cut = new AbortController();
  const redpen = stage.clientOf('ada', {
    outbox,
    getUserToken() {
      if (userId === undefined) throw new Error('The backend is away.');
      return stage.tenant.token(userId);
    },
    async fetch(input, init) {
      if (!String(input).includes('/v2/events')) return await fetch(input, init);
      return await fetch(input, { ...init, signal: AbortSignal.any([cut.signal, init!.signal!]) });
    },
  });
  /** Breaks the stream; the next token is of this user. */
  function become(next: string | undefined): void {
    userId = next;
    redpen.connection.tokens!.drop();
    cut.abort();
    cut = new AbortController();
  }
  return { place, redpen, become };
}

test('if the user of a client changes, the state has nothing that only the user before could see', async () => {
  const { place, redpen, become } = await newPage();
  const store = redpen.live.threads(place);
  const get = await liveStateOf(store);
  await store.add({ commentText: 'for all' });
  await store.add({ commentText: 'for Ada' }, { visibilityConfig: { type: 'restricted', userIds: ['ada'] } });
  await settled(get, (state) => state.threads.length === 2 && state.pending === 0);
  become('eve');
  await settled(get, (state) => state.status !== 'live');
  const { threads } = await settled(get, (state) => state.status === 'live');
  expect(threads.map(({ comments }) => comments[0]?.commentText)).toEqual(['for all']);
  await store.markRead(threads[0]!.annotationId);
  become('ada');
  await settled(get, (state) => state.threads.length === 2);
});

test('a write while no token can be had is kept for the last known user', async () => {
  const writes = new Map<string, StoredWrite>();
  const { place, redpen, become } = await newPage({
    all: async () => [...writes.values()],
    put: async (write) => void writes.set(write.id, write),
    delete: async (id) => void writes.delete(id),
  });
  const store = redpen.live.threads(place);
  const get = await liveStateOf(store);
  become(undefined);
  await settled(get, (state) => state.status === 'offline');
  const refused = expect(store.add({ commentText: 'of Ada' })).rejects.toMatchObject({ code: 'other-user' });
  await until(() => writes.size === 1, 'the write to be stored', 20_000);
  become('eve');
  await refused;
  expect([...writes.values()]).toMatchObject([{ owner: expect.stringContaining('ada') }]);
});
