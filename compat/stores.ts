// Live stores.
import { createClient, type Store, type StoredWrite } from '@redpen/client';
import { type Actors, equal, OTHER, type Sections, settled, tokenOf, USER, untilOpen } from './actors.ts';

/** Uses stores while the work runs, and then waits until the service has seen the end of their streams. */
async function using(actors: Actors, stores: Store<unknown>[], work: () => Promise<void>): Promise<void> {
  const stops = stores.map((store) => store.subscribe(() => {}));
  try {
    await work();
  } finally {
    for (const stop of stops) stop();
  }
  await untilOpen(actors, 'redpen_event_streams_open', 0);
}

export const storeSections: Sections = {
  async 'a store of threads shows own changes at once, and those of others when they arrive'(actors) {
    const place = { organizationId: actors.stage.organizationId, documentId: 'd3' };
    const [mine, theirs] = [actors.user.live.threads(place), actors.other.live.threads(place)];
    await using(actors, [mine, theirs], async () => {
      for (const store of [mine, theirs]) await settled(store, ({ status }) => status === 'live');
      const adding = mine.add({ commentText: 'Ünïcode 🖊' });
      const shown = await settled(mine, ({ threads }) => threads.length === 1);
      equal(
        [shown.pending, shown.threads[0]?.pending, shown.threads[0]?.comments[0]?.from?.userId],
        [1, true, USER.userId],
      );
      const { annotationId } = await adding;
      const arrived = await settled(theirs, ({ threads }) => threads[0]?.annotationId === annotationId);
      equal(arrived.threads[0]?.comments[0]?.commentText, 'Ünïcode 🖊');
      const commentId = await theirs.reply(String(annotationId), { commentText: 'Seen.' });
      const { threads } = await settled(mine, (state) => state.threads[0]?.comments.length === 2);
      const [, reply] = threads[0]!.comments;
      equal([reply?.commentId, reply?.commentText, reply?.from?.userId], [commentId, 'Seen.', OTHER.userId]);
      await mine.update(String(annotationId), {
        status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal' },
      });
      await settled(theirs, (state) => state.threads[0]?.status?.type === 'terminal');
      await mine.delete(String(annotationId));
      for (const store of [mine, theirs])
        await settled(store, (state) => state.threads.length === 0 && state.pending === 0);
    });
    equal(mine.get().status, 'loading');
  },

  async 'a change that cannot be sent waits in the outbox, and is sent once the network is back'(actors) {
    const place = { organizationId: actors.stage.organizationId, documentId: 'd4' };
    const kept = new Map<string, StoredWrite>();
    let isAway = false;
    const keys: (string | null)[] = [];
    const client = createClient({
      baseUrl: actors.stage.url,
      getUserToken: () => tokenOf(actors),
      outbox: {
        all: async () => [...kept.values()],
        put: async (write) => void kept.set(write.id, structuredClone(write)),
        delete: async (id) => void kept.delete(id),
      },
      async fetch(input, init) {
        const isWrite = String(input).endsWith('/commentannotations/add');
        if (isWrite && isAway) throw new TypeError('There is no network.');
        if (isWrite) keys.push(new Headers(init?.headers).get('idempotency-key'));
        const answer = await fetch(input, init);
        if (!isWrite || keys.length > 1) return answer;
        await answer.text();
        throw new TypeError('The answer is lost.');
      },
    });
    const store = client.live.threads(place);
    await using(actors, [store], async () => {
      await settled(store, ({ status }) => status === 'live');
      isAway = true;
      const adding = store.add({ commentText: 'Later' });
      await settled(store, ({ pending, threads }) => pending === 1 && threads.length === 1);
      while (kept.size === 0) await new Promise((done) => setTimeout(done, 5));
      isAway = false;
      const { annotationId } = await adding;
      equal([keys.length, new Set(keys).size, kept.size], [2, 1, 0]);
      const { threads } = await settled(store, (state) => state.pending === 0 && !state.threads[0]?.pending);
      equal(
        threads.map((thread) => thread.annotationId),
        [annotationId],
      );
    });
    equal((await actors.user.annotations.all(place, { max: 9 })).length, 1);
  },

  async 'users of a document see each other come, change and leave'(actors) {
    const place = { organizationId: actors.stage.organizationId, documentId: 'd3' };
    const [mine, theirs] = [actors.user.live.presence(place), actors.other.live.presence(place)];
    await using(actors, [mine, theirs], async () => {
      for (const store of [mine, theirs]) await settled(store, ({ status }) => status === 'live');
      await mine.join({ data: { cursor: 1 } });
      const { users } = await settled(theirs, (state) => state.users.length === 1);
      equal([users[0]?.userId, users[0]?.status, users[0]?.cursor], [USER.userId, 'online', 1]);
      await mine.update({ status: 'away', data: { cursor: 2 } });
      await settled(theirs, (state) => state.users[0]?.status === 'away' && state.users[0].cursor === 2);
      await mine.leave();
      await settled(theirs, (state) => state.users.length === 0);
    });
  },

  async 'notifications arrive, and are marked as read'(actors) {
    const { backend, other, stage } = actors;
    const { organizationId } = stage;
    const store = other.live.notifications({ organizationId });
    await using(actors, [store], async () => {
      await settled(store, ({ status }) => status === 'live');
      const before = store.get().notifications.length;
      await backend.notifications.add({
        organizationId,
        documentId: 'd3',
        actionUser: USER,
        displayHeadlineMessageTemplate: 'For Bob',
        displayBodyMessage: 'Look.',
        notifyUsers: [OTHER],
        notifyAll: false,
      });
      const { notifications } = await settled(store, (state) => state.notifications.length > before);
      equal(
        [notifications[0]?.displayHeadlineMessageTemplate, notifications[0]?.isUnread],
        ['For Bob', true],
      );
      await store.markAllRead();
      await settled(store, ({ unread }) => unread === 0);
    });
  },

  async 'a run is followed from its start to its end'({ backend, stage }) {
    const { executionId } = await backend.executions.run({ agentId: 'broken-links', url: stage.siteUrl });
    const store = backend.live.run(executionId);
    const { execution, lines, findings } = await settled(store, ({ status }) => status === 'ended');
    equal([execution?.id, execution?.status, findings.length], [executionId, 'failed', 1]);
    equal(new Set(lines.map(({ id }) => id)).size, lines.length);
    const unknown = backend.live.run('exec_1_none');
    const { error } = await settled(unknown, ({ status }) => status === 'failed');
    equal(error?.status, 'NOT_FOUND');
  },
};
