import { expect, test } from 'vitest';
import { faultsOf, messagesOf } from '../../test/messages/webhook-events.ts';
import { ada, findTraces, traces, world } from '../../test/people/forgettable-user.ts';
import { type TestWorkspace, testApp } from '../../test/service/harness.ts';
import { json } from '../db/sql-fragments.ts';
import { runDeletion } from '../store/privacy/data-deletions.ts';
import { insertMessages } from '../store/webhooks/messages.ts';
import { isWebhookEvent } from './catalog/webhook-catalog.ts';

const never = new AbortController().signal;

/** Stores messages of all events, none of which was delivered. */
async function storeUndelivered(workspace: TestWorkspace, copies = 1): Promise<void> {
  const { deps } = await testApp();
  const messages = await messagesOf(workspace);
  const rows = Array.from({ length: copies }, (_, copy) =>
    messages.map(({ event, type, organizationId, body, basicBody, orderKey }) => ({
      apiKeyId: workspace.apiKeyId,
      messageId: `${event.id}-${copy}`,
      seq: event.seq,
      eventType: type,
      organizationId,
      body,
      basicBody,
      orderKey,
      createdAt: event.createdAt,
      deliveries: [{ endpointId: 'ep_1', status: 'held' as const }],
    })),
  );
  await deps.db.transaction().execute((tx) => insertMessages(tx, rows.flat()));
  const attempt = {
    at: 1,
    outcome: 'refused' as const,
    status: 500,
    latencyMs: 3,
    response: `No ${ada.name} here`,
  };
  await deps.db
    .updateTable('webhookDeliveries')
    .set({ attempts: json([attempt]) })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
}

async function forgetAda({ workspaceId, apiKeyId, post }: TestWorkspace): Promise<void> {
  const { deps } = await testApp();
  const { jobId } = (await post('/v2/users/data/delete', { userIds: [ada.userId] })).body.data;
  await runDeletion(deps.db, deps.jobs, { workspaceId, apiKeyId, jobId }, never);
}

const stored = async ({ apiKeyId }: TestWorkspace) => {
  const { deps } = await testApp();
  return await deps.db.selectFrom('webhookMessages').selectAll().where('apiKeyId', '=', apiKeyId).execute();
};

test('an erased user is in no message that waits for a replay, nor in a stored answer', async () => {
  const workspace = await world();
  const { deps } = await testApp();
  await storeUndelivered(workspace, 6);
  const before = await stored(workspace);
  expect(before.length).toBeGreaterThan(100);
  expect(await findTraces(workspace, traces)).toHaveProperty('webhook_messages');
  await forgetAda(workspace);
  const found = await findTraces(workspace, traces);
  expect(found).not.toHaveProperty('webhook_messages');
  const after = await stored(workspace);
  expect(after).toHaveLength(before.length);
  expect(
    after.flatMap(({ eventType: type, body }) => (isWebhookEvent(type) ? faultsOf({ type, body }) : ['?'])),
  ).toEqual([]);
  const deliveries = await deps.db
    .selectFrom('webhookDeliveries')
    .select(['messageId', 'attempts', 'orderKey'])
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  const bodies = new Map(before.map(({ messageId, body }) => [messageId, body]));
  for (const { messageId, attempts, orderKey } of deliveries) {
    const named = traces.some((trace) => bodies.get(messageId)!.includes(trace));
    const { response, ...rest } = attempts[0]!;
    expect(response !== undefined).toBe(!named);
    expect(rest).toEqual({ at: 1, outcome: 'refused', status: 500, latencyMs: 3 });
    expect(traces.some((trace) => orderKey?.includes(trace))).toBe(false);
  }
});

test('messages about other users stay unchanged', async () => {
  const workspace = await world();
  await storeUndelivered(workspace);
  const ofOthers = (rows: Awaited<ReturnType<typeof stored>>) =>
    rows
      .filter(({ body, eventType }) => body.includes('nothing to see') && eventType !== 'memory.judgment_add')
      .map(({ body, basicBody }) => [body, basicBody]);
  const before = ofOthers(await stored(workspace));
  expect(before).toHaveLength(1);
  await forgetAda(workspace);
  expect(ofOthers(await stored(workspace))).toEqual(before);
});
