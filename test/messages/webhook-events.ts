import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Event } from '../../src/events/event-catalog.ts';
import { describeEvent } from '../../src/webhooks/catalog/message-body.ts';
import { type ComposedMessage, composeMessages } from '../../src/webhooks/compose/compose-messages.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

/** The events of a workspace, oldest first. */
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

/** The webhook messages that these events become. */
export async function messagesOf(workspace: TestWorkspace): Promise<ComposedMessage[]> {
  const { deps } = await testApp();
  return await composeMessages(deps.db, await eventsOf(workspace), { advanced: true, basic: true });
}

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });

/** The violations of the JSON Schema that the catalog publishes for a message. */
export function faultsOf({ type, body }: Pick<ComposedMessage, 'type' | 'body'>): string[] {
  const { schema } = describeEvent(type);
  if (ajv.validate(schema, JSON.parse(body))) return [];
  return (ajv.errors ?? []).map((error) => `${type}: ${error.instancePath} ${error.message}`);
}
