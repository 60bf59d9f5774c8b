import { expect, test, vi } from 'vitest';
import { newWebhookStage } from '../../test/messages/webhook-stage.ts';
import { expectLog, testLog } from '../../test/run/log-watch.ts';
import { testApp } from '../../test/service/harness.ts';
import type { SafeFetch, Targets } from '../outside/net/outbound-fetch.ts';
import { loadDue } from '../store/webhooks/due-deliveries.ts';
import { renewLeases } from '../store/webhooks/lanes.ts';
import { ConcurrencyControl } from './deliver/concurrency-control.ts';
import { Lane, type LaneDeps } from './deliver/delivery-lane.ts';
import { ResultRecorder, recordResults } from './deliver/record-results.ts';
import { type SendSlot, SendSlots } from './deliver/send-slots.ts';

const soon = { timeout: 300_000, interval: 10 };

const ok = { url: '', status: 200, headers: {}, body: new Uint8Array(), truncated: false, redirects: [] };

/** A fetch whose requests end when the test ends them. */
function pendingFetch() {
  const open: (() => void)[] = [];
  const fetch: SafeFetch = (url) => new Promise((resolve) => open.push(() => resolve({ ...ok, url })));
  return { fetch, open };
}

/** The dependencies of a lane that runs without a deliverer. */
async function laneDeps(more: Partial<LaneDeps>): Promise<LaneDeps> {
  const { deps } = await testApp();
  return {
    db: deps.db,
    keyring: deps.keyring,
    fetch: async (url) => ({ ...ok, url }),
    log: testLog,
    recorder: new ResultRecorder(
      async () => {},
      () => {},
    ),
    holder: 'test',
    now: Date.now,
    random: Math.random,
    slots: new SendSlots({ capacity: 512, perTarget: 20 }),
    targets: deps.outside.webhookTargets,
    maxQueuedBytes: () => 2_000_000,
    aborting: new AbortController().signal,
    ...more,
  };
}

test('an endpoint whose secrets cannot be opened is paused, then tried again', async () => {
  expectLog(/delivery to a webhook endpoint was interrupted/);
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/mended');
  const setSecret = (secretSealed: string | null) =>
    deps.db.updateTable('webhookEndpoints').set({ secretSealed }).where('endpointId', '=', endpointId);
  const { secretSealed } = await deps.db
    .selectFrom('webhookEndpoints')
    .select('secretSealed')
    .where('endpointId', '=', endpointId)
    .executeTakeFirstOrThrow();
  await setSecret('nothing that was ever sealed').execute();
  await stage.change('d1');
  const lane = () =>
    deps.db
      .selectFrom('webhookLanes')
      .leftJoin('webhookLeases', 'webhookLeases.endpointId', 'webhookLanes.endpointId')
      .select(['pausedUntil', 'webhookLeases.holder'])
      .where('webhookLanes.endpointId', '=', endpointId)
      .executeTakeFirstOrThrow();
  await expect.poll(lane, soon).toEqual({ pausedUntil: expect.any(Number), holder: null });
  await setSecret(secretSealed).execute();
  stage.advance(11_000);
  await expect.poll(() => stage.receiver.at('/mended').length, soon).toBe(1);
  expect(stage.receiver.faults()).toEqual([]);
});

test('only leases of running lanes are renewed', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const apiKeyId = stage.workspace.apiKeyId;
  const now = Date.now();
  const lease = (endpointId: string) => ({ apiKeyId, endpointId, holder: 'me', until: now + 5_000 });
  await deps.db
    .insertInto('webhookLeases')
    .values([lease('works'), lease('broke'), { ...lease('over'), until: now - 1 }])
    .execute();
  const keys = ['works', 'over'].map((endpointId) => ({ apiKeyId, endpointId }));
  const renewed = await renewLeases(deps.db, { holder: 'me', now, until: now + 10_000 }, keys);
  expect(renewed).toEqual([{ apiKeyId, endpointId: 'works' }]);
  const rows = await deps.db
    .selectFrom('webhookLeases')
    .select(['endpointId', 'until'])
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('until')
    .execute();
  expect(rows.map(({ endpointId, until }) => [endpointId, until - now])).toEqual([
    ['over', -1],
    ['broke', 5_000],
    ['works', 10_000],
  ]);
  await deps.db.deleteFrom('webhookLeases').where('apiKeyId', '=', apiKeyId).execute();
});

/** Leases an endpoint to another holder, so that the deliverer of the stage skips it. */
async function leaseToAnother(key: { apiKeyId: string; endpointId: string }) {
  const { deps } = await testApp();
  const until = Date.now() + 60_000;
  await deps.db
    .insertInto('webhookLeases')
    .values({ ...key, holder: 'another', until })
    .execute();
}

test('a lane that is ended while it loads sends nothing that it loaded', async () => {
  await using stage = await newWebhookStage();
  const key = { apiKeyId: stage.workspace.apiKeyId, endpointId: await stage.endpoint('/late') };
  await leaseToAnother(key);
  await stage.change('d1', 'd2');
  const sent: string[] = [];
  let reads = 0;
  const lane: Lane = new Lane(
    key,
    await laneDeps({
      fetch: async (url) => {
        sent.push(url);
        return { ...ok, url };
      },
      // The lane reads the clock for the second time when it loads what is due.
      now: () => {
        reads += 1;
        if (reads === 2) lane.end();
        return Date.now();
      },
    }),
    new ConcurrencyControl(),
  );
  await lane.run();
  expect([reads >= 2, sent]).toEqual([true, []]);
});

test('deliveries that were loaded a while ago are loaded again before they are sent', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const key = { apiKeyId: stage.workspace.apiKeyId, endpointId: await stage.endpoint('/slow') };
  await leaseToAnother(key);
  await stage.change(...Array.from({ length: 200 }, (_, index) => `d${index}`));
  const { fetch, open } = pendingFetch();
  const lane = new Lane(key, await laneDeps({ fetch }), new ConcurrencyControl());
  const running = lane.run();
  await expect.poll(() => open.length, soon).toBe(8);
  // Meanwhile the deliveries are held.
  await deps.db
    .updateTable('webhookDeliveries')
    .set({ status: 'held', nextAt: null })
    .where('endpointId', '=', key.endpointId)
    .execute();
  const realNow = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 2_200);
  for (const end of open) end();
  await running;
  clock.mockRestore();
  expect(open).toHaveLength(8);
});

test('a lane that fails sends nothing that it loaded, and keeps no slot', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const { webhookTargets } = deps.outside;
  const key = { apiKeyId: stage.workspace.apiKeyId, endpointId: await stage.endpoint('/broken') };
  await leaseToAnother(key);
  // Eight are sent at once; the second of the first document and the ninth document wait.
  await stage.change('d1', ...Array.from({ length: 9 }, (_, index) => `d${index + 1}`));
  const { fetch, open } = pendingFetch();
  const slots = new SendSlots({ capacity: 64, perTarget: 64 });
  const request = { apiKeyId: key.apiKeyId, targets: [] };
  const countFree = () => {
    const taken: SendSlot[] = [];
    for (let slot = slots.tryTake(request); slot; slot = slots.tryTake(request)) taken.push(slot);
    for (const slot of taken) slot.release();
    return taken.length;
  };
  const free = countFree();
  let isBroken = false;
  const targets: Targets = {
    of: (url) => webhookTargets.of(url),
    async refresh() {
      if (isBroken) throw new Error('It broke.');
    },
  };
  const lane = new Lane(key, await laneDeps({ fetch, slots, targets }), new ConcurrencyControl());
  const running = lane.run();
  await expect.poll(() => open.length, soon).toBe(8);
  isBroken = true;
  lane.notify();
  await expect(running).rejects.toThrow('It broke.');
  for (const end of open) end();
  await expect.poll(countFree, soon).toBe(free);
  expect(open).toHaveLength(8);
});

test('a follower is never loaded without its predecessor, however large their bodies are', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const key = { apiKeyId: stage.workspace.apiKeyId, endpointId: await stage.endpoint('/large') };
  await leaseToAnother(key);
  await stage.change('d1', 'd1', 'd1');
  const [first, ...others] = await stage.deliveries(key.endpointId);
  const now = Date.now() + 1_000;
  // The first was attempted before, so the others have been due for longer.
  await deps.db
    .updateTable('webhookDeliveries')
    .set({ nextAt: now, tries: 1 })
    .where('messageId', '=', first.messageId)
    .execute();
  const load = async (bytes: number) => {
    const due = await loadDue(deps.db, key, { now, limit: 10, except: [], basic: false, bytes });
    return due.map(({ messageId }) => messageId);
  };
  expect(await load(1)).toEqual([first.messageId]);
  expect(await load(1_000_000)).toEqual([first, ...others].map(({ messageId }) => messageId));
});

test('a replay does not repeat a later delivery of the same key that is in flight', async () => {
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/again', { disabled: true });
  stage.receiver.answer('/again', ['hang']);
  await stage.change('d1');
  const change = (path: string, data: object) =>
    stage.workspace.must(`/v2/workspace/advancedwebhook/${path}`, { endpointId, ...data });
  await change('endpoints/update', { disabled: false });
  await stage.change('d1');
  await expect.poll(() => stage.receiver.open('/again'), soon).toBe(1);
  const [first, second] = await stage.deliveries(endpointId);
  await change('deliveries/replay', { webhookId: first.messageId });
  stage.advance(0);
  const status = async () => (await stage.deliveries(endpointId))[0].status;
  await expect.poll(status, soon).toBe('delivered');
  // A fence: a later load of the lane would deliver the second one again.
  await stage.change('d2');
  await expect.poll(() => stage.receiver.at('/again').length, soon).toBe(3);
  const sent = stage.receiver.at('/again').map(({ id }) => id);
  expect(sent.slice(0, 2)).toEqual([second.messageId, first.messageId]);
  expect(sent[2]).not.toBe(second.messageId);
});

test('an endpoint with a new URL is not disabled by a 410 of the earlier one', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const { fetch, open } = pendingFetch();
  const key = { apiKeyId: stage.workspace.apiKeyId, endpointId: await stage.endpoint('/old') };
  const gone: SafeFetch = async (url) => ({ ...(await fetch(url)), status: 410 });
  await leaseToAnother(key);
  await stage.change('d1');
  const recorder = new ResultRecorder(
    (results) => recordResults({ ...deps, now: Date.now, logNews: () => {} }, results),
    () => {},
  );
  const running = new Lane(key, await laneDeps({ fetch: gone, recorder }), new ConcurrencyControl()).run();
  await expect.poll(() => open.length, soon).toBe(1);
  await stage.workspace.must('/v2/workspace/advancedwebhook/endpoints/update', {
    endpointId: key.endpointId,
    url: stage.receiver.url('/new'),
  });
  open[0]!();
  await running;
  expect(await stage.deliveries(key.endpointId)).toMatchObject([{ attempts: [{ status: 410 }] }]);
  const { endpoints } = await stage.workspace.must('/v2/workspace/advancedwebhook/endpoints/get');
  expect(endpoints).toMatchObject([{ disabled: false }]);
});

test('a delivery whose message is gone does not keep its endpoint busy', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/empty');
  await deps.db
    .insertInto('webhookDeliveries')
    .values({
      apiKeyId: stage.workspace.apiKeyId,
      endpointId,
      messageId: 'evt_gone',
      eventType: 'comment.add',
      seq: 1,
      status: 'waiting',
      tries: 0,
      nextAt: 1,
      attempts: '[]' as never,
      createdAt: 1,
    })
    .execute();
  await stage.change('d1');
  await expect.poll(() => stage.receiver.at('/empty').length, { timeout: 300_000 }).toBe(1);
  await expect
    .poll(async () => (await stage.deliveries(endpointId)).map(({ status }) => status), { timeout: 300_000 })
    .toEqual(['delivered']);
});
