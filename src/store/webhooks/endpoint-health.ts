import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { DisabledReason } from '../../db/tables/webhook-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { holdWaiting, type LaneKey, lockLane } from './lanes.ts';

export interface LaneHealth {
  failingSince: number | null;
  toldPercent: number;
  toldAt: number | null;
}

/** Ends an outage after a success. Returns true if there was one. The caller has locked the lane. */
export async function clearFailing(tx: Tx, { apiKeyId, endpointId }: LaneKey): Promise<boolean> {
  const row = await tx
    .with('before', (db) =>
      db
        .selectFrom('webhookLanes')
        .select('failingSince')
        .where('apiKeyId', '=', apiKeyId)
        .where('endpointId', '=', endpointId),
    )
    .updateTable('webhookLanes')
    .set({ failingSince: null, toldPercent: 0, toldAt: null, pausedUntil: null })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .returning((eb) => eb.selectFrom('before').select('before.failingSince').as('failedSince'))
    .executeTakeFirst();
  return row !== undefined && row.failedSince !== null;
}

/**
 * Records a failure, which begins an outage unless there is one. Returns the health of the endpoint, or undefined if
 * it is deleted. The caller has locked the lane.
 */
export async function recordFailure(
  tx: Tx,
  { apiKeyId, endpointId }: LaneKey,
  at: number,
): Promise<(LaneHealth & { begins: boolean }) | undefined> {
  const row = await tx
    .with('before', (db) =>
      db
        .selectFrom('webhookLanes')
        .select('failingSince')
        .where('apiKeyId', '=', apiKeyId)
        .where('endpointId', '=', endpointId),
    )
    .updateTable('webhookLanes')
    .set(({ fn, ref, val }) => ({ failingSince: fn.coalesce(ref('failingSince'), val(at)) }))
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .returning(['failingSince', 'toldPercent', 'toldAt'])
    .returning((eb) => eb.selectFrom('before').select('before.failingSince').as('failedSince'))
    .executeTakeFirst();
  if (!row) return undefined;
  const { failedSince, ...health } = row;
  return { ...health, begins: failedSince === null };
}

/** Remembers which notice the owner was sent, and when. */
export const recordNotice = async (
  tx: Tx,
  { apiKeyId, endpointId }: LaneKey,
  percent: number,
  at: number,
): Promise<void> => {
  await tx
    .updateTable('webhookLanes')
    .set({ toldPercent: percent, toldAt: at })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .execute();
};

/**
 * Disables an endpoint and holds its waiting deliveries. Returns its health until then, or undefined if it was
 * disabled already or has moved away from `url`.
 */
export async function disableEndpoint(
  tx: Tx,
  key: LaneKey,
  { reason, now, url }: { reason: Exclude<DisabledReason, 'caller'>; now: number; url?: string | undefined },
): Promise<LaneHealth | undefined> {
  const { apiKeyId, endpointId } = key;
  const { numUpdatedRows } = await tx
    .updateTable('webhookEndpoints')
    .set({ disabled: true, disabledReason: reason, updatedAt: now })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .where('disabled', '=', false)
    .$if(url !== undefined, (query) => query.where('url', '=', url!))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  await lockLane(tx, key);
  await holdWaiting(tx, apiKeyId, [endpointId]);
  const health = await tx
    .updateTable('webhookLanes')
    .set({ toldPercent: 100, toldAt: now })
    .where('apiKeyId', '=', apiKeyId)
    .where('endpointId', '=', endpointId)
    .returning(['failingSince', 'toldPercent', 'toldAt'])
    .executeTakeFirst();
  return health ?? { failingSince: null, toldPercent: 100, toldAt: now };
}

/** The owner and the URL of an endpoint; undefined once it is deleted. */
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

/** Age in milliseconds of the oldest waiting delivery; 0 if none waits. */
export async function oldestUndeliveredMs(db: Db): Promise<number> {
  const { oldest } = await db
    .selectFrom('webhookDeliveries')
    .select(({ fn }) => fn.min<number | null>('createdAt').as('oldest'))
    .where('status', '=', sql.lit('waiting'))
    .executeTakeFirstOrThrow();
  return oldest === null ? 0 : Math.max(0, Date.now() - oldest);
}

const oldestRow = z.object({ oldest: z.number().nullable() });

/** Longest time in milliseconds that a due lane has been without a lease; 0 if every due lane has one. */
export async function longestUnattendedMs(db: Db): Promise<number> {
  const now = Date.now();
  const rows = await rowsOf(
    db,
    oldestRow,
    sql`
    select min(greatest(lane.next_at, coalesce(lane.paused_until, 0))) as oldest from webhook_lanes as lane
    where lane.next_at <= ${now} and coalesce(lane.paused_until, 0) <= ${now}
      and not exists (select 1 from webhook_leases as lease
        where lease.api_key_id = lane.api_key_id and lease.endpoint_id = lane.endpoint_id
          and lease.until > ${now})`,
  );
  const oldest = rows[0]?.oldest ?? null;
  return oldest === null ? 0 : Math.max(0, now - oldest);
}
