import { sql } from 'kysely';
import { z } from 'zod';
import { condition, json, rowsOf } from '../../db/sql-fragments.ts';
import type { Attempt, DeliveryStatus } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { type EndpointRow, noSuchEndpoint } from './endpoints.ts';
import { type LaneKey, lockLane } from './lanes.ts';
import { makeDue } from './messages.ts';

/** Prefix of the ids of test messages, which a replay of failed deliveries leaves out. */
export const TEST_PREFIX = 'evt_test';

export interface DeliveryFilter {
  /** The endpoint or the message is required: indexes begin with them. */
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
  /** JSON; null unless it is asked for. */
  body: string | null;
}

/** An endpoint of any kind, basic ones included. Throws NOT_FOUND. */
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

/** Deliveries after a position, nearest first; forward leads from the newest to the oldest. */
export function listDeliveries(
  db: Db,
  { apiKeyId }: Scope,
  { endpointId, webhookId, status, eventType, since, until }: DeliveryFilter,
  { from, direction, limit }: Window,
  withBody: boolean,
): Promise<DeliveryRow[]> {
  const order = direction === 'forward' ? 'desc' : 'asc';
  const body = withBody
    ? sql<
        string | null
      >`case when delivery.endpoint_id in ('raw', 'processed') then message.basic_body else message.body end`
    : sql<null>`null`;
  let query = db
    .selectFrom('webhookDeliveries as delivery')
    .innerJoin('webhookMessages as message', (join) =>
      join
        .onRef('message.apiKeyId', '=', 'delivery.apiKeyId')
        .onRef('message.messageId', '=', 'delivery.messageId'),
    )
    .select([
      'delivery.messageId',
      'delivery.endpointId',
      'delivery.seq',
      'delivery.status',
      'delivery.createdAt',
      'delivery.nextAt',
      'delivery.finishedAt',
      'delivery.attempts',
      'delivery.eventType',
      body.as('body'),
    ])
    .where('delivery.apiKeyId', '=', apiKeyId)
    .orderBy('delivery.seq', order)
    .orderBy('delivery.endpointId', order)
    .limit(limit);
  if (endpointId !== undefined) query = query.where('delivery.endpointId', '=', endpointId);
  if (webhookId !== undefined) query = query.where('delivery.messageId', '=', webhookId);
  // A literal, so that the planner sees that the partial indexes by status apply.
  if (status !== undefined) query = query.where('delivery.status', '=', sql.lit(status));
  if (eventType !== undefined) query = query.where('delivery.eventType', '=', eventType);
  // A delivery has the time of its message. The planner begins with the messages if few of them match.
  if (since !== undefined) query = query.where('message.createdAt', '>=', since);
  if (until !== undefined) query = query.where('message.createdAt', '<', until);
  if (from) {
    const sign = sql.raw(direction === 'forward' ? '<' : '>');
    const position = sql`(cast(${from.seq} as bigint), ${from.endpointId})`;
    query = query.where(condition`(delivery.seq, delivery.endpoint_id) ${sign} ${position}`);
  }
  return query.execute();
}

/** Share-locks an endpoint, so that it cannot be disabled meanwhile, and locks its lane. Throws FAILED_PRECONDITION. */
async function lockForReplay(tx: Tx, key: LaneKey): Promise<void> {
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
 * Replays one delivery whatever its status. A delivery that waits for a retry becomes due now, with its predecessors
 * and followers, and keeps its place in the schedule. Returns 1 if anything changed, otherwise 0.
 */
export async function replayOne(tx: Tx, key: LaneKey, messageId: string): Promise<number> {
  await lockForReplay(tx, key);
  const now = Date.now();
  const delivery = await tx
    .selectFrom('webhookDeliveries')
    .select('orderKey')
    .where('apiKeyId', '=', key.apiKeyId)
    .where('messageId', '=', messageId)
    .where('endpointId', '=', key.endpointId)
    .executeTakeFirst();
  if (!delivery) throw notFound('The endpoint has no such delivery.');
  const { numUpdatedRows: revived } = await tx
    .updateTable('webhookDeliveries')
    .set({
      status: 'waiting',
      nextAt: now,
      finishedAt: null,
      tries: sql<number>`case status when 'waiting' then tries else 0 end`,
    })
    .where('apiKeyId', '=', key.apiKeyId)
    .where('messageId', '=', messageId)
    .where('endpointId', '=', key.endpointId)
    .where(({ or, eb }) => or([eb('status', '<>', 'waiting'), eb('nextAt', '>', now)]))
    .executeTakeFirst();
  const { numUpdatedRows: hastened } = await tx
    .updateTable('webhookDeliveries')
    .set({ nextAt: now })
    .where('orderKey', '=', delivery.orderKey)
    .where('status', '=', sql.lit('waiting'))
    .where('nextAt', '>', now)
    .executeTakeFirst();
  if (revived + hastened === 0n) return 0;
  await makeDue(tx, [key], now);
  return 1;
}

/** Deliveries per transaction; an endpoint that was away for days has lost many. */
const REPLAYED_AT_ONCE = 5_000;

export interface LostFilter {
  since: number;
  until?: number | undefined;
  /** The `next` of the previous part. */
  after: number;
}

const replayedRow = z.object({ seq: z.number() });

/**
 * Replays the deliveries that were given up (dead letters) or held, in the order of their events, one part per call.
 * Returns where the next part begins, or undefined at the end.
 */
export async function replayLost(
  tx: Tx,
  key: LaneKey,
  { since, until, after }: LostFilter,
): Promise<{ replayed: number; next: number | undefined }> {
  await lockForReplay(tx, key);
  const now = Date.now();
  const lost = sql`api_key_id = ${key.apiKeyId} and endpoint_id = ${key.endpointId}
    and status in ('failed', 'held') and seq > ${after} and created_at >= ${since}
    ${until === undefined ? sql`` : sql`and created_at < ${until}`}
    and not starts_with(message_id, ${`${TEST_PREFIX}_`})`;
  // Limited by the last `seq` of the part and not joined with it: the planner cannot estimate the part's size and
  // would scan all deliveries for each of its rows.
  const rows = await rowsOf(
    tx,
    replayedRow,
    sql`
    update webhook_deliveries set status = 'waiting', tries = 0, next_at = ${now}, finished_at = null
    where ${lost} and seq <= (select max(seq) from
      (select seq from webhook_deliveries where ${lost} order by seq limit ${REPLAYED_AT_ONCE}) as part)
    returning seq`,
  );
  if (rows.length > 0) await makeDue(tx, [key], now);
  return {
    replayed: rows.length,
    next: rows.length < REPLAYED_AT_ONCE ? undefined : Math.max(...rows.map(({ seq }) => seq)),
  };
}

export interface SentTest {
  endpointId: string;
  messageId: string;
  eventType: string;
  body: string;
  attempt: Attempt;
}

/** Stores a test message with its single attempt. */
export async function recordTest(tx: Tx, { apiKeyId }: Scope, test: SentTest): Promise<void> {
  const { endpointId, messageId, eventType, body, attempt } = test;
  const status: DeliveryStatus = attempt.outcome === 'delivered' ? 'delivered' : 'failed';
  const now = Date.now();
  // Lists are ordered by `seq`, so the test takes one although there is no event.
  const { seq } = await tx
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('events', 'seq'))`.as('seq'))
    .executeTakeFirstOrThrow();
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
      eventType,
      seq,
      status,
      tries: status === 'failed' ? 1 : 0,
      attempts: json([attempt]),
      createdAt: attempt.at,
      finishedAt: now,
    })
    .execute();
}
