import { resourceExhausted } from '../../lib/errors.ts';
import { streamsRefused } from './feed-metrics.ts';
import type { Viewer } from './stream-viewer.ts';

export interface StreamLimits {
  perUser: number;
  perKey: number;
}

/** Counts the open streams of this process by API key and user. */
export interface StreamCounts {
  /** Throws RESOURCE_EXHAUSTED at a limit. */
  enter(viewer: Viewer): void;
  leave(viewer: Viewer): void;
  total(): number;
}

const RETRY_SECONDS = 10;

export function createStreamCounts({ perUser, perKey }: StreamLimits): StreamCounts {
  const open = new Map<string, number>();
  let total = 0;
  const countersOf = ({ apiKeyId, user }: Viewer) => [
    { name: JSON.stringify([apiKeyId]), max: perKey, whose: 'This API key', reason: 'key' },
    ...(user
      ? [
          {
            name: JSON.stringify([apiKeyId, user.userId]),
            max: perUser,
            whose: 'This user',
            reason: 'user',
          },
        ]
      : []),
  ];
  return {
    enter(viewer) {
      const counters = countersOf(viewer);
      for (const { name, max, whose, reason } of counters) {
        if ((open.get(name) ?? 0) >= max) {
          streamsRefused.inc({ reason });
          throw resourceExhausted(`${whose} has ${max} streams open, and may not have more.`, RETRY_SECONDS);
        }
      }
      for (const { name } of counters) open.set(name, (open.get(name) ?? 0) + 1);
      total += 1;
    },
    leave(viewer) {
      for (const { name } of countersOf(viewer)) {
        const left = open.get(name)! - 1;
        if (left === 0) open.delete(name);
        else open.set(name, left);
      }
      total -= 1;
    },
    total: () => total,
  };
}
