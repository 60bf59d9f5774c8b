import { type RawBuilder, sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Attempt, DeliveryStatus } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { EndpointRow } from './endpoints.ts';
import { type LaneKey, lockLane } from './lanes.ts';
import { makeDue } from './messages.ts';

/** Begins the ids of messages that were sent as a test, which nobody misses. */
export const TEST_PREFIX = 'evt_test';

export interface DeliveryFilter {
  /** One of the two is there, since an index knows no other beginning. */
  endpointId?: string | undefined;
  webhookId?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

export interface DeliveryPosition {
  seq: number;
  endpointId: string;
}

const noSuchEndpoint = () => notFound('Advanced webhook provider request failed.');

interface Window {
  from: DeliveryPosition | undefined;
  direction: 'forward' | 'backward';
  limit: number;
}

export interface DeliveryRow extends DeliveryPosition {
  messageId: string;
  eventType: string;
  status: DeliveryStatus;
  createdAt: number;
  nextAt: number | null;
  finishedAt: number | null;
  attempts: Attempt[];
  /** JSON, where it is asked for. */
  body: string | null;
}

/** An endpoint of any kind, those of the basic configuration included; NOT_FOUND where there is none. */
export async function requireAnyEndpoint(
  db: Db,
  { apiKeyId }: Scope,
  endpointId: string,
): Promise<EndpointRow> {
  const row = await db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .executeTakeFirst();
  if (!row) throw noSuchEndpoint();
  return row;
}

/** Deliveries next to a place, the nearest first; forward leads from the newest to the oldest. */
export async function listDeliveries(
  db: Db,
  scope: Scope,
  filter: DeliveryFilter,
  { from, direction, limit }: Window,
  withBody: boolean,
): Promise<DeliveryRow[]> {
  const [order, sign] = direction === 'forward' ? ['desc', '<'] : ['asc', '>'];
  const behind = from && sql`(cast(${from.seq} as bigint), ${from.endpointId})`;
  const body = sql`case when endpoint_id in ('raw', 'processed') then message.basic_body else message.body end`;
  const { rows } = await sql<DeliveryRow>`
    select delivery.message_id, delivery.endpoint_id, delivery.seq, delivery.status, delivery.created_at,
      delivery.next_at, delivery.finished_at, delivery.attempts, message.event_type,
      ${withBody ? body : sql`null`} as body
    from webhook_deliveries as delivery join webhook_messages as message
      on message.api_key_id = delivery.api_key_id and message.message_id = delivery.message_id
    where ${sql.join(conditionsOf(scope, filter), sql` and `)}
      ${behind ? sql`and (delivery.seq, delivery.endpoint_id) ${sql.raw(sign!)} ${behind}` : sql``}
    order by delivery.seq ${sql.raw(order!)}, delivery.endpoint_id ${sql.raw(order!)}
    limit ${limit}`.execute(db);
  return rows;
}

function conditionsOf(
  { apiKeyId }: Scope,
  { endpointId, webhookId, status, eventType, since, until }: DeliveryFilter,
): RawBuilder<unknown>[] {
  const where = (condition: RawBuilder<unknown>, value: unknown) => (value === undefined ? [] : [condition]);
  return [
    sql`delivery.api_key_id = ${apiKeyId}`,
    ...where(sql`delivery.endpoint_id = ${endpointId}`, endpointId),
    ...where(sql`delivery.message_id = ${webhookId}`, webhookId),
    // As a literal, so that the indexes of deliveries in some state are seen to serve.
    ...(status === undefined ? [] : [sql`delivery.status = ${sql.lit(status)}`]),
    ...where(sql`message.event_type = ${eventType}`, eventType),
    ...where(sql`delivery.created_at >= ${since}`, since),
    ...where(sql`delivery.created_at < ${until}`, until),
  ];
}

/** Holds the endpoint, so that nobody disables it meanwhile, and its lane; FAILED_PRECONDITION where it is disabled. */
async function holdForReplay(tx: Tx, key: LaneKey): Promise<void> {
  const endpoint = await tx
    .selectFrom('webhookEndpoints')
    .select('disabled')
    .where('apiKeyId', '=', key.apiKeyId)
    .where('endpointId', '=', key.endpointId)
    .forShare()
    .executeTakeFirst();
  if (!endpoint) throw noSuchEndpoint();
  if (endpoint.disabled) {
    throw failedPrecondition('The endpoint is disabled: nothing is sent to it. Enable it first.');
  }
  await lockLane(tx, key);
}

/**
 * Sends one message to an endpoint once more, whatever became of it. One that waits for its next try is tried
 * now, with what it waits behind and what waits behind it, and goes on in its schedule. Answers how many of one
 * that changed.
 */
export async function replayOne(tx: Tx, key: LaneKey, messageId: string): Promise<number> {
  await holdForReplay(tx, key);
  const now = Date.now();
  const mine = sql`api_key_id = ${key.apiKeyId} and message_id = ${messageId} and endpoint_id = ${key.endpointId}`;
  const { rows: found } = await sql<{ orderKey: string | null }>`
    select order_key from webhook_deliveries where ${mine}`.execute(tx);
  if (!found[0]) throw notFound('The endpoint has no such delivery.');
  const { numAffectedRows: revived = 0n } = await sql`
    update webhook_deliveries set status = 'waiting', next_at = ${now}, finished_at = null,
      tries = case status when 'waiting' then tries else 0 end
    where ${mine} and (status <> 'waiting' or next_at > ${now})`.execute(tx);
  const { numAffectedRows: hastened = 0n } = await sql`
    update webhook_deliveries set next_at = ${now}
    where order_key = ${found[0].orderKey} and status = 'waiting' and next_at > ${now}`.execute(tx);
  if (revived + hastened === 0n) return 0;
  await makeDue(tx, [key], now);
  return 1;
}

/** Of one transaction; an endpoint that was away for days has lost many. */
const REPLAYED_AT_ONCE = 5_000;

export interface LostFilter {
  since: number;
  until?: number | undefined;
  /** Where an earlier part ended. */
  after: number;
}

/**
 * Brings back to life what was given up or held, in the order of what happened, a part at a time. Answers
 * where to go on; undefined where nothing is left.
 */
export async function replayLost(
  tx: Tx,
  key: LaneKey,
  { since, until, after }: LostFilter,
): Promise<{ replayed: number; next: number | undefined }> {
  await holdForReplay(tx, key);
  const now = Date.now();
  const lost = sql`api_key_id = ${key.apiKeyId} and endpoint_id = ${key.endpointId}
    and status in ('failed', 'held') and seq > ${after} and created_at >= ${since}
    ${until === undefined ? sql`` : sql`and created_at < ${until}`}
    and not starts_with(message_id, ${`${TEST_PREFIX}_`})`;
  // Up to where the part goes, rather than joined with what is in it: not knowing how many there are, the
  // planner would look at all for each.
  const { rows } = await sql<{ seq: number }>`
    update webhook_deliveries set status = 'waiting', tries = 0, next_at = ${now}, finished_at = null
    where ${lost} and seq <= (select max(seq) from
      (select seq from webhook_deliveries where ${lost} order by seq limit ${REPLAYED_AT_ONCE}) as part)
    returning seq`.execute(tx);
  if (rows.length > 0) await makeDue(tx, [key], now);
  return {
    replayed: rows.length,
    next: rows.length < REPLAYED_AT_ONCE ? undefined : Math.max(...rows.map(({ seq }) => Number(seq))),
  };
}

export interface SentTest {
  endpointId: string;
  messageId: string;
  eventType: string;
  body: string;
  attempt: Attempt;
}

/** Keeps a message that was sent as a test, with its one try. */
export async function recordTest(tx: Tx, { apiKeyId }: Scope, test: SentTest): Promise<void> {
  const { endpointId, messageId, eventType, body, attempt } = test;
  const status: DeliveryStatus = attempt.outcome === 'delivered' ? 'delivered' : 'failed';
  const now = Date.now();
  // It stands among the events in the order of lists, though nothing happened.
  const { rows } = await sql<{ seq: string }>`
    select nextval(pg_get_serial_sequence('events', 'seq')) as seq`.execute(tx);
  const seq = Number(rows[0]!.seq);
  await tx
    .insertInto('webhookMessages')
    .values({ apiKeyId, messageId, seq, eventType, body, createdAt: attempt.at })
    .execute();
  await tx
    .insertInto('webhookDeliveries')
    .values({
      apiKeyId,
      messageId,
      endpointId,
      seq,
      status,
      tries: status === 'failed' ? 1 : 0,
      attempts: json([attempt]),
      createdAt: attempt.at,
      finishedAt: now,
    })
    .execute();
}
