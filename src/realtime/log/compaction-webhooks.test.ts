import { expect, test } from 'vitest';
import { Doc } from 'yjs';
import { compactDueIn, writeLive } from '../../../test/live/editor-rows.ts';
import { editor, place } from '../../../test/live/live-node.ts';
import { faultsOf } from '../../../test/messages/webhook-events.ts';
import { newWebhookStage, type WebhookStage } from '../../../test/messages/webhook-stage.ts';
import { testApp } from '../../../test/service/harness.ts';

const QUIET = 6_000;
const soon = { timeout: 300_000, interval: 10 };

async function withDocument(stage: WebhookStage): Promise<void> {
  await stage.workspace.must('/v2/organizations/add', {
    organizations: [{ organizationId: 'acme', organizationName: 'Acme', plan: 'team' }],
  });
  await stage.workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', documentName: 'Home', team: 'web' }],
  });
}

/** The messages at a path, once this many have arrived. */
async function messagesAt({ receiver }: WebhookStage, path: string, many: number) {
  await expect.poll(() => receiver.at(path).length, soon).toBe(many);
  return receiver.at(path).map(({ text }) => JSON.parse(text));
}

const metadataOf = ({ workspace }: WebhookStage) => ({
  apiKey: workspace.apiKeyId,
  document: { documentId: 'home', documentName: 'Home' },
  documentMetadata: { team: 'web' },
  organization: { organizationId: 'acme', organizationName: 'Acme' },
  organizationMetadata: { plan: 'team' },
});

test('the event of an editor carries its content, its last author and its place', async () => {
  await using stage = await newWebhookStage();
  await withDocument(stage);
  await stage.endpoint('/hook', { filterTypes: ['crdt.update_data'] });
  const document = new Doc();
  const text = document.getText('content');
  for (const word of ['Hello', ' world']) {
    await writeLive(stage.workspace, document, () => text.insert(text.length, word));
  }
  await compactDueIn(QUIET);
  await stage.relay();
  const [message] = await messagesAt(stage, '/hook', 1);
  expect(message).toEqual({
    event: 'crdt.update_data',
    actionType: 'updateData',
    source: 'crdt',
    platform: 'sdk',
    webhookId: expect.stringMatching(/^evt_/),
    createdAt: expect.any(Number),
    data: {
      crdtData: {
        id: 'body',
        data: 'Hello world',
        lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        lastUpdatedBy: 'ada',
        sessionId: 'socket-1',
      },
      actionUser: { userId: 'ada' },
      metadata: metadataOf(stage),
    },
  });
  expect(faultsOf({ type: 'crdt.update_data', body: JSON.stringify(message) })).toEqual([]);
  expect(stage.receiver.faults()).toEqual([]);
});

test('events of one editor are delivered in order', async () => {
  await using stage = await newWebhookStage();
  await withDocument(stage);
  await stage.endpoint('/hook', { filterTypes: ['crdt.update_data'] });
  await stage.workspace.must('/v2/crdt/add', { ...editor, type: 'text', data: '0' });
  for (const data of ['1', '2', '3', '4']) {
    await compactDueIn(QUIET);
    await stage.workspace.must('/v2/crdt/update', { ...editor, type: 'text', data });
  }
  await compactDueIn(QUIET);
  await stage.relay();
  const messages = await messagesAt(stage, '/hook', 5);
  expect(messages.map(({ data }) => data.crdtData.data)).toEqual(['0', '1', '2', '3', '4']);
});

test('data protection leaves ids and times of an editor event, and none of its content', async () => {
  await using stage = await newWebhookStage();
  await withDocument(stage);
  await stage.workspace.must('/v2/workspace/advancedwebhookconfig/update', { enableDataProtection: true });
  await stage.endpoint('/hook', { filterTypes: ['crdt.update_data'] });
  await writeLive(stage.workspace, new Doc(), (document) => document.getText('content').insert(0, 'secret'));
  await compactDueIn(QUIET);
  await stage.relay();
  const [{ data }] = await messagesAt(stage, '/hook', 1);
  expect(data).toEqual({
    crdtData: {
      id: 'body',
      lastUpdate: expect.any(String),
      lastUpdatedBy: 'ada',
      sessionId: 'socket-1',
    },
    actionUser: { userId: 'ada' },
    metadata: {
      apiKey: stage.workspace.apiKeyId,
      document: { documentId: 'home' },
      organization: { organizationId: 'acme' },
    },
  });
});

test('the event of a large editor leaves its content out', async () => {
  await using stage = await newWebhookStage();
  await withDocument(stage);
  await stage.endpoint('/hook', { filterTypes: ['crdt.update_data'] });
  await stage.workspace.must('/v2/crdt/add', { ...editor, type: 'text', data: 'x'.repeat(200_000) });
  await compactDueIn(QUIET);
  await stage.relay();
  const [message] = await messagesAt(stage, '/hook', 1);
  expect(message).toMatchObject({ truncated: true, data: { crdtData: { id: 'body' } } });
  expect(message.data.crdtData).not.toHaveProperty('data');
  expect(faultsOf({ type: 'crdt.update_data', body: JSON.stringify(message) })).toEqual([]);
});

test('basic webhooks receive editor events if their trigger is on', async () => {
  await using stage = await newWebhookStage();
  await withDocument(stage);
  const { workspace, receiver } = stage;
  const config = (triggers: object) =>
    workspace.must('/v2/workspace/webhookconfig/update', {
      useWebhookService: true,
      webhookServiceConfig: { rawNotificationUrl: receiver.url('/raw'), triggers },
    });
  await config({});
  await workspace.must('/v2/crdt/add', { ...editor, type: 'array', data: [1] });
  await compactDueIn(QUIET);
  await stage.relay();
  await config({ 'crdt.update_data': true });
  await workspace.must('/v2/crdt/update', { ...editor, type: 'array', data: [1, 2] });
  await compactDueIn(QUIET);
  await stage.relay();
  const [message] = await messagesAt(stage, '/raw', 1);
  expect(message).toEqual({
    webhookId: expect.stringMatching(/^evt_/),
    actionType: 'updateData',
    notificationSource: 'crdt',
    platform: 'sdk',
    crdtData: {
      id: 'body',
      data: [1, 2],
      lastUpdate: expect.any(String),
      lastUpdatedBy: null,
      sessionId: null,
    },
    metadata: metadataOf(stage),
  });
});

test('content is not put into the event if only other tenants’ endpoints want it', async () => {
  await using stage = await newWebhookStage();
  const { deps } = await testApp();
  await withDocument(stage);
  await stage.endpoint('/hook', { filterTypes: ['comment.add'] });
  await stage.workspace.must('/v2/crdt/add', { ...editor, type: 'text', data: 'Hello' });
  await compactDueIn(QUIET);
  const events = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', stage.workspace.apiKeyId)
    .where('name', '=', 'crdt.update_data')
    .execute();
  expect(events.map(({ payload }) => payload)).toMatchObject([{ ...place, truncated: true }]);
  expect(JSON.stringify(events)).not.toContain('Hello');
});
