import { sql } from 'kysely';
import { json } from '../db/json.ts';
import type { Attempt, DeliveryStatus, EndpointKind } from '../db/tables/webhooks.ts';
import type { Db, Tx } from '../db/tables.ts';

export interface LaneKey {
  apiKeyId: string;
  endpointId: string;
}

const ofLane = ({ apiKeyId, endpointId }: LaneKey) =>
  sql`api_key_id = ${apiKeyId} and endpoint_id = ${endpointId}`;

/** Leases lanes that have something due and that no living process holds, the longest due first. */
export async function claimLanes(
  db: Db,
  holder: string,
  { dueBy, now, until, limit }: { dueBy: number; now: number; until: number; limit: number },
): Promise<LaneKey[]> {
  const { rows } = await sql<LaneKey>`
    insert into webhook_leases (api_key_id, endpoint_id, holder, until)
    select lane.api_key_id, lane.endpoint_id, ${holder}, cast(${until} as bigint)
    from webhook_lanes as lane
    where lane.next_at <= ${dueBy} and coalesce(lane.paused_until, 0) <= ${dueBy}
      and not exists (select 1 from webhook_leases as lease
        where lease.api_key_id = lane.api_key_id and lease.endpoint_id = lane.endpoint_id
          and lease.until > ${now})
    order by lane.next_at limit ${limit}
    on conflict (api_key_id, endpoint_id) do update set holder = excluded.holder, until = excluded.until
    where webhook_leases.until <= ${now}
    returning api_key_id, endpoint_id`.execute(db);
  return rows;
}

/** Prolongs what a process holds; answers which lanes those are. */
export async function renewLeases(db: Db, holder: string, now: number, until: number): Promise<LaneKey[]> {
  const { rows } = await sql<LaneKey>`
    update webhook_leases set until = ${until} where holder = ${holder} and until > ${now}
    returning api_key_id, endpoint_id`.execute(db);
  return rows;
}

export const releaseLease = async (db: Db | Tx, holder: string, key: LaneKey): Promise<void> => {
  await sql`delete from webhook_leases where ${ofLane(key)} and holder = ${holder}`.execute(db);
};

/** Where one process alone has the database, whoever held a lease is gone. */
export const endAllLeases = async (db: Db): Promise<void> => {
  await db.deleteFrom('webhookLeases').execute();
};

export interface LaneEndpoint extends LaneKey {
  workspaceId: string;
  kind: EndpointKind;
  url: string;
  disabled: boolean;
  rateLimit: number | null;
  secretSealed: string | null;
  previousSecretSealed: string | null;
  previousSecretUntil: number | null;
  failingSince: number | null;
  /** What the API key chose of the service that the endpoint belongs to. */
  config: Record<string, unknown> | null;
  serviceSecretSealed: string | null;
}

/** An endpoint with all that sending to it takes; undefined once it is deleted. */
export async function loadLaneEndpoint(db: Db | Tx, key: LaneKey): Promise<LaneEndpoint | undefined> {
  const { rows } = await sql<LaneEndpoint>`
    select endpoint.api_key_id, endpoint.endpoint_id, endpoint.workspace_id, endpoint.kind, endpoint.url,
      endpoint.disabled, endpoint.rate_limit, endpoint.secret_sealed, endpoint.previous_secret_sealed,
      endpoint.previous_secret_until, lane.failing_since, service.config,
      service.secret_sealed as service_secret_sealed
    from webhook_endpoints as endpoint
    left join webhook_lanes as lane
      on lane.api_key_id = endpoint.api_key_id and lane.endpoint_id = endpoint.endpoint_id
    left join service_configs as service on service.api_key_id = endpoint.api_key_id
      and service.service = case endpoint.kind when 'advanced' then 'advancedWebhook' else 'webhook' end
    where endpoint.api_key_id = ${key.apiKeyId} and endpoint.endpoint_id = ${key.endpointId}`.execute(db);
  return rows[0];
}

/** Keeps an endpoint as it is until the transaction ends. */
export const lockEndpoint = async (tx: Tx, key: LaneKey): Promise<void> => {
  await sql`select 1 from webhook_endpoints where ${ofLane(key)} for share`.execute(tx);
};

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

const waitingIn = ({ apiKeyId, endpointId }: LaneKey) =>
  sql`lane = ${`${apiKeyId}/${endpointId}`} and status = 'waiting'`;

/** Of a row called `delivery`. */
const hasNoPredecessor = sql`
  (delivery.order_key is null or not exists (
    select 1 from webhook_deliveries as earlier
    where earlier.order_key = delivery.order_key and earlier.status = 'waiting'
      and earlier.seq < delivery.seq))`;

/** Of one key's deliveries, so many may be taken at once, to go out one after the other. */
const CHAIN = 50;
/** Texts of one load; the first delivery comes whatever its size. */
const LOAD_BYTES = 2_000_000;

/**
 * The oldest that are due, those whose turn has come with the next of their key behind them. Nobody whose
 * predecessor waits for another try is among them; the ids named, which are at work, and their followers are not.
 */
export async function loadDue(
  db: Db,
  key: LaneKey,
  { now, limit, except, basic }: { now: number; limit: number; except: string[]; basic: boolean },
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
      select message_id, seq, order_key, tries, next_at from head where order_key is null
      union all
      select follower.* from head cross join lateral (
        select message_id, seq, order_key, tries, next_at from webhook_deliveries as delivery
        where delivery.order_key = head.order_key and delivery.status = 'waiting'
        order by delivery.seq limit ${CHAIN}) as follower
      where head.order_key is not null),
    sized as (
      select taken.*, message.event_type, ${body} as body,
        sum(octet_length(${body})) over (order by taken.next_at, taken.seq) as bytes,
        row_number() over (order by taken.next_at, taken.seq) as place
      from taken join webhook_messages as message
        on message.api_key_id = ${key.apiKeyId} and message.message_id = taken.message_id)
    select message_id, seq, order_key, tries, next_at, event_type, body from sized
    where bytes <= ${LOAD_BYTES} or place = 1 order by next_at, seq`.execute(db);
  return rows;
}

/** What became of one try. */
export interface Result extends LaneKey {
  messageId: string;
  /** Failures that were known when it was tried: who knows fewer than there are comes too late. */
  triesBefore: number;
  status: DeliveryStatus;
  nextAt: number | null;
  attempt: Attempt;
}

/** Further tries of a delivery that was replayed push out its oldest ones. */
const ATTEMPTS_KEPT = 50;

/**
 * Writes what became of tries; answers those that counted. The endpoint is compared so that no index serves:
 * of the two that might, a planner without statistics takes the one that leads through all of its deliveries.
 */
export async function recordResults(
  tx: Tx,
  results: Result[],
): Promise<(LaneKey & { messageId: string; status: DeliveryStatus })[]> {
  const items = results.map((result) => ({
    api_key_id: result.apiKeyId,
    message_id: result.messageId,
    endpoint_id: result.endpointId,
    tries_before: result.triesBefore,
    status: result.status,
    next_at: result.nextAt,
    attempt: result.attempt,
  }));
  const { rows } = await sql<LaneKey & { messageId: string; status: DeliveryStatus }>`
    update webhook_deliveries as delivery set
      status = case when delivery.status = 'held' and item.status = 'waiting' then 'held' else item.status end,
      tries = item.tries_before + case item.status when 'delivered' then 0 else 1 end,
      next_at = case when delivery.status = 'held' then null else item.next_at end,
      finished_at = case item.status when 'waiting' then null else cast(${Date.now()} as bigint) end,
      attempts = (case when jsonb_array_length(delivery.attempts) >= ${ATTEMPTS_KEPT}
        then delivery.attempts - 0 else delivery.attempts end) || jsonb_build_array(item.attempt)
    from jsonb_to_recordset(${json(items)}) as item(api_key_id text, message_id text, endpoint_id text,
      tries_before integer, status text, next_at bigint, attempt jsonb)
    where delivery.api_key_id = item.api_key_id and delivery.message_id = item.message_id
      and delivery.endpoint_id || '' = item.endpoint_id and delivery.status in ('waiting', 'held')
      and (item.status = 'delivered' or delivery.tries = item.tries_before)
    returning delivery.api_key_id, delivery.endpoint_id, delivery.message_id, delivery.status`.execute(tx);
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
      if (await hasTurn(tx, key, now)) return false;
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

/** Sends nothing to an endpoint until then, whatever is due. */
export const pauseLane = (db: Db, holder: string, key: LaneKey, until: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`update webhook_lanes set paused_until = ${until} where ${ofLane(key)}`.execute(tx);
    await releaseLease(tx, holder, key);
  });

/** Locks lanes that are not all one's own, in an order in which nobody waits for a circle. */
export const lockLanes = async (tx: Tx, keys: LaneKey[]): Promise<void> => {
  await sql`
    select 1 from webhook_lanes where (api_key_id, endpoint_id) in (
      select key ->> 'apiKeyId', key ->> 'endpointId' from jsonb_array_elements(${json(keys)}) as key)
    order by api_key_id, endpoint_id for update`.execute(tx);
};

/** Locks a lane until the transaction ends; whoever changes deliveries of it that are not new does so first. */
export const lockLane = async (tx: Tx, key: LaneKey): Promise<void> => {
  await sql`select 1 from webhook_lanes where ${ofLane(key)} for update`.execute(tx);
};

/** Of one statement; of an endpoint that was away for long, a great many wait. */
const HELD_AT_ONCE = 10_000;

/**
 * Nothing of these endpoints is tried any more; what waited can be replayed. Where very many wait, some are
 * left to whoever takes up the lane next. Answers whether none is left.
 */
export async function holdWaiting(tx: Tx, apiKeyId: string, endpointIds: string[]): Promise<boolean> {
  let isDone = true;
  for (const endpointId of [...endpointIds].sort()) {
    const key = { apiKeyId, endpointId };
    await lockLane(tx, key);
    const { numAffectedRows = 0n } = await sql`
      update webhook_deliveries set status = 'held', next_at = null
      where ${waitingIn(key)} and message_id = any(array(
        select message_id from webhook_deliveries where ${waitingIn(key)}
        order by next_at, seq limit ${HELD_AT_ONCE}))`.execute(tx);
    const isAll = numAffectedRows < BigInt(HELD_AT_ONCE);
    await sql`
      update webhook_lanes set next_at = ${isAll ? null : Date.now()} where ${ofLane(key)}`.execute(tx);
    isDone &&= isAll;
  }
  return isDone;
}
