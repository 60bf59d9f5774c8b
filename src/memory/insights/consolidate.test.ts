import { expect, test } from 'vitest';
import { giveVectors, judge } from '../../../test/memory/judged-history.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { DAY_MS } from '../../lib/day.ts';
import { LeaseLost } from '../../lib/errors.ts';
import { acquireLease, listDue } from '../../store/memory/consolidations.ts';
import { memoryInsights } from '../../store/privacy/memory-erasure.ts';
import { consolidate, consolidateDue } from './consolidate.ts';

const silent = { info() {}, warn() {}, error() {} };
const dueKeys = async (stillNewMs = 0): Promise<string[]> => {
  const { deps } = await testApp();
  return (await listDue(deps.db, { stillNewMs, dayMs: DAY_MS })).map((scope) => scope.apiKeyId);
};

const three = ['a', 'b', 'c'].map((id) => ({ id, organizationId: 'acme', contentType: 'price' }));
const alike = { a: [1, 0], b: [1, 0], c: [1, 0] };

test('the job consolidates each API key whose judgments came, changed, got vectors or went, and no other', async () => {
  const { deps } = await testApp();
  const [w, idle] = [await newWorkspace(), await newWorkspace()];
  const isDue = async () => (await dueKeys()).includes(w.apiKeyId);
  const runIfDue = () =>
    consolidateDue({ db: deps.db, log: silent }, { key: w }, new AbortController().signal);
  await judge(w, three);
  for (const change of [
    async () => {},
    () => giveVectors(w, alike),
    () => judge(w, [{ ...three[0]!, reasoning: 'Another.' }]),
    () => w.post('/v2/memory/judgments/delete', { recordIds: ['a', 'b', 'c'] }),
  ]) {
    await change();
    expect(await isDue()).toBe(true);
    await runIfDue();
    expect(await isDue()).toBe(false);
  }
  expect(await dueKeys()).not.toContain(idle.apiKeyId);
  expect((await w.post('/v2/memory/profiles/get', { targetUserId: 'ana' })).body.result).toBeNull();
});

test('alerts are computed once a day without new judgments, as long as their absence may be an anomaly', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await judge(w, three);
  await consolidate({ db: deps.db, log: silent }, w);
  expect(await dueKeys(37 * DAY_MS)).not.toContain(w.apiKeyId);
  await deps.db
    .updateTable('memoryConsolidations')
    .set({ completedAt: Date.now() - 2 * DAY_MS })
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  expect(await dueKeys(37 * DAY_MS)).toContain(w.apiKeyId);
  expect(await dueKeys()).not.toContain(w.apiKeyId);
});

test('one process at a time consolidates an API key, and one that lost its lease writes no more', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await judge(w, three);
  await giveVectors(w, alike);
  const lease = await acquireLease(deps.db, w);
  expect(lease).toBeDefined();
  expect(await consolidate({ db: deps.db, log: silent }, w)).toBeUndefined();
  expect((await w.post('/v2/memory/consolidate')).body).toEqual({ result: { started: true } });
  await deps.db
    .updateTable('memoryConsolidations')
    .set({ leaseUntil: Date.now() - 1 })
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  // A user is erased during the consolidation, which has already read their judgments.
  const taking: Promise<unknown>[] = [];
  const info = () => {
    const forgetting = deps.db.transaction();
    taking.push(forgetting.execute((tx) => memoryInsights.run(tx, { ...w, userIds: ['bo'] }, '', undefined)));
  };
  await expect(consolidate({ db: deps.db, log: { info } }, w)).rejects.toThrow(LeaseLost);
  await Promise.all(taking);
  expect((await w.post('/v2/memory/profiles/get', { targetUserId: 'ana' })).body.result).toBeNull();
});

test('a consolidation ends when the process stops, and the next one does what is left', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await judge(w, three);
  await giveVectors(w, alike);
  const stopped = AbortSignal.abort(new Error('The process is stopping.'));
  await expect(consolidate({ db: deps.db, log: silent }, w, { signal: stopped })).rejects.toThrow('stopping');
  expect(await consolidate({ db: deps.db, log: silent }, w)).toMatchObject({ profiles: 1, judgmentsRead: 3 });
});

test('a deleted organization leaves nothing behind, and an erased user no profile', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await w.must('/v2/organizations/add', {
    organizations: [{ organizationId: 'acme', organizationName: 'A' }],
  });
  await judge(w, three);
  await giveVectors(w, alike);
  await consolidate({ db: deps.db, log: silent }, w);
  const counted = async () => (await w.post('/v2/memory/stats/get')).body.result;
  expect(await counted()).toMatchObject({ totalPatterns: 1, totalProfiles: 1 });
  await w.must('/v2/organizations/delete', { organizationIds: ['acme'] });
  expect(await counted()).toMatchObject({ totalPatterns: 0, totalProfiles: 1 });
  await deps.db
    .transaction()
    .execute((tx) => memoryInsights.run(tx, { ...w, userIds: ['ana'] }, '', undefined));
  expect(await counted()).toMatchObject({ totalPatterns: 0, totalProfiles: 0 });
});

test('with many judgments the operation enqueues a job', async () => {
  const w = await newWorkspace();
  await judge(
    w,
    Array.from({ length: 2_001 }, () => ({})),
  );
  expect((await w.post('/v2/memory/consolidate', { force: true })).body).toEqual({
    result: { started: true },
  });
});
