import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../../test/service/harness.ts';

const PATH = '/v2/workspace/advancedwebhook/endpoints';
const url = 'https://example.com/hook';

async function newEnabledWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  return workspace;
}
const create = (workspace: TestWorkspace, data: object = {}) =>
  workspace.must(`${PATH}/create`, { url, ...data });

/** Gives an endpoint a waiting delivery and a lane that has been failing for long. */
async function failFor(workspace: TestWorkspace, endpointId: string): Promise<void> {
  const { deps } = await testApp();
  const key = { apiKeyId: workspace.apiKeyId, endpointId };
  await deps.db
    .insertInto('webhookDeliveries')
    .values({
      ...key,
      messageId: `evt_${endpointId}`,
      eventType: 'comment.add',
      seq: 1,
      orderKey: null,
      status: 'waiting',
      tries: 3,
      nextAt: 5,
      attempts: '[]' as never,
      createdAt: 1,
      finishedAt: null,
    })
    .execute();
  await deps.db
    .updateTable('webhookLanes')
    .set({ nextAt: 5, failingSince: 1_700_000_000_000, toldPercent: 50, toldAt: 1, pausedUntil: 9 })
    .where('apiKeyId', '=', key.apiKeyId)
    .where('endpointId', '=', endpointId)
    .execute();
}

async function stateOf(workspace: TestWorkspace, endpointId: string) {
  const { deps } = await testApp();
  const of = (table: 'webhookDeliveries' | 'webhookLanes' | 'webhookEndpoints') =>
    deps.db
      .selectFrom(table)
      .selectAll()
      .where('apiKeyId', '=', workspace.apiKeyId)
      .where('endpointId', '=', endpointId)
      .executeTakeFirst();
  return {
    delivery: await of('webhookDeliveries'),
    lane: await of('webhookLanes'),
    row: await of('webhookEndpoints'),
  };
}

test('an update changes the sent fields, and null clears them', async () => {
  const workspace = await newEnabledWorkspace();
  const created = await create(workspace, {
    description: 'A',
    filterTypes: ['comment.add'],
    channels: ['acme'],
    rateLimit: 5,
    uid: 'u',
    metadata: { a: 'b' },
  });
  const endpointId = created.id;
  const { body } = await workspace.post(`${PATH}/update`, { endpointId, description: 'B', uid: 'other' });
  const changed = body.result.data;
  expect(changed).toEqual({ ...created, description: 'B', updatedAt: changed.updatedAt });
  const nothing = { description: null, filterTypes: null, channels: null, rateLimit: null, metadata: null };
  const cleared = await workspace.must(`${PATH}/update`, { endpointId, ...nothing });
  expect(cleared).toEqual({ ...created, ...nothing, updatedAt: cleared.updatedAt });
  const { row } = await stateOf(workspace, endpointId);
  expect(row).toMatchObject({ filterTypes: null, channels: null, metadata: null });
  expect((await workspace.must(`${PATH}/get`)).endpoints).toEqual([cleared]);
});

test('an update without a change is refused, and a uid is none', async () => {
  const { body } = await (await newEnabledWorkspace()).post(`${PATH}/update`, {
    endpointId: 'ep_1',
    uid: 'x',
  });
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'At least one endpoint field besides endpointId must be provided.',
  });
});

test('disabling an endpoint holds its deliveries, and enabling it resets its failures', async () => {
  const workspace = await newEnabledWorkspace();
  const { id: endpointId } = await create(workspace);
  await failFor(workspace, endpointId);
  expect((await workspace.must(`${PATH}/get`)).endpoints[0].failingSince).toBe('2023-11-14T22:13:20.000Z');

  const disabled = await workspace.must(`${PATH}/update`, { endpointId, disabled: true });
  expect(disabled).toMatchObject({ disabled: true, disabledReason: 'caller' });
  const held = await stateOf(workspace, endpointId);
  expect(held.delivery).toMatchObject({ status: 'held', nextAt: null });
  expect(held.lane).toMatchObject({ nextAt: null });

  const enabled = await workspace.must(`${PATH}/update`, { endpointId, disabled: false });
  expect(enabled).toMatchObject({ disabled: false, disabledReason: null, failingSince: null });
  const fresh = await stateOf(workspace, endpointId);
  expect(fresh.delivery).toMatchObject({ status: 'held' });
  expect(fresh.lane).toMatchObject({
    failingSince: null,
    toldPercent: 0,
    toldAt: null,
    pausedUntil: null,
  });
});

test('the reason for disabling an endpoint is kept if the caller disables it again', async () => {
  const workspace = await newEnabledWorkspace();
  const { id: endpointId } = await create(workspace);
  const { deps } = await testApp();
  await deps.db
    .updateTable('webhookEndpoints')
    .set({ disabled: true, disabledReason: 'gone' })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  const change = { endpointId, disabled: true, description: 'x' };
  expect(await workspace.must(`${PATH}/update`, change)).toMatchObject({ disabledReason: 'gone' });
});

test('a new url resets the failures, and any other change keeps them', async () => {
  const workspace = await newEnabledWorkspace();
  const { id: endpointId } = await create(workspace);
  await failFor(workspace, endpointId);
  const same = { endpointId, url, rateLimit: 3, disabled: false };
  expect((await workspace.must(`${PATH}/update`, same)).failingSince).not.toBeNull();
  const moved = { endpointId, url: `${url}/2` };
  expect((await workspace.must(`${PATH}/update`, moved)).failingSince).toBeNull();
  expect((await stateOf(workspace, endpointId)).delivery).toMatchObject({ status: 'waiting', nextAt: 5 });
});

test('an endpoint is deleted with its secret and lane, and its waiting deliveries are held', async () => {
  const workspace = await newEnabledWorkspace();
  const { id: endpointId } = await create(workspace);
  await failFor(workspace, endpointId);
  const { deps } = await testApp();
  const { apiKeyId } = workspace;
  await deps.db
    .insertInto('webhookLeases')
    .values({ apiKeyId, endpointId, holder: 'somebody', until: Date.now() + 60_000 })
    .execute();
  expect(await workspace.must(`${PATH}/delete`, { endpointId })).toEqual({ endpointId, deleted: true });
  const { delivery, lane, row } = await stateOf(workspace, endpointId);
  expect([row, lane]).toEqual([undefined, undefined]);
  expect(delivery).toMatchObject({ status: 'held' });
  const leases = await deps.db
    .selectFrom('webhookLeases')
    .select('holder')
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  expect(leases).toEqual([]);
});
