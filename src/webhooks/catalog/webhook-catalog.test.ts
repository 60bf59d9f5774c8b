import { expect, test } from 'vitest';
import { faultsOf } from '../../../test/messages/webhook-events.ts';
import { newWorkspace } from '../../../test/service/harness.ts';
import type { WebhookEventName } from '../../events/event-catalog.ts';
import { protectBody } from '../deliver/format-body.ts';
import { bodySchema, describeEvent } from './message-body.ts';
import { isWebhookEvent, webhookEvents } from './webhook-catalog.ts';

const GET = '/v2/workspace/advancedwebhook/eventtypes/get';
const all = Object.keys(webhookEvents) as WebhookEventName[];

test.each(all)('the sample of %s matches its schema, also with data protection', (type) => {
  const { sample } = describeEvent(type);
  const protectedSample = protectBody(JSON.stringify(sample));
  expect(faultsOf({ type, body: JSON.stringify(sample) })).toEqual([]);
  expect(faultsOf({ type, body: protectedSample })).toEqual([]);
  expect(bodySchema(type).safeParse(sample).success).toBe(true);
});

test.each(all)(
  'the schema of %s refuses a message of another event, or without its required data',
  (type) => {
    const { sample } = describeEvent(type);
    const { data, ...empty } = sample;
    expect(faultsOf({ type, body: JSON.stringify(empty) })).not.toEqual([]);
    expect(faultsOf({ type, body: JSON.stringify({ ...sample, data: {} }) })).not.toEqual([]);
    expect(faultsOf({ type, body: JSON.stringify({ ...sample, event: 'other' }) })).not.toEqual([]);
  },
);

test('the schemas hold no references to each other', () => {
  const pointers = all
    .map((type) => JSON.stringify(describeEvent(type).schema))
    .join('')
    .match(/"\$ref":"[^"]*"/g);
  expect((pointers ?? []).filter((pointer) => !pointer.startsWith('"$ref":"#'))).toEqual([]);
});

test('event names are distinguished from similar strings', () => {
  expect(['comment.add', 'document.migrate'].filter(isWebhookEvent)).toHaveLength(2);
  expect(['toString', '__proto__', 'comment', 'comment.reaction_rename'].filter(isWebhookEvent)).toEqual([]);
});

test('suggestion events and other rarely wanted ones are opt-in', () => {
  const byDefault = all.filter((type) => !webhookEvents[type].optIn);
  expect(byDefault.sort()).toEqual([
    'agent_execution.completed',
    'comment.add',
    'comment.delete',
    'comment.update',
    'comment_annotation.add',
    'comment_annotation.assign',
    'comment_annotation.delete',
    'comment_annotation.priority_change',
    'comment_annotation.status_change',
    'comment_annotation.update',
    'crdt.update_data',
    'document.add',
    'document.delete',
    'document.migrate',
    'document.update',
    'endpoint.disabled',
    'endpoint.failing',
    'message.attempt.exhausted',
    'notification.add',
    'user.add',
    'user.delete',
    'user.update',
  ]);
});

test('the catalog is returned whole, or for one event type', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post(GET);
  expect(body.result.message).toBe('Advanced webhook event types retrieved successfully.');
  const { eventTypes } = body.result.data;
  expect(eventTypes.map(({ eventType }: { eventType: string }) => eventType).sort()).toEqual([...all].sort());
  const one = await workspace.must(GET, { eventType: 'comment.add' });
  expect(one.eventTypes).toEqual([
    {
      eventType: 'comment.add',
      description: 'A comment was added to an annotation.',
      source: 'comment',
      sentByDefault: true,
      schema: expect.objectContaining({ type: 'object' }),
      sample: expect.objectContaining({ event: 'comment.add', actionType: 'added' }),
    },
  ]);
  const refused = await workspace.post(GET, { eventType: 'comment.sing' });
  expect([refused.status, refused.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
});
