import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { condition, json } from '../../db/sql-fragments.ts';
import type { DeliveryStatus, EndpointKind } from '../../db/tables/webhook-tables.ts';
import type { Tx } from '../../db/tables.ts';
import type { ServiceConfig } from '../platform/service-configs.ts';

/** The part of an endpoint that decides what is sent to it. */
export interface Listener {
  apiKeyId: string;
  endpointId: string;
  kind: EndpointKind;
  disabled: boolean;
  filterTypes: string[] | null;
  channels: string[] | null;
}

/** True for a row of `events` whose API key has endpoints, disabled ones included. */
export const hasEndpoints = condition`exists (select 1 from webhook_endpoints
  where webhook_endpoints.api_key_id = events.api_key_id)`;

/** Endpoints of these API keys, share-locked until the transaction ends. */
export const listenersOf = (tx: Tx, apiKeyIds: string[]): Promise<Listener[]> =>
  tx
    .selectFrom('webhookEndpoints')
    .select(['apiKeyId', 'endpointId', 'kind', 'disabled', 'filterTypes', 'channels'])
    .where('apiKeyId', 'in', apiKeyIds)
    .orderBy('apiKeyId')
    .orderBy('endpointId')
    .forShare()
    .execute();

/** The webhook settings of these API keys. */
export async function webhookServicesOf(
  tx: Tx,
  apiKeyIds: string[],
): Promise<Map<string, { basic?: ServiceConfig; advanced?: ServiceConfig }>> {
  const rows = await tx
    .selectFrom('serviceConfigs')
    .select(['apiKeyId', 'service', 'config', 'secretSealed'])
    .where('apiKeyId', 'in', apiKeyIds)
    .where('service', 'in', ['webhook', 'advancedWebhook'])
    .execute();
  const found = new Map<string, { basic?: ServiceConfig; advanced?: ServiceConfig }>();
  for (const { apiKeyId, service, config, secretSealed } of rows) {
    const which = service === 'webhook' ? 'basic' : 'advanced';
    found.set(apiKeyId, { ...found.get(apiKeyId), [which]: { config, secretSealed } });
  }
  return found;
}

export interface NewMessage {
  apiKeyId: string;
  messageId: string;
  seq: number;
  eventType: string;
  organizationId: string | null;
  body: string;
  basicBody: string | null;
  orderKey: string | null;
  createdAt: number;
  deliveries: { endpointId: string; status: Extract<DeliveryStatus, 'waiting' | 'held'> }[];
}

/** Approximate bytes of JSON per statement; a message has at most half a megabyte. */
const CHUNK_BYTES = 8_000_000;

/** Inserts messages with their deliveries, skips those that exist, and makes the endpoints' lanes due. */
export async function insertMessages(tx: Tx, messages: NewMessage[]): Promise<void> {
  const now = Date.now();
  for (const chunk of chunks(messages)) {
    await sendMessages(tx, columnsOf(chunk, now));
  }
  await makeDue(
    tx,
    messages.flatMap(({ apiKeyId, deliveries }) =>
      deliveries
        .filter(({ status }) => status === 'waiting')
        .map(({ endpointId }) => ({ apiKeyId, endpointId })),
    ),
    now,
  );
}

/**
 * Upserts lanes as due at a time. It locks each lane, due or not: `releaseIdleLane` looks for deliveries under the
 * same lock, and must not do so before these are committed.
 */
export async function makeDue(
  tx: Tx,
  keys: { apiKeyId: string; endpointId: string }[],
  at: number,
): Promise<void> {
  if (keys.length === 0) return;
  const lanes = [
    ...new Map(keys.map((key) => [JSON.stringify([key.apiKeyId, key.endpointId]), key])).values(),
  ];
  await sql`
    insert into webhook_lanes (api_key_id, endpoint_id, next_at)
    select lane ->> 'apiKeyId', lane ->> 'endpointId', cast(${at} as bigint)
    from jsonb_array_elements(${json(lanes)}) as lane order by 1, 2
    on conflict (api_key_id, endpoint_id) do update set next_at = excluded.next_at
    where webhook_lanes.next_at is null or webhook_lanes.next_at > excluded.next_at`.execute(tx);
}

interface MessageColumns extends Record<string, unknown> {
  /** A JSON list of all columns but the bodies. */
  items: string;
  /** Joined by the separator. */
  bodies: string;
  /** The same; an empty one stands for none. */
  basicBodies: string;
  now: number;
}

/** A character that JSON never contains, so that bodies need no further escaping, which takes longer than writing them. */
const SEPARATOR = '\u0001';

const columnsOf = (messages: readonly NewMessage[], now: number): MessageColumns => ({
  items: JSON.stringify(messages.map(({ body: _, basicBody: __, ...item }) => item)),
  bodies: messages.map(({ body }) => body).join(SEPARATOR),
  basicBodies: messages.map(({ basicBody }) => basicBody ?? '').join(SEPARATOR),
  now,
});

const sendMessages = prepared<MessageColumns, never>((db, { items, bodies, basicBodies, now }) => {
  const split = (text: string) =>
    sql`unnest(string_to_array(cast(${text} as text), ${sql.lit(SEPARATOR)}, ''))`;
  const query = sql<never>`
    with message as materialized (select * from rows from (
      jsonb_to_recordset(cast(${items} as jsonb)) as ("apiKeyId" text, "messageId" text, seq bigint, "eventType" text,
        "organizationId" text, "orderKey" text, "createdAt" bigint, deliveries jsonb),
      ${split(bodies)}, ${split(basicBodies)})
      as item(api_key_id, message_id, seq, event_type, organization_id, order_key, created_at, deliveries, body,
        basic_body)),
    written as (
      insert into webhook_messages
        (api_key_id, message_id, seq, event_type, organization_id, body, basic_body, created_at)
      select api_key_id, message_id, seq, event_type, organization_id, body, basic_body, created_at
      from message on conflict do nothing)
    insert into webhook_deliveries
      (api_key_id, message_id, endpoint_id, event_type, seq, order_key, status, tries, next_at, attempts,
        created_at)
    select api_key_id, message_id, delivery ->> 'endpointId', event_type, seq,
      md5(api_key_id || '/' || (delivery ->> 'endpointId') || '/' || order_key), delivery ->> 'status', 0,
      case delivery ->> 'status' when 'waiting' then cast(${now} as bigint) end, '[]', created_at
    from message, jsonb_array_elements(deliveries) as delivery
    on conflict do nothing`;
  return { compile: () => query.compile(db) };
});

function* chunks(messages: NewMessage[]): Generator<NewMessage[]> {
  let chunk: NewMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = message.body.length + (message.basicBody?.length ?? 0);
    if (bytes + size > CHUNK_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(message);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
