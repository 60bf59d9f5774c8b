import { expect, test } from 'vitest';
import { untilBlocks } from '../../../test/database/lock-waits.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { appendLiveEvents, endOfLiveEvents, nextLiveEvents, nextLiveEventsOf } from './live-events.ts';

const place = { organizationId: 'acme', documentId: 'home' };

/** Raises an event and puts it in the row, as relay and subscriber would. */
async function append(tx: Tx, scope: Scope, step: number, at: typeof place = place): Promise<void> {
  await emit(tx, scope, 'live_state.broadcast', { ...at, liveStateDataId: 's', data: { step } });
  const { eventId } = await tx
    .selectFrom('events')
    .select('eventId')
    .where('apiKeyId', '=', scope.apiKeyId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await appendLiveEvents(tx, [{ apiKeyId: scope.apiKeyId, ...at, eventId, name: 'live_state.broadcast' }]);
}

const stepsOf = (events: { payload: Record<string, unknown> }[]) =>
  events.map(({ payload }) => (payload.data as { step: number }).step);

test('numbers follow the order of commits, so that readers miss no event', async () => {
  const { deps } = await testApp();
  const scope = { workspaceId: newId('ws'), apiKeyId: newId('key') };
  const organization = { apiKeyId: scope.apiKeyId, organizationId: place.organizationId };
  const { newest } = await endOfLiveEvents(deps.db);
  const isWritten = Promise.withResolvers<void>();
  const isBlocking = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const first = deps.db.transaction().execute(async (tx) => {
    await append(tx, scope, 1);
    isWritten.resolve();
    await untilBlocks(tx);
    isBlocking.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  const second = deps.db.transaction().execute((tx) => append(tx, scope, 2));
  await isBlocking.promise;
  // Reads are not blocked by writers, so this one ends before the first transaction does.
  const early = await nextLiveEvents(deps.db, [organization], newest);
  mayCommit.resolve();
  await Promise.all([first, second]);
  const late = await nextLiveEvents(deps.db, [organization], early.upTo);
  expect(stepsOf([...early.events, ...late.events])).toEqual([1, 2]);
});

test('events of a rolled back transaction are skipped, and leave a gap in the numbers', async () => {
  const { deps } = await testApp();
  const scope = { workspaceId: newId('ws'), apiKeyId: newId('key') };
  const organization = { apiKeyId: scope.apiKeyId, organizationId: place.organizationId };
  const { newest } = await endOfLiveEvents(deps.db);
  for (const step of [1, 2, 3]) {
    const written = deps.db.transaction().execute(async (tx) => {
      await append(tx, scope, step);
      if (step === 2) throw new Error('undo');
    });
    if (step === 2) await expect(written).rejects.toThrow('undo');
    else await written;
  }
  const { events } = await nextLiveEvents(deps.db, [organization], newest);
  expect(stepsOf(events)).toEqual([1, 3]);
  expect(events[1]!.seq).toBeGreaterThan(events[0]!.seq);
});

test('a page holds the events of the requested organizations or document, and its end', async () => {
  const { deps } = await testApp();
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const { newest } = await endOfLiveEvents(deps.db);
  const other = { organizationId: 'beta', documentId: 'home' };
  const beside = { organizationId: 'acme', documentId: 'beside' };
  await deps.db.transaction().execute(async (tx) => {
    await append(tx, mine, 1);
    await append(tx, theirs, 2);
    await append(tx, mine, 3, other);
    await append(tx, mine, 4, beside);
    await append(tx, theirs, 5);
  });
  const organization = { apiKeyId: mine.apiKeyId, organizationId: 'acme' };
  const ofBoth = await nextLiveEvents(deps.db, [organization, { ...organization, ...other }], newest);
  expect([stepsOf(ofBoth.events), ofBoth.isFull]).toEqual([[1, 3, 4], false]);
  expect(ofBoth.upTo).toBe((await endOfLiveEvents(deps.db)).newest);
  const cut = await nextLiveEvents(deps.db, [organization], newest, 2);
  expect([stepsOf(cut.events), cut.isFull, cut.upTo < ofBoth.upTo]).toEqual([[1], true, true]);
  expect(stepsOf((await nextLiveEvents(deps.db, [organization], cut.upTo)).events)).toEqual([4]);
  expect(stepsOf((await nextLiveEventsOf(deps.db, organization, undefined, newest)).events)).toEqual([1, 4]);
  const ofDocument = await nextLiveEventsOf(deps.db, organization, 'beside', newest);
  expect([stepsOf(ofDocument.events), ofDocument.upTo]).toEqual([[4], ofBoth.upTo]);
  expect(await nextLiveEvents(deps.db, [], ofBoth.upTo)).toEqual({
    events: [],
    upTo: ofBoth.upTo,
    isFull: false,
  });
});
