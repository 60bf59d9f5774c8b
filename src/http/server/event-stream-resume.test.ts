import { expect, test } from 'vitest';
import type { EventClient } from '../../../test/fakes/event-source.ts';
import { type EventStage, newEventStage, organizationId, place } from '../../../test/live/event-stage.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { testApp } from '../../../test/service/harness.ts';
import { emitAll } from '../../events/emit.ts';
import { positionIds } from '../../realtime/feed/stream-position.ts';
import { LIVE_EVENTS_KEPT_MS, pruneLiveEvents } from '../../store/live/live-events.ts';
import { runDeletion } from '../../store/privacy/data-deletions.ts';

const ada = { userId: 'ada', name: 'Ada' };

/** Raises one event per step, and relays them. */
async function broadcast(stage: EventStage, ...steps: number[]): Promise<void> {
  const { deps } = await testApp();
  for (let from = 0; from < steps.length; from += 50) {
    const payloads = steps
      .slice(from, from + 50)
      .map((step) => ({ ...place, liveStateDataId: 's', data: { step } }));
    await deps.db
      .transaction()
      .execute((tx) => emitAll(tx, stage.workspace, 'live_state.broadcast', payloads));
  }
  await stage.relay();
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const stepsOf = ({ events }: EventClient) => events.flatMap(({ data }) => data.data?.step ?? []);
const receivedSteps = async (stage: EventStage, client: EventClient) =>
  (await stage.receivedBy(client)).flatMap(({ data }) => data.data?.step ?? []);
const resumeAt = (id: string) => ({ 'last-event-id': id });

test('a resumed stream has all missed events once, followed by new ones', async () => {
  const stage = await newEventStage();
  const user = await newUserToken(stage.workspace, {});
  for (const headers of [stage.workspace.keyHeaders, user.headers]) {
    const first = await stage.open(headers);
    await broadcast(stage, 1, 2, 3);
    await receivedSteps(stage, first);
    first.close();
    const third = first.events.find(({ data }) => data.data?.step === 3)!;
    await broadcast(stage, 4, 5);
    const missed = broadcast(stage, ...range(6, 700));
    const second = await stage.open({ ...headers, ...resumeAt(third.id) });
    await missed;
    await broadcast(stage, 700, 701);
    expect(await receivedSteps(stage, second)).toEqual(range(4, 702));
    // An event has the same id in every stream.
    const again = await stage.open({ ...headers, ...resumeAt(third.id) });
    expect(await receivedSteps(stage, again)).toEqual(range(4, 702));
    const idsOf = ({ events }: EventClient) => events.map(({ id }) => id).slice(0, 690);
    expect(idsOf(again)).toEqual(idsOf(second));
    expect(new Set(second.events.map(({ id }) => id)).size).toBe(second.events.length);
  }
});

test('a stream that received no events resumes from its start', async () => {
  const stage = await newEventStage();
  await broadcast(stage, 1);
  const first = await stage.open();
  await expect.poll(() => first.stream.lastEventId()).not.toBe('');
  first.close();
  await broadcast(stage, 2, 3);
  const byHeader = await stage.open({
    ...stage.workspace.keyHeaders,
    ...resumeAt(first.stream.lastEventId()),
  });
  const byQuery = await stage.open(undefined, { lastEventId: first.stream.lastEventId() });
  await broadcast(stage, 4);
  for (const client of [byHeader, byQuery]) expect(await receivedSteps(stage, client)).toEqual([2, 3, 4]);
  // A browser that reconnects sends the header, to the address that it used first.
  const both = await stage.open(
    { ...stage.workspace.keyHeaders, ...resumeAt(byHeader.events.at(-1)!.id) },
    { lastEventId: first.stream.lastEventId() },
  );
  await broadcast(stage, 5);
  expect(await receivedSteps(stage, both)).toEqual([5]);
});

test('an unknown position resets the stream, which continues with new events', async () => {
  const stage = await newEventStage();
  const other = await newEventStage();
  const { deps } = await testApp();
  const foreign = await other.open();
  await expect.poll(() => foreign.stream.lastEventId()).not.toBe('');
  const ids = positionIds(deps.keyring, stage.workspace.apiKeyId);
  const at = Date.now();
  await broadcast(stage, 1);
  const unknown = {
    foreign: foreign.stream.lastEventId(),
    broken: 'evt_1',
    'too old': ids.idOf({ seq: 1, at: at - LIVE_EVENTS_KEPT_MS - 1_000 }),
    'from the future': ids.idOf({ seq: 2 ** 40, at }),
    long: 'x'.repeat(10_000),
  };
  for (const [name, id] of Object.entries(unknown)) {
    const client = await stage.open({ ...stage.workspace.keyHeaders, ...resumeAt(id) });
    await broadcast(stage, 2);
    expect(await receivedSteps(stage, client), name).toEqual([2]);
    expect(client.events[0], name).toMatchObject({ event: 'reset', data: { reason: 'unknown_position' } });
    // A stream can resume from this position.
    const again = await stage.open({ ...stage.workspace.keyHeaders, ...resumeAt(client.events[0]!.id) });
    expect(await receivedSteps(stage, again), name).toEqual([2]);
  }
});

test('missed events are filtered by the current permissions', async () => {
  const stage = await newEventStage();
  const { must } = stage.workspace;
  const closed = { organizationId, documentId: 'closed' };
  await must('/v2/organizations/documents/add', { organizationId, documents: [{ documentId: 'closed' }] });
  const bo = await newUserToken(stage.workspace, { userId: 'bo' });
  const first = await stage.open(bo.headers);
  await expect.poll(() => first.stream.lastEventId()).not.toBe('');
  first.close();
  const annotate = (annotationId: string) =>
    must('/v2/commentannotations/add', {
      ...place,
      commentAnnotations: [{ annotationId, commentData: [{ from: ada, commentText: 'Secret' }] }],
    });
  await annotate('hidden-since');
  await annotate('gone-since');
  await annotate('still-there');
  await must('/v2/livestate/broadcast', { ...closed, liveStateDataId: 's', data: {} });
  const visibility = { type: 'restricted', userIds: ['cy'] };
  await must('/v2/commentannotations/update', {
    ...place,
    annotationIds: ['hidden-since'],
    updatedData: { visibility },
  });
  await must('/v2/commentannotations/delete', { ...place, annotationIds: ['gone-since'] });
  await must('/v2/organizations/documents/access/update', {
    organizationId,
    documentIds: ['closed'],
    accessType: 'restricted',
  });
  await stage.relay();
  const second = await stage.open({ ...bo.headers, ...resumeAt(first.stream.lastEventId()) });
  const events = (await stage.receivedBy(second)).map(({ event, data }) => [
    event,
    data.annotationId ?? data.documentId,
  ]);
  expect(events).toEqual([
    ['comment_annotation.add', 'still-there'],
    ['comment_annotation.delete', 'hidden-since'],
    ['comment_annotation.delete', 'gone-since'],
  ]);
  const words = JSON.stringify(second.events.filter(({ data }) => data.annotationId !== 'still-there'));
  expect(words).not.toContain('Secret');
});

test('an erased user is in no replayed event', async () => {
  const stage = await newEventStage();
  const { must, post, workspaceId, apiKeyId } = stage.workspace;
  const { deps } = await testApp();
  const gone = { userId: 'ada-7d1', name: 'Ada Xanthippe', email: 'ada-7d1@example.com' };
  const first = await stage.open();
  await expect.poll(() => first.stream.lastEventId()).not.toBe('');
  first.close();
  const visibility = { type: 'restricted', userIds: ['bo', gone.userId] };
  await must('/v2/presence/add', { ...place, users: [gone] });
  await must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      { annotationId: 'a', visibility, commentData: [{ from: gone, commentText: 'Mine' }] },
    ],
  });
  await stage.relay();
  const { jobId } = (await post('/v2/users/data/delete', { userIds: [gone.userId] })).body.data;
  await runDeletion(deps.db, deps.jobs, { workspaceId, apiKeyId, jobId }, new AbortController().signal);
  const resume = async (headers: Record<string, string>) => {
    const client = await stage.open({ ...headers, ...resumeAt(first.stream.lastEventId()) });
    return { client, names: (await stage.receivedBy(client)).map(({ event }) => event) };
  };
  const backend = await resume(stage.workspace.keyHeaders);
  expect(backend.names).toEqual([
    'presence.update',
    'comment_annotation.add',
    'comment.delete',
    'comment_annotation.delete',
  ]);
  expect(JSON.stringify(backend.client.events)).not.toMatch(/ada-7d1|Xanthippe/);
  const [bo, cy] = await Promise.all(
    ['bo', 'cy'].map(async (userId) => resume((await newUserToken(stage.workspace, { userId })).headers)),
  );
  expect(bo!.names).toEqual(['presence.update', 'comment_annotation.delete']);
  expect(cy!.names).toEqual(['presence.update']);
});

test('events are pruned after a day', async () => {
  const stage = await newEventStage();
  const { deps } = await testApp();
  await broadcast(stage, 1, 2);
  const mine = () =>
    deps.db.selectFrom('liveEvents').select('seq').where('apiKeyId', '=', stage.workspace.apiKeyId).execute();
  const before = await mine();
  await pruneLiveEvents(deps.db, Date.now() + LIVE_EVENTS_KEPT_MS);
  expect(await mine()).toEqual(before);
  await deps.db
    .updateTable('liveEvents')
    .set((eb) => ({ createdAt: eb('createdAt', '-', 2 * LIVE_EVENTS_KEPT_MS) }))
    .where('apiKeyId', '=', stage.workspace.apiKeyId)
    .execute();
  await pruneLiveEvents(deps.db, Date.now());
  expect(await mine()).toEqual([]);
});

test('large events are read in small batches, and all of them arrive', async () => {
  const stage = await newEventStage();
  const { deps } = await testApp();
  const first = await stage.open();
  await expect.poll(() => first.stream.lastEventId()).not.toBe('');
  first.close();
  const random = () => Array.from({ length: 400_000 }, () => Math.random().toString(36)[2] ?? '0').join('');
  const payloads = range(0, 6).map((step) => ({
    ...place,
    liveStateDataId: 's',
    data: { step, text: random() },
  }));
  await deps.db.transaction().execute((tx) => emitAll(tx, stage.workspace, 'live_state.broadcast', payloads));
  await stage.relay();
  const second = await stage.open({
    ...stage.workspace.keyHeaders,
    ...resumeAt(first.stream.lastEventId()),
  });
  expect(await receivedSteps(stage, second)).toEqual(range(0, 6));
  expect(stepsOf(second)).toEqual(range(0, 6));
});
