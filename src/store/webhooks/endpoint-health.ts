import { sql } from 'kysely';
import type { DisabledReason } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { holdWaiting, type LaneKey, lockLane } from './lanes.ts';

export interface LaneHealth {
  failingSince: number | null;
  toldPercent: number;
  toldAt: number | null;
}

const ofLane = ({ apiKeyId, endpointId }: LaneKey) =>
  sql`api_key_id = ${apiKeyId} and endpoint_id = ${endpointId}`;

/** Something was received: whatever was wrong is over. Answers whether something was. The lane is locked. */
export async function clearFailing(tx: Tx, key: LaneKey): Promise<boolean> {
  const { rows } = await sql<{ wasFailing: boolean }>`
    with before as (select failing_since from webhook_lanes where ${ofLane(key)})
    update webhook_lanes set failing_since = null, told_percent = 0, told_at = null, paused_until = null
    where ${ofLane(key)}
    returning (select failing_since from before) is not null as was_failing`.execute(tx);
  return rows[0]?.wasFailing ?? false;
}

/** Notes a failure; answers how the endpoint fares, or undefined where it is deleted. The lane is locked. */
export async function noteFailing(
  tx: Tx,
  key: LaneKey,
  at: number,
): Promise<(LaneHealth & { begins: boolean }) | undefined> {
  const { rows } = await sql<LaneHealth & { begins: boolean }>`
    with before as (select failing_since from webhook_lanes where ${ofLane(key)})
    update webhook_lanes set failing_since = coalesce(failing_since, ${at}) where ${ofLane(key)}
    returning failing_since, told_percent, told_at,
      (select failing_since from before) is null as begins`.execute(tx);
  return rows[0];
}

export const noteTold = async (tx: Tx, key: LaneKey, percent: number, at: number): Promise<void> => {
  await sql`
    update webhook_lanes set told_percent = ${percent}, told_at = ${at} where ${ofLane(key)}`.execute(tx);
};

/** Disables an endpoint that is not, unless it was moved from the address named; answers how it fared, or undefined where there was nothing to do. */
export async function disableEndpoint(
  tx: Tx,
  key: LaneKey,
  { reason, now, url }: { reason: Exclude<DisabledReason, 'caller'>; now: number; url?: string | undefined },
): Promise<LaneHealth | undefined> {
  const { rows: changed } = await sql`
    update webhook_endpoints set disabled = true, disabled_reason = ${reason}, updated_at = ${now}
    where ${ofLane(key)} and not disabled ${url === undefined ? sql`` : sql`and url = ${url}`}
    returning 1`.execute(tx);
  if (changed.length === 0) return undefined;
  await lockLane(tx, key);
  await holdWaiting(tx, key.apiKeyId, [key.endpointId]);
  const { rows } = await sql<LaneHealth>`
    update webhook_lanes set told_percent = 100, told_at = ${now} where ${ofLane(key)}
    returning failing_since, told_percent, told_at`.execute(tx);
  return rows[0] ?? { failingSince: null, toldPercent: 100, toldAt: now };
}

/** Whom an endpoint belongs to, and where it is; undefined once it is deleted. */
export const ownerOf = (
  db: Db,
  { apiKeyId, endpointId }: LaneKey,
): Promise<{ email: string; url: string } | undefined> =>
  db
    .selectFrom('webhookEndpoints')
    .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'webhookEndpoints.apiKeyId')
    .select(['apiKeys.ownerEmail as email', 'webhookEndpoints.url'])
    .where('webhookEndpoints.apiKeyId', '=', apiKeyId)
    .where('webhookEndpoints.endpointId', '=', endpointId)
    .executeTakeFirst();

/** Age in milliseconds of the oldest message that an endpoint still waits for; 0 where none does. */
export async function oldestUndeliveredMs(db: Db): Promise<number> {
  const { rows } = await sql<{ oldest: number | null }>`
    select min(created_at) as oldest from webhook_deliveries where status = 'waiting'`.execute(db);
  const oldest = rows[0]?.oldest;
  return oldest == null ? 0 : Math.max(0, Date.now() - Number(oldest));
}

/** For how long the lane that waits the longest has been due without anybody who works on it. */
export async function longestUnattendedMs(db: Db): Promise<number> {
  const now = Date.now();
  const { rows } = await sql<{ oldest: number | null }>`
    select min(greatest(lane.next_at, coalesce(lane.paused_until, 0))) as oldest from webhook_lanes as lane
    where lane.next_at <= ${now} and coalesce(lane.paused_until, 0) <= ${now}
      and not exists (select 1 from webhook_leases as lease
        where lease.api_key_id = lane.api_key_id and lease.endpoint_id = lane.endpoint_id
          and lease.until > ${now})`.execute(db);
  const oldest = rows[0]?.oldest;
  return oldest == null ? 0 : Math.max(0, now - Number(oldest));
}
