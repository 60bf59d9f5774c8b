import { afterAll, beforeAll, expect, test } from 'vitest';
import { gated, liveStateOf, newStoreStage, type StoreStage, settled } from './store-stage.ts';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
let stage: StoreStage;
beforeAll(async () => {
  stage = await newStoreStage(cleanUp);
});
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step();
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
