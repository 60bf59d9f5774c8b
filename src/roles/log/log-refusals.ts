import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Refused } from '../../outside/net/ssrf-guard.ts';

const REPEAT_AFTER_MS = 600_000;
const MINUTE_MS = 60_000;
/** Limit of log lines, because pages and callers choose the hosts. */
const LINES_A_MINUTE = 20;

/** Logs internal hosts that the guard refused, throttled per host, with the remedy. */
export function logRefusals(log: Logger, now: () => number = Date.now): (refused: Refused) => void {
  const lastLogged = new LRUCache<string, number>({ max: 1_000 });
  let minute = 0;
  let lines = 0;
  return ({ hostname, port, why }) => {
    const target = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
    const at = now();
    if (at - (lastLogged.get(target) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return;
    if (Math.floor(at / MINUTE_MS) !== minute) {
      minute = Math.floor(at / MINUTE_MS);
      lines = 0;
    }
    if (lines >= LINES_A_MINUTE) return;
    lines += 1;
    lastLogged.set(target, at);
    log.info(
      { target, why },
      'refused to connect to an internal host or port; `redpen allow-host` or REDPEN_ALLOW_HOSTS allows it',
    );
  };
}
