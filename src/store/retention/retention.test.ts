import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { amend } from '../../../test/reviews/executions.ts';
import {
  dispatch,
  links,
  onDocument,
  siteOf,
  small,
  work,
  workspaceWithDocument,
} from '../../../test/reviews/runs.ts';
import { keepScreenshot, plainTile } from '../../../test/reviews/screenshots.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { json } from '../../db/sql-fragments.ts';
import { deleteMarkedFiles } from '../../files/stored-files.ts';
import { DAY_MS } from '../../lib/day.ts';
import { runReview } from '../../review/run/run-review.ts';
import { countStored, listStored } from '../platform/stored-bytes.ts';
import { countOld, type KeptDays, RETENTION_KINDS, type RetentionKind, removeOld } from './retention.ts';

// Old rows are from 1970. Those that other files have left in the database are removed first.
const LONG_AGO = 5_000;
const now = DAY_MS + 2 * LONG_AGO;
const forEver: KeptDays = {
  runs: undefined,
  screenshots: undefined,
  run_logs: undefined,
  notifications: undefined,
  activities: undefined,
  events: undefined,
  deliveries: undefined,
};
const { signal } = new AbortController();

beforeAll(async () => {
  const { deps } = await testApp();
  for (const kind of RETENTION_KINDS)
    await removeOld(deps.db, kind, { ...forEver, [kind]: 1 }, { now, signal });
});

/** Removes kinds that are older than a day, and checks that the counts before agree. */
async function prune(...kinds: RetentionKind[]) {
  const { deps } = await testApp();
  const kept = { ...forEver, ...Object.fromEntries(kinds.map((kind) => [kind, 1])) };
  const counted = await Promise.all(kinds.map((kind) => countOld(deps.db, kind, kept, now)));
  const removed = [];
  for (const kind of kinds) removed.push(await removeOld(deps.db, kind, kept, { now, signal }));
  expect(removed).toEqual(counted);
  const again = await Promise.all(kinds.map((kind) => countOld(deps.db, kind, kept, now)));
  for (const tally of again) expect(tally).toEqual({ rows: 0, files: 0, bytes: 0, oldestAt: null });
  await deleteMarkedFiles(deps.db, deps.outside.blobs, Date.now());
  return removed.map((tally) => tally!);
}

/** Makes an ended run, and the findings that it saw last, as old as the rest. */
async function age(w: TestWorkspace, ...executionIds: string[]) {
  const { deps } = await testApp();
  for (const executionId of executionIds) {
    await amend(w, executionId, { startedAt: LONG_AGO - 1, completedAt: LONG_AGO });
    await deps.db
      .updateTable('findingRecords')
      .set({ lastSeenAt: LONG_AGO })
      .where('apiKeyId', '=', w.apiKeyId)
      .where('lastExecutionId', '=', executionId)
      .execute();
  }
}

const statusOf = async (w: TestWorkspace, path: string, data: object) => (await w.post(path, data)).status;
const GET = '/v2/agents/execution/get';
const listedRuns = async (w: TestWorkspace) =>
  (await w.must('/v2/agents/execution/list', { ...onDocument, pageSize: 50 })).executions.map(
    ({ id }: { id: string }) => id,
  );
const findingsOf = async (w: TestWorkspace) =>
  (
    await w.must('/v2/agents/findings/list', {
      pageSize: 500,
      decision: ['undecided', 'accepted', 'rejected', 'resolved'],
      state: ['new', 'still_there', 'fixed'],
    })
  ).findings;

test('an old run goes with all of its parts and its files, and what people decide on stays', async () => {
  const { deps } = await testApp();
  const w = await workspaceWithDocument();
  const { url } = await siteOf(small);
  const old = await dispatch(w, links, { url, ...onDocument });
  await work(w, old);
  const [suggested] = await findingsOf(w);
  const [blobKey = ''] = await keepScreenshot(w, suggested.id, [await plainTile()]);
  const undecided = await dispatch(w, links, { url: `${url}/a` });
  await work(w, undecided);
  const young = await dispatch(w, links, { url, ...onDocument });
  const ofYoung = await work(w, young);
  const unfinished = await dispatch(w, links, { url: `${url}/b`, ...onDocument });
  await age(w, old, undecided);
  await amend(w, unfinished, { startedAt: LONG_AGO });
  const annotations = await w.must('/v2/commentannotations/get', onDocument);
  const before = await findingsOf(w);

  const [runs] = await prune('runs');

  expect(runs).toMatchObject({ files: 1, oldestAt: LONG_AGO });
  expect(runs!.bytes).toBeGreaterThan(0);
  expect(await deps.outside.blobs.get(blobKey)).toBeUndefined();
  for (const executionId of [old, undecided]) {
    expect(await statusOf(w, GET, { executionId })).toBe(404);
    const { app } = await testApp();
    const report = await app.inject({
      url: `/v2/agents/execution/${executionId}/report`,
      headers: w.keyHeaders,
    });
    expect(report.statusCode).toBe(404);
  }
  const shown = await w.must(GET, { executionId: young, includeResults: true, includeLog: true });
  expect(shown).toEqual(ofYoung);
  expect(await listedRuns(w)).toEqual(expect.arrayContaining([young, unfinished]));
  expect(await listedRuns(w)).toHaveLength(2);
  expect(await w.must('/v2/commentannotations/get', onDocument)).toEqual(annotations);
  // Only those of the run without a document have neither a suggestion nor a decision.
  expect(await findingsOf(w)).toEqual(
    before.filter(({ executionId }: { executionId: string }) => executionId !== undecided),
  );
  expect(before.length).toBeGreaterThan((await findingsOf(w)).length);
  expect(await statusOf(w, '/v2/agents/analytics/get', {})).toBe(200);
  expect((await work(w, unfinished)).execution.status).not.toBe('running');
});

test('a finding with a decision outlives its run, and then says that it has no screenshot', async () => {
  const w = await newWorkspace();
  const { url } = await siteOf(small);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const run = async () => {
    const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url });
    return await work(w, executionId);
  };
  const { execution } = await run();
  const [first] = await findingsOf(w);
  await w.must('/v2/agents/findings/decide', { findingIds: [first.id], decision: 'rejected' });
  await age(w, execution.id);
  await prune('runs');
  const [kept, ...others] = await findingsOf(w);
  expect(kept).toMatchObject({ id: first.id, decision: 'rejected', agentName: 'Links' });
  expect(others).toEqual([]);
  const picture = await w.post('/v2/agents/findings/picture', { findingId: first.id });
  expect(picture.body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: expect.stringContaining('removed since'),
  });
  // The next run has no previous one to be compared with, and knows the decision.
  const again = await run();
  expect(again.execution.comparison).toBeUndefined();
  const decided = (await findingsOf(w)).find(({ id }: { id: string }) => id === first.id);
  expect(decided).toMatchObject({ decision: 'rejected', seenCount: 2 });
});

test('a review goes with all of its runs, and its schedule forgets it', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { url } = await siteOf(small);
  const review = async () => {
    const { reviewId, executionIds } = await w.must('/v2/reviews/run', {
      urls: [`${url}/`, `${url}/a`],
      agents: ['broken-links'],
    });
    await runReview({ workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, reviewId }, deps, signal);
    return { reviewId, executionIds } as { reviewId: string; executionIds: string[] };
  };
  const [old, partlyOld] = [await review(), await review()];
  await age(w, ...old.executionIds, partlyOld.executionIds[0]!);
  await w.must('/v2/reviews/schedules/create', {
    name: 'Nightly',
    cron: '0 3 * * *',
    review: { urls: [`${url}/`], agents: ['broken-links'] },
  });
  const ofKey = deps.db.updateTable('reviews').where('apiKeyId', '=', w.apiKeyId);
  await ofKey.set({ completedAt: LONG_AGO }).where('reviewId', '=', old.reviewId).execute();
  await deps.db
    .updateTable('reviewSchedules')
    .set({ lastReviewId: old.reviewId })
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  await prune('runs');
  expect(await statusOf(w, '/v2/reviews/get', { reviewId: old.reviewId })).toBe(404);
  const { review: kept } = await w.must('/v2/reviews/get', { reviewId: partlyOld.reviewId });
  expect(kept.executions).toHaveLength(2);
  const { reviews } = await w.must('/v2/reviews/list', {});
  expect(reviews.map(({ id }: { id: string }) => id)).toEqual([partlyOld.reviewId]);
  const schedule = await deps.db
    .selectFrom('reviewSchedules')
    .select('lastReviewId')
    .where('apiKeyId', '=', w.apiKeyId)
    .executeTakeFirstOrThrow();
  expect(schedule.lastReviewId).toBeNull();
});

test('screenshots and logs may go before their run, and the stored bytes fall at once', async () => {
  const { deps } = await testApp();
  const w = await workspaceWithDocument();
  const { url } = await siteOf(small);
  const executionId = await dispatch(w, links, { url, ...onDocument });
  await work(w, executionId);
  const [finding] = await findingsOf(w);
  const tile = await plainTile();
  const blobKeys = await keepScreenshot(w, finding.id, [tile, tile]);
  await age(w, executionId);
  const stored = async () => {
    const [row] = await listStored(deps.db, [w.apiKeyId]);
    return row!.rowBytes + row!.fileBytes + row!.addedBytes;
  };
  // The service would otherwise add what it has noted so far between the two counts.
  await deps.storage.quota.refresh();
  await countStored(deps.db, w.apiKeyId);
  const before = await stored();
  const shown = () => w.must(GET, { executionId, includeResults: true, includeLog: true });
  const { results } = await shown();
  expect(results[0].screenshot.tiles).toHaveLength(2);

  // What goes with its run is not counted twice.
  for (const [kind, least] of [
    ['screenshots', 2],
    ['run_logs', 1],
  ] as const) {
    const alone = await countOld(deps.db, kind, { ...forEver, [kind]: 1 }, now);
    const besideRuns = await countOld(deps.db, kind, { ...forEver, [kind]: 1, runs: 1 }, now);
    expect(alone!.rows - besideRuns!.rows).toBeGreaterThanOrEqual(least);
  }

  const [screenshots, logs] = await prune('screenshots', 'run_logs');
  expect(screenshots!.files).toBeGreaterThanOrEqual(2);
  expect(logs!.rows).toBeGreaterThan(0);
  expect(before - (await stored())).toBe(2 * tile.bytes.length);
  for (const key of blobKeys) expect(await deps.outside.blobs.get(key)).toBeUndefined();
  const left = await shown();
  expect(left.results[0].screenshot).toBeUndefined();
  expect(left.results[0].findings).toEqual(results[0].findings);
  const picture = await w.post('/v2/agents/findings/picture', { findingId: finding.id });
  expect(picture.body.error.status).toBe('FAILED_PRECONDITION');
});

/** Adds a notification, an activity, two events and a message with two deliveries. */
async function addRows(w: TestWorkspace, id: string, at: number) {
  const { db } = (await testApp()).deps;
  const { apiKeyId, workspaceId } = w;
  await w.must('/v2/notifications/add', {
    ...{ ...onDocument, notificationId: id, actionUser: { userId: 'ada' } },
    ...{ notifyUsers: [{ userId: 'bo' }, { userId: 'cy' }], displayBodyMessage: 'B' },
    ...{ displayHeadlineMessageTemplate: 'H', displayHeadlineMessageTemplateData: {} },
  });
  await db
    .updateTable('notifications')
    .set({ createdAt: at })
    .where('apiKeyId', '=', apiKeyId)
    .where('notificationId', '=', id)
    .execute();
  await db
    .insertInto('activities')
    .values({
      ...{ apiKeyId, ...onDocument, activityId: id, featureType: 'f', actionType: 'a', userId: 'ada' },
      ...{ targetEntityId: null, immutable: true, body: json({}), createdAt: at, updatedAt: at },
    })
    .execute();
  for (const eventId of [id, `${id}-faulty`])
    await db
      .insertInto('events')
      .values({ apiKeyId, workspaceId, eventId, name: 'n', payload: json({}), createdAt: at, relayedAt: at })
      .execute();
  const message = { apiKeyId, messageId: id, seq: 1, eventType: 'n', createdAt: at };
  await db
    .insertInto('webhookMessages')
    .values({ ...message, organizationId: 'o', body: '{}', basicBody: null })
    .execute();
  for (const endpointId of ['one', 'two'])
    await db
      .insertInto('webhookDeliveries')
      .values({
        ...{ ...message, endpointId, orderKey: null, status: 'delivered', tries: 0 },
        ...{ nextAt: null, attempts: json([]), finishedAt: at },
      })
      .execute();
}

test('notifications, activities, events and deliveries go by their age, with what belongs to them', async () => {
  const { db } = (await testApp()).deps;
  const w = await workspaceWithDocument();
  const { apiKeyId } = w;
  await addRows(w, 'old', LONG_AGO);
  await addRows(w, 'young', Date.now());

  const tallies = await prune('notifications', 'activities', 'events', 'deliveries');

  expect(tallies).toMatchObject([
    { rows: 3, oldestAt: LONG_AGO },
    { rows: 1 },
    { rows: 2 },
    { rows: 3, files: 0, bytes: 0, oldestAt: LONG_AGO },
  ]);
  const idsIn = async (table: 'notifications' | 'activities' | 'webhookMessages', column: string) => {
    const rows = await db.selectFrom(table).selectAll().where('apiKeyId', '=', apiKeyId).execute();
    return rows.map((row) => (row as Record<string, unknown>)[column]);
  };
  expect(await idsIn('notifications', 'notificationId')).toEqual(['young']);
  expect(await idsIn('activities', 'activityId')).toEqual(['young']);
  expect(await idsIn('webhookMessages', 'messageId')).toEqual(['young']);
  expect(await eventsOf(apiKeyId)).toEqual(expect.arrayContaining(['young', 'young-faulty']));
  expect(await eventsOf(apiKeyId)).not.toContain('old');
});

const eventsOf = async (apiKeyId: string): Promise<string[]> => {
  const { db } = (await testApp()).deps;
  const rows = await db.selectFrom('events').select('eventId').where('apiKeyId', '=', apiKeyId).execute();
  return rows.map(({ eventId }) => eventId);
};

test('an event that a subscriber failed on is kept for as long as it is retried', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const own = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(() => own.close());
  const w = await newWorkspace();
  const daysAgo = (days: number) => Date.now() - days * DAY_MS;
  for (const [eventId, days] of [
    ['faulty', 80],
    ['plain', 80],
    ['given-up', 91],
  ] as const) {
    const relayedAt = daysAgo(days);
    const { apiKeyId, workspaceId } = w;
    await own.db
      .insertInto('events')
      .values({ apiKeyId, workspaceId, eventId, name: 'n', payload: json({}), createdAt: 1, relayedAt })
      .execute();
    if (eventId === 'plain') continue;
    await own.db
      .insertInto('eventFaults')
      .values({ apiKeyId, eventId, subscriber: 's', tries: 9, nextAt: daysAgo(1), error: 'e' })
      .execute();
  }
  const kept = { ...forEver, events: 2 };
  const counted = await countOld(own.db, 'events', kept, Date.now());
  expect(await removeOld(own.db, 'events', kept, { now: Date.now(), signal })).toEqual(counted);
  expect(counted).toMatchObject({ rows: 3 });
  const left = await own.db.selectFrom('events').select('eventId').execute();
  expect(left).toEqual([{ eventId: 'faulty' }]);
});
