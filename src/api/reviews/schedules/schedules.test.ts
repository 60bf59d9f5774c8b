import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { workspaceWithDocument } from '../../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { createStorageQuota } from '../../../access/storage-quota.ts';
import { json } from '../../../db/sql-fragments.ts';
import { startDueReviews } from '../../../review/run/scheduled-reviews.ts';

const HOURLY = {
  cron: '0 * * * *',
  review: { urls: ['https://example.com/'], preset: 'privacy', crossPageExecute: true },
};
const HOUR_MS = 3_600_000;

/** Schedules of all API keys are due together. */
beforeEach(async () => {
  await (await testApp()).deps.db.deleteFrom('reviewSchedules').execute();
});

const create = async (w: TestWorkspace, more: object = {}) =>
  (await w.must('/v2/reviews/schedules/create', { ...HOURLY, ...more })).schedule;
const get = async (w: TestWorkspace, scheduleId: string) =>
  (await w.must('/v2/reviews/schedules/get', { scheduleId })).schedule;
const reviewsOf = async (w: TestWorkspace) => (await w.must('/v2/reviews/list', {})).reviews;

async function startAt(now: number, more: Partial<Parameters<typeof startDueReviews>[0]> = {}) {
  const { deps } = await testApp();
  return await startDueReviews({ ...deps, ...more }, now);
}

test('a schedule starts its review when it is due, and once for all starts that were missed', async () => {
  const w = await newWorkspace();
  const schedule = await create(w, { name: 'Hourly' });
  expect(schedule).toMatchObject({ name: 'Hourly', timeZone: 'UTC', enabled: true, lastAt: null });
  expect(await startAt(schedule.nextAt - 1)).toEqual([]);
  expect(await startAt(schedule.nextAt)).toMatchObject([{ scheduleId: schedule.id }]);
  expect(await startAt(schedule.nextAt)).toEqual([]);
  const [first] = await reviewsOf(w);
  expect(first).toMatchObject({ status: 'running', preset: 'privacy', config: { crossPageExecute: true } });
  await w.must('/v2/reviews/cancel', { reviewId: first.id });

  const late = schedule.nextAt + 10.5 * HOUR_MS;
  expect(await startAt(late)).toHaveLength(1);
  expect(await startAt(late)).toEqual([]);
  expect(await reviewsOf(w)).toHaveLength(2);
  const after = await get(w, schedule.id);
  expect(after).toMatchObject({ lastAt: late, lastError: null, nextAt: schedule.nextAt + 11 * HOUR_MS });
  expect(after.lastReviewId).toBe((await reviewsOf(w))[0].id);
});

test('a schedule and its reviews show the choices that were sent, without what may hold secrets', async () => {
  const w = await newWorkspace();
  const choices = {
    pages: ['/docs/**'],
    sitemap: true,
    screenshots: 'all',
    severities: { spelling: 'off', 'broken-link': 'high' },
  };
  const variables = { token: 'canary-of-variables' };
  const { id, nextAt } = await create(w, { review: { ...HOURLY.review, ...choices, variables } });
  const shown = await get(w, id);
  expect(shown.review).toMatchObject(choices);
  await startAt(nextAt);
  const { review } = await w.must('/v2/reviews/get', { reviewId: (await reviewsOf(w))[0].id });
  expect(review.config).toMatchObject({ ...choices, crossPageExecute: true });
  expect(JSON.stringify([shown, review])).not.toContain('canary');
  const plain = await get(w, (await create(w)).id);
  for (const name of Object.keys(choices)) expect(plain.review).not.toHaveProperty(name);
});

test('two processes start a review once', async () => {
  const w = await newWorkspace();
  const { nextAt } = await create(w);
  const started = (await Promise.all([startAt(nextAt), startAt(nextAt), startAt(nextAt)])).flat();
  expect(started).toHaveLength(1);
  expect(await reviewsOf(w)).toHaveLength(1);
});

test('a review that cannot be started is noted, delays no other, and is tried again', async () => {
  const w = await workspaceWithDocument();
  const place = { organizationId: 'o', documentId: 'd' };
  const bound = await create(w, { review: { ...HOURLY.review, ...place } });
  const free = await create(w);
  expect(bound.metadata).toEqual(place);
  await w.must('/v2/organizations/documents/delete', { organizationId: 'o', documentIds: ['d'] });
  const started = await startAt(bound.nextAt);
  expect(started).toHaveLength(2);
  expect(await get(w, bound.id)).toMatchObject({ lastError: 'Document not found: d', lastReviewId: null });
  expect(await get(w, free.id)).toMatchObject({ lastError: null, lastReviewId: expect.any(String) });
  expect(await startAt(bound.nextAt + HOUR_MS)).toHaveLength(2);
});

test('a schedule of a key that has used up its storage starts nothing until there is room', async () => {
  const w = await newWorkspace();
  const { id, nextAt } = await create(w);
  const { deps } = await testApp();
  const quota = createStorageQuota({
    db: deps.db,
    limitBytes: 1_000,
    onError: ({ message }) => expect.unreachable(message),
  });
  onTestFinished(() => quota.stop());
  quota.count(w.apiKeyId, 2_000);
  expect(await startAt(nextAt, { storage: { quota } })).toMatchObject([{ error: expect.any(String) }]);
  expect(await get(w, id)).toMatchObject({
    lastReviewId: null,
    lastError: expect.stringContaining('nothing is added'),
  });
  expect(await startAt(nextAt + HOUR_MS)).toMatchObject([{ reviewId: expect.any(String) }]);
});

test('a schedule that fails by an internal error stays due, and delays no other', async () => {
  const w = await newWorkspace();
  const broken = await create(w);
  const good = await create(w);
  const { deps } = await testApp();
  const { request } = await deps.db
    .selectFrom('reviewSchedules')
    .select('request')
    .where('scheduleId', '=', broken.id)
    .executeTakeFirstOrThrow();
  await deps.db
    .updateTable('reviewSchedules')
    .set({ request: json({ ...request, urls: ['no address'] }), nextAt: broken.nextAt - 1 })
    .where('scheduleId', '=', broken.id)
    .execute();
  const [first, second] = await startAt(good.nextAt);
  expect(first).toMatchObject({ scheduleId: broken.id, fault: expect.any(TypeError) });
  expect(second).toMatchObject({ scheduleId: good.id, reviewId: expect.any(String) });
  expect(await get(w, broken.id)).toMatchObject({ lastAt: null, nextAt: broken.nextAt - 1 });
});

test('a disabled schedule starts nothing, and makes up for nothing when it is enabled', async () => {
  const w = await newWorkspace();
  const { id, nextAt } = await create(w, { enabled: false });
  expect(nextAt).toBeNull();
  expect(await startAt(Date.now() + 5 * HOUR_MS)).toEqual([]);
  const { schedule } = await w.must('/v2/reviews/schedules/update', { scheduleId: id, enabled: true });
  expect(schedule.nextAt).toBeGreaterThan(Date.now());
  expect(await startAt(Date.now())).toEqual([]);
});

test('a schedule can be started at any time, which leaves its next start as it is', async () => {
  const w = await newWorkspace();
  const review = { ...HOURLY.review, severities: { 'pii-email': 'off' } };
  const { id, nextAt } = await create(w, { review });
  const started = await w.must('/v2/reviews/schedules/start', { scheduleId: id });
  expect(started).toEqual({ reviewId: expect.any(String), executionIds: expect.any(Array) });
  const { review: shown } = await w.must('/v2/reviews/get', { reviewId: started.reviewId });
  expect(shown).toMatchObject({
    urls: HOURLY.review.urls,
    preset: 'privacy',
    config: { crossPageExecute: true },
  });
  const schedule = await get(w, id);
  expect(schedule).toMatchObject({ lastReviewId: started.reviewId, lastError: null, nextAt });
  expect(schedule.lastAt).toBeGreaterThan(0);
  await w.must('/v2/reviews/cancel', { reviewId: started.reviewId });

  const off = await create(w, { enabled: false });
  await w.must('/v2/reviews/schedules/start', { scheduleId: off.id });
  const unknown = await w.post('/v2/reviews/schedules/start', { scheduleId: 'schedule_none' });
  expect(unknown.body.error.status).toBe('NOT_FOUND');
});

test('a change keeps what it does not name', async () => {
  const w = await newWorkspace();
  const { id, nextAt } = await create(w, { name: 'First' });
  const update = async (change: object) =>
    (await w.must('/v2/reviews/schedules/update', { scheduleId: id, ...change })).schedule;
  expect(await update({ name: 'Second' })).toMatchObject({ name: 'Second', cron: '0 * * * *', nextAt });
  const review = { urls: ['https://example.com/a'], agents: ['spell-check'] };
  expect((await update({ review })).review).toEqual({
    ...review,
    crossPageExecute: false,
    maxUrlsToProcess: 50,
    deviceType: 'desktop',
  });
  const berlin = await update({ cron: '30 6 * * *', timeZone: 'Europe/Berlin' });
  expect(new Date(berlin.nextAt).getUTCMinutes()).toBe(30);
  const { schedules } = await w.must('/v2/reviews/schedules/list', {});
  expect(schedules).toEqual([berlin]);
  await w.must('/v2/reviews/schedules/delete', { scheduleId: id });
  expect((await w.post('/v2/reviews/schedules/get', { scheduleId: id })).body.error.status).toBe('NOT_FOUND');
});

test('a schedule that could not start is refused when it is made', async () => {
  const w = await newWorkspace();
  const refusal = async (more: object) =>
    (await w.post('/v2/reviews/schedules/create', { ...HOURLY, ...more })).body.error.message;
  expect(await refusal({ cron: '* * * * *' })).toContain('at most every five minutes');
  expect(await refusal({ cron: '2099-01-01T00:00:00' })).toContain('no cron expression of five fields');
  expect(await refusal({ review: { urls: ['http://10.0.0.1/'], preset: 'launch' } })).toContain(
    'review.urls.0 leads to an address that is not allowed',
  );
  expect(await refusal({ review: { ...HOURLY.review, agents: ['nothing'] } })).toContain('nothing');
  expect((await w.must('/v2/reviews/schedules/list', {})).schedules).toEqual([]);
});
