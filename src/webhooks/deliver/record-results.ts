import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { type LaneKey, lockLanes, recordAttempts } from '../../store/webhooks/lanes.ts';
import { exhaustedMessages } from './delivery-metrics.ts';
import type { DeliveryResult } from './delivery-result.ts';
import type { EndpointNews } from './endpoint-log.ts';
import { type DisableDeps, disableFailing, type EndpointResults, updateHealth } from './failing-endpoints.ts';

const COLLECT_MS = 3;
const BATCH = 250;
const RETRY_MS = 1_000;

/**
 * Writes the results of all lanes in batches, because one statement for many results costs little more than for one.
 * A batch that cannot be written is retried; until then its lanes do not load those deliveries again.
 */
export class ResultRecorder {
  readonly #write: (results: DeliveryResult[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #waiting: { result: DeliveryResult; done: () => void }[] = [];
  #running: Promise<void> | undefined;
  #isClosing = false;

  constructor(write: (results: DeliveryResult[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  /** Resolves once the result is written. */
  add(result: DeliveryResult): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ result, done });
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
    });
  }

  /** Writes what is waiting. If that fails, another process repeats those deliveries. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    await pause(COLLECT_MS);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        await this.#write(batch.map(({ result }) => result));
        for (const { done } of batch) done();
      } catch (error) {
        this.#onError(error);
        this.#waiting.unshift(...batch);
        if (this.#isClosing) return;
        await pause(RETRY_MS);
      }
    }
  }
}

/** Writes a batch of results and acts on them: emits events for dead letters, notifies owners, disables endpoints. */
export async function recordResults(deps: DisableDeps, results: DeliveryResult[]): Promise<void> {
  const { db, jobs, now, logNews } = deps;
  const endpoints = groupByEndpoint(results);
  const { news, failedTooLong } = await db.transaction().execute(async (tx) => {
    const news: EndpointNews[] = [];
    const failedTooLong: EndpointResults[] = [];
    await lockLanes(
      tx,
      endpoints.map(({ key }) => key),
    );
    const counted = new Set((await recordAttempts(tx, results)).map(idOf));
    for (const result of results) {
      if (result.status !== 'failed' || !counted.has(idOf(result))) continue;
      news.push({ kind: 'exhausted', result });
      await emitExhausted(tx, result);
    }
    for (const endpoint of endpoints) {
      const change = await updateHealth(tx, jobs, endpoint, now());
      if (change.news) news.push(change.news);
      if (change.mustDisable) failedTooLong.push(endpoint);
    }
    return { news, failedTooLong };
  });
  exhaustedMessages.inc(news.filter(({ kind }) => kind === 'exhausted').length);
  logNews(news);
  for (const endpoint of endpoints)
    if (endpoint.goneFrom !== undefined) await disableFailing(deps, endpoint, 'gone');
  for (const endpoint of failedTooLong) await disableFailing(deps, endpoint, 'failing');
}

function groupByEndpoint(results: DeliveryResult[]): EndpointResults[] {
  const endpoints = new Map<string, EndpointResults>();
  for (const result of results) {
    const { apiKeyId, endpointId, workspaceId, attempt, wasFailing, isGone, url } = result;
    const id = JSON.stringify([apiKeyId, endpointId]);
    const endpoint = endpoints.get(id) ?? {
      key: { apiKeyId, endpointId },
      workspaceId,
      delivered: false,
      wasFailing: false,
      goneFrom: undefined,
      failedAt: attempt.at,
      last: result,
    };
    endpoint.last = result;
    endpoint.delivered ||= attempt.outcome === 'delivered';
    endpoint.wasFailing ||= wasFailing;
    if (isGone) endpoint.goneFrom = url;
    endpoints.set(id, endpoint);
  }
  return [...endpoints.values()];
}

const idOf = ({ apiKeyId, endpointId, messageId }: LaneKey & { messageId: string }): string =>
  JSON.stringify([apiKeyId, endpointId, messageId]);

const EXHAUSTED = 'message.attempt.exhausted';

/** A dead letter is announced to all endpoints, unless it is such an announcement: that would never end. */
async function emitExhausted(tx: Tx, { workspaceId, ...result }: DeliveryResult): Promise<void> {
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
