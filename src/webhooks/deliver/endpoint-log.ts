import type { Logger } from 'pino';
import { LineBound } from '../../lib/line-bound.ts';
import type { LaneKey } from '../../store/webhooks/lanes.ts';
import type { Told } from './delivery-recorder.ts';

/** Lines a minute about one endpoint and one kind: all of its messages may be given up at once. */
const LINES_A_MINUTE = 5;

/** Changes of endpoints, logged once they are committed. */
export type EndpointNews =
  | { kind: 'begins to fail' | 'is given up' | 'recovers'; result: Told }
  | { kind: 'is disabled'; key: LaneKey; reason: string; failingSince: number | null };

export type TellOfEndpoints = (news: readonly EndpointNews[]) => void;

/** Writes a line when an endpoint begins to fail, gives up on a message, is disabled or recovers, and bounds them. */
export function createEndpointLog(log: Logger, now: () => number): TellOfEndpoints {
  const bound = new LineBound(LINES_A_MINUTE, now);
  return (all) => {
    for (const news of all) {
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
      else log.warn({ ...about(news.result), ...endpoint, ...more }, 'webhook is given up');
    }
  };
}

const about = ({ url, messageId, eventType, triesBefore, attempt, isForbidden }: Told) => ({
  host: hostOf(url),
  event: eventType,
  tries: triesBefore + 1,
  ...(attempt.status !== undefined && { status: attempt.status }),
  // The owner of the endpoint does not hear why, since it would tell of the inside.
  reason: isForbidden
    ? 'The guard refuses the host, which is internal: REDPEN_ALLOW_HOSTS may name it.'
    : attempt.error,
  messageId,
});

/** The address may hold secrets in its path or query. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'unknown';
