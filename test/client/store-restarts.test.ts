import { beforeAll, expect, test } from 'vitest';
import { rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { ownService, type SharedService } from '../service/worker-service.ts';
import { liveStateOf, newStoreStage, type StoreStage, settled } from './store-stage.ts';

const RESTARTS = rounds(1, 2, 'RESTARTS');
const EVENTS = rounds(80, 240, 'EVENTS');
const WRITERS = ['ada', 'bob', 'cy', 'dan'];

let service: SharedService;
let stage: StoreStage;
beforeAll(async () => {
  service = await ownService();
  stage = await newStoreStage({ service });
});

test('if the service is killed between a write and its answer, there is one row, and it shows once', async () => {
  const place = await stage.newDocument();
  const keys: string[] = [];
  const killed = Promise.withResolvers<void>();
  const store = stage
    .clientOf('ada', {
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (!String(input).endsWith('/comments/add')) return response;
        keys.push(new Headers(init?.headers).get('idempotency-key')!);
        if (keys.length > 1) return response;
        await response.text();
        await service.kill('SIGKILL');
        killed.resolve();
        throw new TypeError('The connection broke.');
      },
    })
    .live.threads(place);
  const get = await liveStateOf(store);
  const { annotationId = '' } = await store.add({ commentText: 'A question' });
  const sizes = new Set<number>();
  store.subscribe(() => void sizes.add(get().threads[0]?.comments.length ?? 0));
  const replied = store.reply(annotationId, { commentText: 'An answer' });
  await killed.promise;
  await settled(get, ({ status, pending }) => status === 'offline' && pending === 1);
  expect(get().threads[0]?.comments).toHaveLength(2);
  await service.restart();
  const commentId = await replied;
  await settled(get, ({ status, threads }) => status === 'live' && !threads[0]?.pending);
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);
  const rows = await stage.clientOf('ada').comments.list({ ...place, annotationId });
  expect(rows.map((row) => row?.commentId)).toEqual([expect.any(Number), commentId]);
  expect(get().threads[0]?.comments.map((one) => one.commentId)).toEqual(rows.map((row) => row?.commentId));
  expect(Math.max(...sizes)).toBe(2);
});

test(`of ${EVENTS} events over ${RESTARTS} restarts, a store loses none and shows none twice`, {
  timeout: 900_000,
}, async () => {
  const place = await stage.newDocument();
  const get = await liveStateOf(stage.clientOf('eve').live.threads(place));
  const each = EVENTS / WRITERS.length;
  const writers = WRITERS.map((user) => stage.clientOf(user, { tries: 10_000, timeoutMs: 600_000 }));
  let written = 0;
  const writing = Promise.all(
    writers.map(async ({ annotations, comments }, writer) => {
      const annotationId = `of-${writer}`;
      await annotations.add({
        ...place,
        commentAnnotations: [{ annotationId, commentData: [{ commentId: 0, commentText: '0' }] }],
      });
      for (let commentId = 1; commentId < each; commentId++) {
        await comments.add({
          ...place,
          annotationId,
          commentData: [{ commentId, commentText: `${commentId}` }],
        });
        written++;
      }
    }),
  );
  for (let restart = 1; restart <= RESTARTS; restart++) {
    await until(() => written > (restart * EVENTS) / (RESTARTS + 1), 'writes');
    await service.restart();
  }
  await writing;
  const idsOf = () => get().threads.map(({ comments }) => comments.map(({ commentId }) => commentId));
  await until(() => idsOf().flat().length >= EVENTS, 'all events');
  const all = Array.from({ length: each }, (_, index) => index);
  expect(idsOf().map((ids) => ids.toSorted((a, b) => a - b))).toEqual(WRITERS.map(() => all));
  const read = await writers[0]!.annotations.list(place);
  const texts = (threads: typeof read) =>
    threads.map((one) => one?.comments.map(({ commentText }) => commentText));
  expect(texts([...get().threads])).toEqual(texts(read));
});
