import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Attempt, DeliveryStatus, EndpointKind } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';

export interface LaneKey {
  apiKeyId: string;
  endpointId: string;
}

export const ofLane = ({ apiKeyId, endpointId }: LaneKey, table?: string) => {
  const prefix = sql.raw(table === undefined ? '' : `${table}.`);
  return sql`${prefix}api_key_id = ${apiKeyId} and ${prefix}endpoint_id = ${endpointId}`;
};

export const waitingIn = ({ apiKeyId, endpointId }: LaneKey) =>
  sql`lane = ${`${apiKeyId}/${endpointId}`} and status = 'waiting'`;

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

/**
 * Prolongs leases of a process on lanes that it works on; answers which those are. Any others it has, of lanes
 * that broke off, run out, or nobody would ever take those up. They are locked in the order in which endpoints
 * are removed.
 */
export async function renewLeases(
  db: Db,
  { holder, now, until }: { holder: string; now: number; until: number },
  lanes: LaneKey[],
): Promise<LaneKey[]> {
  const { rows } = await sql<LaneKey>`
    with mine as materialized (
      select api_key_id, endpoint_id from webhook_leases
      where holder = ${holder} and until > ${now} and (api_key_id, endpoint_id) in (
        select lane ->> 'apiKeyId', lane ->> 'endpointId' from jsonb_array_elements(${json(lanes)}) as lane)
      order by api_key_id, endpoint_id for update)
    update webhook_leases as lease set until = ${until} from mine
    where lease.api_key_id = mine.api_key_id and lease.endpoint_id = mine.endpoint_id
    returning lease.api_key_id, lease.endpoint_id`.execute(db);
  return rows;
}

export const releaseLease = async (db: Db, holder: string, key: LaneKey): Promise<void> => {
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
export async function loadLaneEndpoint(db: Db, key: LaneKey): Promise<LaneEndpoint | undefined> {
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

/** Sends nothing to an endpoint until then, whatever is due; unless another has it by now. */
export const pauseLane = (db: Db, holder: string, key: LaneKey, until: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`
      update webhook_lanes as lane set paused_until = ${until}
      from webhook_leases as lease where ${ofLane(key, 'lane')} and ${ofLane(key, 'lease')}
        and lease.holder = ${holder}`.execute(tx);
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
