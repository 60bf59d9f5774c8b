import { sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { type LaneKey, lockLane, releaseLease, waitingIn } from './lanes.ts';

export interface DueDelivery {
  messageId: string;
  seq: number;
  orderKey: string | null;
  tries: number;
  nextAt: number;
  eventType: string;
  /** JSON, in the form for the kind of endpoint. */
  body: string;
}

/** A condition on a row named `delivery`: no earlier delivery with its order key is waiting. */
const hasNoPredecessor = condition`
  (delivery.order_key is null or not exists (
    select 1 from webhook_deliveries as earlier
    where earlier.order_key = delivery.order_key and earlier.status = 'waiting'
      and earlier.seq < delivery.seq))`;

interface DueQuery {
  now: number;
  limit: number;
  /** Ids of deliveries in flight, which are left out with their followers. */
  except: string[];
  basic: boolean;
  /** Most bytes of bodies; the first delivery is returned whatever its size. */
  bytes: number;
}

/** Most deliveries of one order key that are loaded at once. */
const FOLLOWERS = 50;

/**
 * The oldest due deliveries of a lane, each with the deliveries that follow it under the same order key. A delivery
 * whose predecessor waits for a retry is left out. Raw SQL, because this runs for every load of a lane and needs a
 * materialized CTE, a lateral join and window functions.
 */
export async function loadDue(
  db: Db,
  key: LaneKey,
  { now, limit, except, basic, bytes }: DueQuery,
): Promise<DueDelivery[]> {
  const body = basic ? sql`coalesce(message.basic_body, message.body)` : sql`message.body`;
  const { rows } = await sql<DueDelivery>`
    with head as materialized (
      select message_id, seq, order_key, tries, next_at from webhook_deliveries as delivery
      where ${waitingIn(key)} and next_at <= ${now}
        and message_id <> all(array(select jsonb_array_elements_text(${json(except)})))
        and ${hasNoPredecessor}
      order by next_at, seq limit ${limit}),
    taken as (
      select head.*, next_at as head_at, seq as head_seq from head where order_key is null
      union all
      select follower.*, head.next_at, head.seq from head cross join lateral (
        select message_id, seq, order_key, tries, next_at from webhook_deliveries as delivery
        where delivery.order_key = head.order_key and delivery.status = 'waiting'
        order by delivery.seq limit ${FOLLOWERS}) as follower
      where head.order_key is not null),
    sized as (
      select taken.*, message.event_type, ${body} as body,
        sum(octet_length(${body})) over nearest as bytes, row_number() over nearest as place
      from taken join webhook_messages as message
        on message.api_key_id = ${key.apiKeyId} and message.message_id = taken.message_id
      -- A follower may have been due for longer, and still must not be cut off from its predecessors.
      window nearest as (order by head_at, head_seq, taken.seq))
    select message_id, seq, order_key, tries, next_at, event_type, body from sized
    where bytes <= ${bytes} or place = 1 order by place`.execute(db);
  return rows;
}

/**
 * Releases the lease of a lane that has nothing due, and stores when it will have. Returns false if a delivery has
 * become due meanwhile; then the lane stays with its holder.
 */
export const releaseIdleLane = (db: Db, holder: string, key: LaneKey, now: number): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockLane(tx, key);
    let nextAt = await nextDueAt(tx, key);
    if (nextAt !== null && nextAt <= now) {
      if (await hasUnblocked(tx, key, now)) {
        await deleteWithoutMessage(tx, key, now);
        return false;
      }
      await postponeFollowers(tx, key, now);
      nextAt = await nextDueAt(tx, key);
    }
    if (nextAt !== null && nextAt <= now) return false;
    await tx
      .updateTable('webhookLanes')
      .set({ nextAt })
      .where('apiKeyId', '=', key.apiKeyId)
      .where('endpointId', '=', key.endpointId)
      .execute();
    await releaseLease(tx, holder, key);
    return true;
  });

async function nextDueAt(tx: Tx, key: LaneKey): Promise<number | null> {
  const { nextAt } = await tx
    .selectFrom('webhookDeliveries')
    .select(({ fn }) => fn.min('nextAt').as('nextAt'))
    .where(waitingIn(key))
    .executeTakeFirstOrThrow();
  return nextAt;
}

/** True if a due delivery waits for no predecessor. */
async function hasUnblocked(tx: Tx, key: LaneKey, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('webhookDeliveries as delivery')
    .select('delivery.seq')
    .where(waitingIn(key))
    .where('delivery.nextAt', '<=', now)
    .where(hasNoPredecessor)
    .orderBy('delivery.nextAt')
    .orderBy('delivery.seq')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A delivery without a message can never be sent, and would be loaded again and again. */
async function deleteWithoutMessage(tx: Tx, key: LaneKey, now: number): Promise<void> {
  await tx
    .deleteFrom('webhookDeliveries as delivery')
    .where(waitingIn(key))
    .where('delivery.nextAt', '<=', now)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('webhookMessages as message')
            .select('message.seq')
            .whereRef('message.apiKeyId', '=', 'delivery.apiKeyId')
            .whereRef('message.messageId', '=', 'delivery.messageId'),
        ),
      ),
    )
    .execute();
}

/** Followers of a delivery that is being retried get its `next_at`, so that they are not polled earlier. */
async function postponeFollowers(tx: Tx, key: LaneKey, now: number): Promise<void> {
  await sql`
    update webhook_deliveries as delivery set next_at = follower.head_at
    from (
      select message_id, next_at,
        first_value(next_at) over (partition by order_key order by seq) as head_at
      from webhook_deliveries
      where ${waitingIn(key)} and order_key is not null) as follower
    where follower.next_at <= ${now} and follower.head_at > ${now}
      and delivery.api_key_id = ${key.apiKeyId} and delivery.message_id = follower.message_id
      and delivery.endpoint_id || '' = ${key.endpointId}`.execute(tx);
}
