import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newWebhookStage, type WebhookStage } from '../../../test/messages/webhook-stage.ts';
import { testApp } from '../../../test/service/harness.ts';
import { emit } from '../../events/emit.ts';
import { wants } from './fan-out.ts';

const soon = { timeout: 300_000, interval: 10 };
const update = { type: 'document.update', organizationId: 'acme', documentId: 'd1' } as const;
const basicOnly = { basicBody: null, basicTrigger: null };
const none = { triggers: {} };

test.each([
  ['without a filter, default events are sent', null, null, update, true],
  ['a filter accepts the events that it names', ['document.update'], null, update, true],
  ['a filter rejects events that it does not name', ['document.add', 'comment.add'], null, update, false],
  ['opt-in events are not sent by default', null, null, { ...update, type: 'folder.add' }, false],
  [
    'opt-in events are sent if a filter names them',
    ['folder.add'],
    null,
    { ...update, type: 'folder.add' },
    true,
  ],
  ['the organization of the message is a channel', null, ['acme'], update, true],
  ['the document of the message is a channel', null, ['other', 'acme/d1'], update, true],
  ['only another document is subscribed', null, ['acme/d2'], update, false],
  ['only other organizations are subscribed', null, ['acm', 'acme/'], update, false],
  [
    'a document is a channel, but not its organization',
    null,
    ['acme/d1'],
    { ...update, documentId: null },
    false,
  ],
  [
    'a message without an organization goes to all channels',
    null,
    ['other'],
    { type: 'endpoint.disabled', organizationId: null, documentId: null },
    true,
  ],
] as const)('%s', (_what, filterTypes, channels, message, expected) => {
  const listener = {
    kind: 'advanced' as const,
    filterTypes: filterTypes && [...filterTypes],
    channels: channels && [...channels],
  };
  expect(wants(listener, none, { ...basicOnly, ...message })).toBe(expected);
});

test.each([
  ['the trigger is on', { 'comment.add': true }, '{}', true],
  ['the trigger is off', { 'comment.add': false }, '{}', false],
  ['the trigger is not set', {}, '{}', false],
  ['the event has no basic body', { 'comment.add': true }, null, false],
] as const)('basic endpoints: %s', (_what, triggers, basicBody, expected) => {
  const message = { ...update, type: 'comment.add' as const, basicBody, basicTrigger: 'comment.add' };
  const listener = { kind: 'raw' as const, filterTypes: null, channels: null };
  expect(wants(listener, { triggers }, message)).toBe(expected);
});

const comment = (stage: WebhookStage, more: object = {}) =>
  stage.workspace.must('/v2/commentannotations/add', {
    organizationId: 'acme',
    documentId: 'd1',
    createDocument: true,
    commentAnnotations: [
      { commentData: [{ commentText: 'hello', from: { userId: 'u1', name: 'Ann' }, ...more }] },
    ],
  });

test('a comment over an API key is sent only if the request asks for it', async () => {
  await using stage = await newWebhookStage();
  const endpointId = await stage.endpoint('/comments', { filterTypes: ['comment_annotation.add'] });
  await comment(stage);
  await comment(stage, { triggerNotification: true });
  await stage.relay();
  await expect.poll(() => stage.receiver.at('/comments').length, soon).toBe(1);
  expect(await stage.deliveries(endpointId)).toHaveLength(1);
});

test('both basic endpoints get the flat payload with the raw token, and nothing else', async () => {
  await using stage = await newWebhookStage();
  await stage.workspace.must('/v2/workspace/webhookconfig/update', {
    useWebhookService: true,
    webhookServiceConfig: {
      authToken: 'let-me-in',
      rawNotificationUrl: stage.receiver.url('/raw'),
      processedNotificationUrl: stage.receiver.url('/processed'),
    },
  });
  await comment(stage, { triggerNotification: true });
  await stage.change('d9');
  for (const path of ['/raw', '/processed']) {
    await expect.poll(() => stage.receiver.at(path).length, soon).toBe(1);
    const [{ headers, text, id }] = stage.receiver.at(path) as [never];
    expect(headers).toMatchObject({ authorization: 'Basic let-me-in', 'webhook-id': id });
    expect(JSON.parse(text)).toMatchObject({
      webhookId: id,
      actionType: 'newlyAdded',
      notificationSource: 'comment',
      actionUser: { userId: 'u1' },
      commentAnnotation: { annotationId: expect.any(String) },
    });
  }
  await stage.workspace.must('/v2/workspace/webhookconfig/update', { useWebhookService: false });
  await comment(stage, { triggerNotification: true });
  await stage.relay();
  expect(await stage.deliveries('raw')).toHaveLength(1);
});

test('nothing is written for a tenant without endpoints, nor while webhooks are off', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  await stage.change('d1');
  const endpointId = await stage.endpoint('/later');
  await stage.workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: false });
  await stage.change('d2');
  const messages = await deps.db
    .selectFrom('webhookMessages')
    .select('messageId')
    .where('apiKeyId', '=', stage.workspace.apiKeyId)
    .execute();
  expect([messages, await stage.deliveries(endpointId)]).toEqual([[], []]);
  await stage.workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  await stage.change('d3');
  await expect.poll(() => stage.receiver.at('/later').length, soon).toBe(1);
});

test('events during the time an endpoint is disabled are held, and a replay delivers them', async () => {
  await using stage = await newWebhookStage();
  const root = '/v2/workspace/advancedwebhook';
  const endpointId = await stage.endpoint('/asleep', { disabled: true });
  await stage.change('d1', 'd2');
  expect((await stage.deliveries(endpointId)).map(({ status }) => status)).toEqual(['held', 'held']);
  await stage.workspace.must(`${root}/endpoints/update`, { endpointId, disabled: false });
  await stage.change('d3');
  await expect.poll(() => stage.receiver.at('/asleep').length, soon).toBe(1);
  const replay = () => stage.workspace.must(`${root}/deliveries/replay`, { endpointId, since: 0 });
  expect((await replay()).replayed).toBe(2);
  await expect.poll(() => stage.receiver.at('/asleep').length, soon).toBe(3);
  const done = async () => (await stage.deliveries(endpointId)).map(({ status }) => status);
  await expect.poll(done, soon).toEqual(['delivered', 'delivered', 'delivered']);
  expect((await replay()).replayed).toBe(0);
});

test('two tenants get only their own events', async () => {
  await using one = await newWebhookStage();
  await using other = await newWebhookStage();
  await one.endpoint('/one');
  await other.endpoint('/other');
  const { deps } = await testApp();
  await deps.db.transaction().execute(async (tx) => {
    for (const [index, { workspace }] of [one, other].entries()) {
      const documentId = `of-${index}`;
      await emit(tx, workspace, 'document.add', { organizationId: 'acme', documentId, documentName: 'x' });
    }
  });
  await one.relay();
  await expect.poll(() => one.receiver.received.length + other.receiver.received.length, soon).toBe(2);
  expect(one.receiver.received.map(({ text }) => JSON.parse(text).data.documentId)).toEqual(['of-0']);
  expect(other.receiver.received.map(({ text }) => JSON.parse(text).data.documentId)).toEqual(['of-1']);
});

test('all waiting deliveries of a disabled endpoint are held, however many there are', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  const endpointId = await stage.endpoint('/backlog', { rateLimit: 1 });
  const { apiKeyId } = stage.workspace;
  await sql`
    insert into webhook_deliveries
      (api_key_id, message_id, endpoint_id, seq, status, tries, next_at, attempts, created_at)
    select ${apiKeyId}, 'evt_' || n, ${endpointId}, n, 'waiting', 1, ${Date.now() + 3_600_000}, '[]', ${Date.now()}
    from generate_series(1, 10500) as n`.execute(deps.db);
  await stage.workspace.must('/v2/workspace/advancedwebhook/endpoints/update', {
    endpointId,
    disabled: true,
  });
  const waiting = async () => {
    const { rows } = await sql`
      select 1 from webhook_deliveries
      where api_key_id = ${apiKeyId} and endpoint_id = ${endpointId} and status <> 'held'`.execute(deps.db);
    return rows.length;
  };
  await expect.poll(waiting, soon).toBe(0);
});
