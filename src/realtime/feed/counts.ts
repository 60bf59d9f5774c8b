import { resourceExhausted } from '../../lib/errors.ts';
import type { Viewer } from './viewer.ts';

export interface Limits {
  perUser: number;
  perKey: number;
}

/** Counts the streams of this process, of each API key and of each user. */
export interface Counts {
  /** RESOURCE_EXHAUSTED where there are as many as there may be. */
  enter(viewer: Viewer): void;
  leave(viewer: Viewer): void;
  total(): number;
}

const RETRY_SECONDS = 10;

export function createCounts({ perUser, perKey }: Limits): Counts {
  const open = new Map<string, number>();
  let total = 0;
  const countersOf = ({ apiKeyId, user }: Viewer): [key: string, most: number, whose: string][] =>
    [
      [JSON.stringify([apiKeyId]), perKey, 'This API key'],
      ...(user ? ([[JSON.stringify([apiKeyId, user.userId]), perUser, 'This user']] as const) : []),
    ] as [string, number, string][];
  return {
    enter(viewer) {
      const counters = countersOf(viewer);
      for (const [key, most, whose] of counters) {
        if ((open.get(key) ?? 0) >= most) {
          throw resourceExhausted(`${whose} has ${most} streams open, and may not have more.`, RETRY_SECONDS);
        }
      }
      for (const [key] of counters) open.set(key, (open.get(key) ?? 0) + 1);
      total += 1;
    },
    leave(viewer) {
      for (const [key] of countersOf(viewer)) {
        const left = open.get(key)! - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }
      total -= 1;
    },
    total: () => total,
  };
}
