import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import type { AllowedHosts } from '../../outside/net/allow-list.ts';
import { parseAllowList } from '../../outside/net/allow-list.ts';
import { listAllowedHosts, markInForce } from '../../store/platform/allowed-host-rows.ts';

const POLL_EVERY_MS = 2_000;

interface WatchOptions {
  db: Db;
  hosts: AllowedHosts;
  /** Entries of REDPEN_ALLOW_HOSTS, which are always allowed. */
  fromSettings: string[];
  log: Logger;
}

/**
 * Keeps the list of allowed internal hosts in sync with the settings and the database. Resolves after the first read
 * with a function that stops it.
 */
export async function watchAllowedHosts({ db, hosts, fromSettings, log }: WatchOptions): Promise<() => void> {
  let known: string[] = [];
  let unreadable: string[] = [];

  const look = async (isFirst = false) => {
    const rows = await listAllowedHosts(db);
    const entries = rows.map(({ entry }) => entry);
    const usable = entries.filter(isReadable);
    const refused = entries.filter((entry) => !isReadable(entry));
    const added = usable.filter((entry) => !known.includes(entry));
    const removed = known.filter((entry) => !usable.includes(entry));
    if (refused.join() !== unreadable.join() && refused.length > 0) {
      log.warn({ entries: refused }, 'ignored unreadable entries among the allowed internal hosts');
    }
    unreadable = refused;
    if (added.length > 0 || removed.length > 0) {
      hosts.replace([...fromSettings, ...usable]);
      known = usable;
      if (isFirst) log.info({ allowed: usable }, 'internal hosts are allowed');
      else log.info({ added, removed, allowed: usable }, 'allowed internal hosts changed');
    }
    // The command that added the entries waits for this.
    const unmarked = rows.filter(({ entry, inForceAt }) => inForceAt === null && usable.includes(entry));
    if (unmarked.length > 0) {
      await markInForce(
        db,
        unmarked.map(({ entry }) => entry),
      );
    }
  };

  await look(true);
  // Polling saves the connection that a listener would need.
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      // While the database is away, the last list stays in force; other parts report the outage.
      .catch((error: unknown) => log.debug({ err: error }, 'the allowed internal hosts could not be read'))
      .finally(() => {
        isLooking = false;
      });
  }, POLL_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** True if a stored entry can be parsed. A later version may store forms that this one does not know. */
export function isReadable(entry: string): boolean {
  try {
    parseAllowList([entry]);
    return true;
  } catch {
    return false;
  }
}
