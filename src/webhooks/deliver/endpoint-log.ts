import type { Logger } from 'pino';
import { LogThrottle } from '../../lib/log-throttle.ts';
import type { LaneKey } from '../../store/webhooks/lanes.ts';
import type { DeliveryResult } from './delivery-result.ts';

/** Log lines a minute per endpoint and kind: all messages of an endpoint may fail for good at once. */
const LINES_A_MINUTE = 5;

/** A change in an endpoint's health, logged once it is committed. */
export type EndpointNews =
  | { kind: 'begins to fail' | 'exhausted' | 'recovers'; result: DeliveryResult }
  | { kind: 'is disabled'; key: LaneKey; reason: string; failingSince: number | null };

export type LogEndpointNews = (news: readonly EndpointNews[]) => void;

/** Logs an endpoint that begins to fail, recovers or is disabled, and a message that failed for good, throttled. */
export function createEndpointLog(log: Logger, now: () => number): LogEndpointNews {
  const bound = new LogThrottle(LINES_A_MINUTE, now);
  return (batch) => {
    for (const news of batch) {
      const { apiKeyId, endpointId } = news.kind === 'is disabled' ? news.key : news.result;
      const more = bound.take(JSON.stringify([news.kind, apiKeyId, endpointId]));
      if (!more) continue;
      const endpoint = { endpointId, apiKeyId };
      if (news.kind === 'is disabled') {
        const { reason, failingSince } = news;
        const since = failingSince === null ? {} : { failingSince: new Date(failingSince).toISOString() };
        log.warn({ reason, ...since, ...endpoint, ...more }, 'webhook endpoint is disabled');
      } else if (news.kind === 'recovers')
        log.info({ host: hostOf(news.result.url), ...endpoint, ...more }, 'webhook endpoint recovers');
      else if (news.kind === 'begins to fail')
        log.warn({ ...about(news.result), ...endpoint, ...more }, 'webhook endpoint begins to fail');
      else log.warn({ ...about(news.result), ...endpoint, ...more }, 'webhook failed on its last attempt');
    }
  };
}

const about = ({ url, messageId, eventType, triesBefore, attempt, isForbidden }: DeliveryResult) => ({
  host: hostOf(url),
  event: eventType,
  tries: triesBefore + 1,
  ...(attempt.status !== undefined && { status: attempt.status }),
  // The log may say why; the owner of the endpoint must not learn of internal hosts.
  reason: isForbidden
    ? 'The guard refuses the host, which is internal: REDPEN_ALLOW_HOSTS may name it.'
    : attempt.error,
  messageId,
});

/** A URL may contain secrets in its path or query, so only its host is logged. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'unknown';
