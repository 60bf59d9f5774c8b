import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Event } from '../src/events/event-catalog.ts';
import { describeEvent } from '../src/webhooks/catalog/message-body.ts';
import { type ComposedMessage, composeMessages } from '../src/webhooks/compose/compose-messages.ts';
import { type TestWorkspace, testApp } from './harness.ts';

/** What happened in a workspace, in order. */
export async function eventsOf({ apiKeyId }: TestWorkspace): Promise<Event[]> {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('seq')
    .execute();
  return rows.map(({ eventId: id, relayedAt: _, ...row }) => ({ id, ...row }) as Event);
}

/** The messages that would be sent of it. */
export async function messagesOf(workspace: TestWorkspace): Promise<ComposedMessage[]> {
  const { deps } = await testApp();
  return await composeMessages(deps.db, await eventsOf(workspace), { advanced: true, basic: true });
}

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });

/** What of a message is not as the catalogue says, for a reader of JSON Schema. */
export function faultsOf({ type, body }: Pick<ComposedMessage, 'type' | 'body'>): string[] {
  const { schema } = describeEvent(type);
  if (ajv.validate(schema, JSON.parse(body))) return [];
  return (ajv.errors ?? []).map((error) => `${type}: ${error.instancePath} ${error.message}`);
}
