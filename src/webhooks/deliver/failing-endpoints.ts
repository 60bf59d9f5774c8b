import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Jobs } from '../../jobs/queue.ts';
import {
  clearFailing,
  disableEndpoint,
  type LaneHealth,
  recordFailure,
  recordNotice,
} from '../../store/webhooks/endpoint-health.ts';
import type { LaneKey } from '../../store/webhooks/lanes.ts';
import type { DeliveryResult } from './delivery-result.ts';
import type { EndpointNews, LogEndpointNews } from './endpoint-log.ts';

const HOUR_MS = 3_600_000;
/** An endpoint without a success for this long is disabled. */
const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;
/** Keeps two rare failures from looking like one outage, and notices from coming all at once. */
const BETWEEN_NOTICES_MS = 12 * HOUR_MS;

/** Shares of `DISABLED_AFTER_MS`, in percent, at which the owner is notified; at the last the endpoint is disabled. */
const NOTICE_PERCENTS = [50, 90, 100] as const;
type NoticePercent = (typeof NOTICE_PERCENTS)[number];

/** The notice that is due at a failure, if any. None is skipped. */
export function dueNotice(
  { failingSince, toldPercent, toldAt }: LaneHealth,
  now: number,
): NoticePercent | undefined {
  if (failingSince === null) return undefined;
  const next = NOTICE_PERCENTS.find((percent) => percent > toldPercent);
  const isDue = next !== undefined && (now - failingSince) * 100 >= DISABLED_AFTER_MS * next;
  const isTooSoon = toldAt !== null && now - toldAt < BETWEEN_NOTICES_MS;
  return isDue && !isTooSoon ? next : undefined;
}

/** The results of one endpoint in a batch, summarized. */
export interface EndpointResults {
  key: LaneKey;
  workspaceId: string;
  delivered: boolean;
  wasFailing: boolean;
  /** The URL that answered 410, if one did. */
  goneFrom: string | undefined;
  /** Time of the first failure. */
  failedAt: number;
  last: DeliveryResult;
}

/**
 * Updates the health of an endpoint, whose lane is locked, and notifies its owner. Returns what to log after the
 * commit, and whether the endpoint has failed for so long that it must be disabled.
 */
export async function updateHealth(
  tx: Tx,
  jobs: Jobs,
  { key, workspaceId, delivered, wasFailing, goneFrom, failedAt, last }: EndpointResults,
  now: number,
): Promise<{ news?: EndpointNews; mustDisable?: true }> {
  if (delivered) {
    const recovers = wasFailing && (await clearFailing(tx, key));
    return recovers ? { news: { kind: 'recovers', result: last } } : {};
  }
  if (goneFrom !== undefined) return {};
  const health = await recordFailure(tx, key, failedAt);
  if (!health) return {};
  const news: EndpointNews | undefined = health.begins ? { kind: 'begins to fail', result: last } : undefined;
  const percent = dueNotice(health, now);
  if (percent === 100) return { ...(news && { news }), mustDisable: true };
  if (percent) {
    const failingSince = health.failingSince!;
    await recordNotice(tx, key, percent, now);
    await emit(tx, { workspaceId, ...key }, 'endpoint.failing', {
      endpointId: key.endpointId,
      percent,
      failingSince,
      disablesAt: failingSince + DISABLED_AFTER_MS,
    });
    await jobs.enqueue(tx, 'webhook.owner_email', { workspaceId, ...key, notice: `${percent}`, at: now });
  }
  return news ? { news } : {};
}

export interface DisableDeps {
  db: Db;
  jobs: Jobs;
  now(): number;
  logNews: LogEndpointNews;
}

/** Disables an endpoint and notifies its owner; its waiting deliveries are held for a replay. */
export async function disableFailing(
  { db, jobs, now, logNews }: DisableDeps,
  { key, workspaceId, goneFrom }: EndpointResults,
  reason: 'gone' | 'failing',
): Promise<void> {
  const health = await db.transaction().execute(async (tx) => {
    const health = await disableEndpoint(tx, key, { reason, now: now(), url: goneFrom });
    if (!health) return undefined;
    const { failingSince } = health;
    await emit(tx, { workspaceId, ...key }, 'endpoint.disabled', {
      endpointId: key.endpointId,
      reason,
      ...(failingSince !== null && { failingSince }),
    });
    await jobs.enqueue(tx, 'webhook.owner_email', { workspaceId, ...key, notice: reason, at: now() });
    return health;
  });
  if (health) logNews([{ kind: 'is disabled', key, reason, failingSince: health.failingSince }]);
}
