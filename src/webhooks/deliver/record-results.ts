import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Jobs } from '../../jobs/queue.ts';
import {
  clearFailing,
  disableEndpoint,
  noteFailing,
  noteTold,
} from '../../store/webhooks/endpoint-health.ts';
import { type LaneKey, lockLanes, recordResults } from '../../store/webhooks/lanes.ts';
import { exhaustedMessages } from './delivery-meters.ts';
import type { Told } from './delivery-recorder.ts';
import type { EndpointNews, TellOfEndpoints } from './endpoint-log.ts';
import { DISABLED_AFTER_MS, type Stage, stageReached } from './watch-endpoint.ts';

export interface SettleDeps {
  db: Db;
  jobs: Jobs;
  now(): number;
  tell: TellOfEndpoints;
}

/** Never told of itself: a receiver that is gone would be told for ever. */
const EXHAUSTED = 'message.attempt.exhausted';

/** Writes what became of tries and what follows from it: the word that one was given up, notices, the end of an endpoint. */
export async function settle(deps: SettleDeps, results: Told[]): Promise<void> {
  const { db, jobs, now } = deps;
  const lanes = lanesOf(results);
  const { over, news } = await db.transaction().execute(async (tx) => {
    const news: EndpointNews[] = [];
    await lockLanes(
      tx,
      lanes.map(({ key }) => key),
    );
    const counted = new Set((await recordResults(tx, results)).map(idOf));
    for (const result of results) {
      if (result.status !== 'failed' || !counted.has(idOf(result))) continue;
      news.push({ kind: 'is given up', result });
      await tellExhausted(tx, result);
    }
    const ended: Lane[] = [];
    for (const lane of lanes) {
      if (lane.delivered) {
        if (lane.wasFailing && (await clearFailing(tx, lane.key)))
          news.push({ kind: 'recovers', result: lane.last });
      } else if (lane.goneFrom === undefined) {
        const health = await noteFailing(tx, lane.key, lane.failedAt);
        if (health?.begins) news.push({ kind: 'begins to fail', result: lane.last });
        const stage = health && stageReached(health, now());
        if (stage === 100) ended.push(lane);
        else if (stage) {
          await tellFailing(tx, jobs, lane, {
            percent: stage,
            failingSince: health!.failingSince!,
            at: now(),
          });
        }
      }
    }
    return { over: ended, news };
  });
  exhaustedMessages.inc(news.filter(({ kind }) => kind === 'is given up').length);
  deps.tell(news);
  for (const lane of lanes.filter(({ goneFrom }) => goneFrom !== undefined))
    await turnOff(deps, lane, 'gone');
  for (const lane of over) await turnOff(deps, lane, 'failing');
}

interface Lane {
  key: LaneKey;
  workspaceId: string;
  delivered: boolean;
  wasFailing: boolean;
  /** The address that said so, if one did. */
  goneFrom: string | undefined;
  /** Of the first failure. */
  failedAt: number;
  last: Told;
}

/** What the results say of each endpoint. */
function lanesOf(results: Told[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const result of results) {
    const { apiKeyId, endpointId, workspaceId, attempt, wasFailing, isGone, url } = result;
    const id = JSON.stringify([apiKeyId, endpointId]);
    const lane = lanes.get(id) ?? {
      key: { apiKeyId, endpointId },
      workspaceId,
      delivered: false,
      wasFailing: false,
      goneFrom: undefined,
      failedAt: attempt.at,
      last: result,
    };
    lane.last = result;
    lane.delivered ||= attempt.outcome === 'delivered';
    lane.wasFailing ||= wasFailing;
    if (isGone) lane.goneFrom = url;
    lanes.set(id, lane);
  }
  return [...lanes.values()];
}

const idOf = ({ apiKeyId, endpointId, messageId }: LaneKey & { messageId: string }): string =>
  JSON.stringify([apiKeyId, endpointId, messageId]);

async function tellExhausted(tx: Tx, { workspaceId, ...result }: Told): Promise<void> {
  const { apiKeyId, endpointId, messageId, eventType, triesBefore, attempt } = result;
  if (eventType === EXHAUSTED) return;
  await emit(tx, { workspaceId, apiKeyId }, EXHAUSTED, {
    endpointId,
    webhookId: messageId,
    eventType,
    attempts: triesBefore + 1,
    lastAttempt: { at: attempt.at, status: attempt.status, error: attempt.error },
  });
}

async function tellFailing(
  tx: Tx,
  jobs: Jobs,
  { key, workspaceId }: Lane,
  { percent, failingSince, at }: { percent: Exclude<Stage, 100>; failingSince: number; at: number },
): Promise<void> {
  await noteTold(tx, key, percent, at);
  await emit(tx, { workspaceId, ...key }, 'endpoint.failing', {
    endpointId: key.endpointId,
    percent,
    failingSince,
    disablesAt: failingSince + DISABLED_AFTER_MS,
  });
  await jobs.enqueue(tx, 'webhook.owner_email', { workspaceId, ...key, notice: `${percent}`, at });
}

/** Sends nothing to an endpoint any more, and tells its owner; what waits is held for a replay. */
async function turnOff(
  { db, jobs, now, tell }: SettleDeps,
  { key, workspaceId, goneFrom }: Lane,
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
  if (health) tell([{ kind: 'is disabled', key, reason, failingSince: health.failingSince }]);
}
