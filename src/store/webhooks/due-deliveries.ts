import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { type LaneKey, lockLane, ofLane, releaseLease, waitingIn } from './lanes.ts';

export interface DueDelivery {
  messageId: string;
  seq: number;
  orderKey: string | null;
  tries: number;
  nextAt: number;
  eventType: string;
  /** JSON, as the kind of endpoint takes it. */
  body: string;
}

/** Of a row called `delivery`. */
const hasNoPredecessor = sql`
  (delivery.order_key is null or not exists (
    select 1 from webhook_deliveries as earlier
    where earlier.order_key = delivery.order_key and earlier.status = 'waiting'
      and earlier.seq < delivery.seq))`;

interface DueAsked {
  now: number;
  limit: number;
  except: string[];
  basic: boolean;
  bytes: number;
}

/** Of one key's deliveries, so many may be taken at once, to go out one after the other. */
const CHAIN = 50;
/**
 * The oldest that are due, those whose turn has come with the next of their key behind them. Nobody whose
 * predecessor waits for another try is among them; the ids named, which are at work, and their followers are not.
 * Of texts there are no more than so many bytes, though the first delivery comes whatever its size.
 */
export async function loadDue(
  db: Db,
  key: LaneKey,
  { now, limit, except, basic, bytes }: DueAsked,
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
        order by delivery.seq limit ${CHAIN}) as follower
      where head.order_key is not null),
    sized as (
      select taken.*, message.event_type, ${body} as body,
        sum(octet_length(${body})) over nearest as bytes, row_number() over nearest as place
      from taken join webhook_messages as message
        on message.api_key_id = ${key.apiKeyId} and message.message_id = taken.message_id
      -- Who follows may have been due for longer, and still must not be taken without who is before it.
      window nearest as (order by head_at, head_seq, taken.seq))
    select message_id, seq, order_key, tries, next_at, event_type, body from sized
    where bytes <= ${bytes} or place = 1 order by place`.execute(db);
  return rows;
}

/**
 * Gives a lane back when nothing of it is due, and notes when something will be. Answers false where
 * something has become due meanwhile; then the lane stays with its holder.
 */
export const restLane = (db: Db, holder: string, key: LaneKey, now: number): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockLane(tx, key);
    let nextAt = await nextDueAt(tx, key);
    if (nextAt !== null && nextAt <= now) {
      if (await hasTurn(tx, key, now)) {
        await dropEmpty(tx, key, now);
        return false;
      }
      await putOffFollowers(tx, key, now);
      nextAt = await nextDueAt(tx, key);
    }
    if (nextAt !== null && nextAt <= now) return false;
    await sql`update webhook_lanes set next_at = ${nextAt} where ${ofLane(key)}`.execute(tx);
    await releaseLease(tx, holder, key);
    return true;
  });

async function nextDueAt(tx: Tx, key: LaneKey): Promise<number | null> {
  const { rows } = await sql<{ nextAt: number | null }>`
    select min(next_at) as next_at from webhook_deliveries
    where ${waitingIn(key)}`.execute(tx);
  return rows[0]?.nextAt == null ? null : Number(rows[0].nextAt);
}

/** Whether one that is due waits for no predecessor. */
async function hasTurn(tx: Tx, key: LaneKey, now: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from webhook_deliveries as delivery
    where ${waitingIn(key)} and next_at <= ${now} and ${hasNoPredecessor}
    order by next_at, seq limit 1`.execute(tx);
  return rows.length > 0;
}

/** What has no message can never be sent, and would be looked for without end. */
async function dropEmpty(tx: Tx, key: LaneKey, now: number): Promise<void> {
  await sql`
    delete from webhook_deliveries as delivery
    where ${waitingIn(key)} and next_at <= ${now} and not exists (
      select 1 from webhook_messages as message
      where message.api_key_id = delivery.api_key_id and message.message_id = delivery.message_id)`.execute(
    tx,
  );
}

/** Who waits behind one that waits for another try is due when that one is, so that nobody looks at it before. */
async function putOffFollowers(tx: Tx, key: LaneKey, now: number): Promise<void> {
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
