import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Attempt, DeliveryStatus, EndpointKind } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';

/** The queue of deliveries to one endpoint. */
export interface LaneKey {
  apiKeyId: string;
  endpointId: string;
}

/** A condition on `webhook_deliveries` that the partial index of waiting deliveries serves. */
export const waitingIn = ({ apiKeyId, endpointId }: LaneKey) =>
  condition`lane = ${`${apiKeyId}/${endpointId}`} and status = 'waiting'`;

/** Leases lanes that have a due delivery and no valid lease, the longest due first. */
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
 * Renews the leases of a process on the lanes that it runs, and returns those lanes. Its other leases, of lanes that
 * failed, run out, so that the lanes are claimed again. Rows are locked in the order in which endpoints are removed.
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

const deleteLease = prepared((db, lease: { apiKeyId: string; endpointId: string; holder: string }) =>
  db
    .deleteFrom('webhookLeases')
    .where('apiKeyId', '=', lease.apiKeyId)
    .where('endpointId', '=', lease.endpointId)
    .where('holder', '=', lease.holder),
);

export const releaseLease = async (
  db: Db,
  holder: string,
  { apiKeyId, endpointId }: LaneKey,
): Promise<void> => {
  await deleteLease(db, { apiKeyId, endpointId, holder });
};

/** Ends all leases; for the start of a process that is the only one on its database. */
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
  /** The settings of basic or advanced webhooks, whichever the endpoint belongs to. */
  config: Record<string, unknown> | null;
  serviceSecretSealed: string | null;
}

const selectLaneEndpoint = prepared((db, key: { apiKeyId: string; endpointId: string }) =>
  db
    .selectFrom('webhookEndpoints as endpoint')
    .leftJoin('webhookLanes as lane', (join) =>
      join
        .onRef('lane.apiKeyId', '=', 'endpoint.apiKeyId')
        .onRef('lane.endpointId', '=', 'endpoint.endpointId'),
    )
    .leftJoin('serviceConfigs as service', (join) =>
      join
        .onRef('service.apiKeyId', '=', 'endpoint.apiKeyId')
        .on(
          'service.service',
          '=',
          sql<string>`case endpoint.kind when 'advanced' then 'advancedWebhook' else 'webhook' end`,
        ),
    )
    .select([
      'endpoint.apiKeyId',
      'endpoint.endpointId',
      'endpoint.workspaceId',
      'endpoint.kind',
      'endpoint.url',
      'endpoint.disabled',
      'endpoint.rateLimit',
      'endpoint.secretSealed',
      'endpoint.previousSecretSealed',
      'endpoint.previousSecretUntil',
      'lane.failingSince',
      'service.config',
      'service.secretSealed as serviceSecretSealed',
    ])
    .where('endpoint.apiKeyId', '=', key.apiKeyId)
    .where('endpoint.endpointId', '=', key.endpointId),
);

/** An endpoint with all that sending to it takes; undefined once it is deleted. */
export async function loadLaneEndpoint(
  db: Db,
  { apiKeyId, endpointId }: LaneKey,
): Promise<LaneEndpoint | undefined> {
  const [endpoint] = await selectLaneEndpoint(db, { apiKeyId, endpointId });
  return endpoint;
}

/** Share-locks an endpoint until the transaction ends. */
export const lockEndpoint = async (tx: Tx, { apiKeyId, endpointId }: LaneKey): Promise<void> => {
  await tx
    .selectFrom('webhookEndpoints')
    .select('disabled')
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .forShare()
    .execute();
};

/** The outcome of one attempt. */
export interface AttemptResult extends LaneKey {
  messageId: string;
  /** Failures that were known at the attempt. If there are more by now, the result is stale and is ignored. */
  triesBefore: number;
  status: DeliveryStatus;
  nextAt: number | null;
  attempt: Attempt;
}

/** Further attempts of a replayed delivery push out its oldest ones. */
const ATTEMPTS_KEPT = 50;

/**
 * Writes the outcomes of attempts, and returns the deliveries that were not stale. The endpoint is compared as
 * `endpoint_id || ''` to keep the planner off its index: without statistics it would scan all deliveries of the
 * endpoint instead of those of the message.
 */
export async function recordAttempts(
  tx: Tx,
  results: AttemptResult[],
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

/** Pauses a lane and releases its lease; does nothing if another process holds the lease by now. */
export const pauseLane = (
  db: Db,
  holder: string,
  { apiKeyId, endpointId }: LaneKey,
  until: number,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await tx
      .updateTable('webhookLanes as lane')
      .from('webhookLeases as lease')
      .set({ pausedUntil: until })
      .where('lane.apiKeyId', '=', apiKeyId)
      .where('lane.endpointId', '=', endpointId)
      .where('lease.apiKeyId', '=', apiKeyId)
      .where('lease.endpointId', '=', endpointId)
      .where('lease.holder', '=', holder)
      .execute();
    await releaseLease(tx, holder, { apiKeyId, endpointId });
  });

/** Locks lanes in one order everywhere, so that transactions cannot deadlock. */
export const lockLanes = async (tx: Tx, keys: LaneKey[]): Promise<void> => {
  await sql`
    select 1 from webhook_lanes where (api_key_id, endpoint_id) in (
      select key ->> 'apiKeyId', key ->> 'endpointId' from jsonb_array_elements(${json(keys)}) as key)
    order by api_key_id, endpoint_id for update`.execute(tx);
};

const selectLaneForUpdate = prepared((db, key: { apiKeyId: string; endpointId: string }) =>
  db
    .selectFrom('webhookLanes')
    .select('nextAt')
    .where('apiKeyId', '=', key.apiKeyId)
    .where('endpointId', '=', key.endpointId)
    .forUpdate(),
);

/** Locks a lane until the transaction ends. Every change of existing deliveries takes this lock first. */
export const lockLane = async (tx: Tx, { apiKeyId, endpointId }: LaneKey): Promise<void> => {
  await selectLaneForUpdate(tx, { apiKeyId, endpointId });
};

/** Deliveries per statement; a great many may wait for an endpoint that was away for long. */
const HELD_AT_ONCE = 10_000;

/**
 * Sets the waiting deliveries of these endpoints to `held`, from where they can be replayed. If very many wait, the
 * rest is left to the next run of the lane. Returns true if none is left.
 */
export async function holdWaiting(tx: Tx, apiKeyId: string, endpointIds: string[]): Promise<boolean> {
  let isDone = true;
  for (const endpointId of [...endpointIds].sort()) {
    const key = { apiKeyId, endpointId };
    await lockLane(tx, key);
    const { numAffectedRows = 0n } = await sql`
      update webhook_deliveries set status = 'held', next_at = null
      where api_key_id = ${apiKeyId} and ${waitingIn(key)} and message_id = any(array(
        select message_id from webhook_deliveries where api_key_id = ${apiKeyId} and ${waitingIn(key)}
        order by next_at, seq limit ${HELD_AT_ONCE}))`.execute(tx);
    const isAll = numAffectedRows < BigInt(HELD_AT_ONCE);
    await tx
      .updateTable('webhookLanes')
      .set({ nextAt: isAll ? null : Date.now() })
      .where('apiKeyId', '=', apiKeyId)
      .where('endpointId', '=', endpointId)
      .execute();
    isDone &&= isAll;
  }
  return isDone;
}
