import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import { parseAllowList } from '../../outside/allow-list.ts';
import type { AllowedHosts } from '../../outside/replaceable-allow-list.ts';
import { listAllowedHosts, markInForce } from '../../store/platform/allowed-host-rows.ts';

const LOOK_EVERY_MS = 1_000;

interface Watching {
  db: Db;
  hosts: AllowedHosts;
  /** Entries of REDPEN_ALLOW_HOSTS, which hold whatever the database says. */
  fromSettings: string[];
  log: Logger;
}

/**
 * Keeps the exemptions from the ban on internal hosts as the settings and the database have them; resolves once they
 * were read. Answers how to stop.
 */
export async function watchAllowedHosts({ db, hosts, fromSettings, log }: Watching): Promise<() => void> {
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
      log.warn({ entries: refused }, 'allowed internal hosts that cannot be read are passed over');
    }
    unreadable = refused;
    if (added.length > 0 || removed.length > 0) {
      hosts.replace([...fromSettings, ...usable]);
      known = usable;
      if (isFirst) log.info({ allowed: usable }, 'internal hosts are allowed');
      else log.info({ added, removed, allowed: usable }, 'the list of allowed internal hosts has changed');
    }
    // The command that added them waits for this.
    const unmarked = rows.filter(({ entry, inForceAt }) => inForceAt === null && usable.includes(entry));
    if (unmarked.length > 0) {
      await markInForce(
        db,
        unmarked.map(({ entry }) => entry),
      );
    }
  };

  await look(true);
  // Polled rather than listened for, since each listener is a connection of its own.
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      // While the database is away, the last list holds; others say that it is away.
      .catch((error: unknown) => log.debug({ err: error }, 'the allowed internal hosts could not be read'))
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** True where a stored entry can be used; a later version may store what this one does not know. */
export function isReadable(entry: string): boolean {
  try {
    parseAllowList([entry]);
    return true;
  } catch {
    return false;
  }
}
