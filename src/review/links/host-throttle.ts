export interface Gate {
  /**
   * Runs when there is room for one more exchange, with this host and at all. A further try of what was
   * begun goes first, so that what a host is like shows early rather than after its last address.
   */
  run<T>(host: string, task: () => Promise<T>, isRetry?: boolean): Promise<T>;
  /** Starts nothing more with a host for a while, then fewer exchanges and further apart. */
  ease(host: string, waitMs: number): void;
}

interface Host {
  active: number;
  limit: number;
  /** Since its limit was last changed. */
  started: number;
  pausedUntil: number;
  /** Between two starts; shrinks with every start, so that a host is not kept slow for one bad moment. */
  spacingMs: number;
  waiting: (() => void)[];
  alarm?: NodeJS.Timeout;
}

const EASED_LIMIT = 4;
/** So many exchanges without a complaint win an eased host back one of those it runs at once. */
const STARTS_TO_REGAIN = 10;
const FIRST_SPACING_MS = 50;
const MAX_SPACING_MS = 400;
const SPACING_DECAY = 0.92;

/** Bounds how many exchanges run at once, so that a review is no flood to anyone. */
export function createGate({ total, perHost }: { total: number; perHost: number }): Gate {
  const hosts = new Map<string, Host>();
  // Hosts with something waiting, served in turn so that none starves behind a big one.
  const ready = new Set<Host>();
  let active = 0;

  const hostOf = (name: string): Host => {
    const known = hosts.get(name);
    if (known) return known;
    const host = { active: 0, limit: perHost, started: 0, pausedUntil: 0, spacingMs: 0, waiting: [] };
    hosts.set(name, host);
    return host;
  };

  const mayStart = (host: Host) =>
    active < total && host.active < host.limit && host.pausedUntil <= Date.now() && host.waiting.length > 0;

  const start = () => {
    for (const host of ready) {
      if (active >= total) return;
      while (mayStart(host)) {
        active++;
        host.active++;
        if (host.spacingMs >= 1) pause(host, host.spacingMs);
        host.spacingMs *= SPACING_DECAY;
        regain(host);
        host.waiting.shift()!();
      }
      // Whatever held it back wakes it when it is over; only the bound on all hosts leaves it in the row.
      ready.delete(host);
      if (active >= total && host.waiting.length > 0) ready.add(host);
    }
  };

  const regain = (host: Host) => {
    if (host.limit >= perHost || ++host.started < STARTS_TO_REGAIN) return;
    host.limit++;
    host.started = 0;
  };

  const pause = (host: Host, waitMs: number) => {
    host.pausedUntil = Math.max(host.pausedUntil, Date.now() + Math.ceil(waitMs));
    host.alarm ??= setTimeout(() => {
      host.alarm = undefined;
      // It may have been put off since.
      const restMs = host.pausedUntil - Date.now();
      if (restMs > 0) pause(host, restMs);
      else wake(host);
    }, Math.ceil(waitMs));
  };

  const wake = (host: Host) => {
    if (host.waiting.length > 0) ready.add(host);
    start();
  };

  return {
    async run(name, task, isRetry = false) {
      const host = hostOf(name);
      await new Promise<void>((resolve) => {
        if (isRetry) host.waiting.unshift(resolve);
        else host.waiting.push(resolve);
        wake(host);
      });
      try {
        return await task();
      } finally {
        active--;
        host.active--;
        // Whoever ran gets to ask for a further try before the next one takes the place.
        setImmediate(wake, host);
      }
    },
    ease(name, waitMs) {
      const host = hostOf(name);
      host.limit = Math.min(host.limit, EASED_LIMIT);
      host.started = 0;
      // One burst of refusals is one reason to slow down.
      if (host.pausedUntil <= Date.now()) {
        host.spacingMs = Math.min(MAX_SPACING_MS, Math.max(FIRST_SPACING_MS, host.spacingMs * 2));
      }
      pause(host, waitMs);
    },
  };
}
