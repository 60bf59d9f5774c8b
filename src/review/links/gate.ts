export interface Gate {
  /** Runs when there is room for one more exchange, with this host and at all. */
  run<T>(host: string, task: () => Promise<T>): Promise<T>;
  /** Starts nothing more with a host for a while, and less at once from then on. */
  ease(host: string, waitMs: number): void;
}

interface Host {
  active: number;
  limit: number;
  pausedUntil: number;
  waiting: (() => void)[];
}

const EASED_LIMIT = 2;

/** Bounds how many exchanges run at once, so that a review is no flood to anyone. */
export function createGate({ total, perHost }: { total: number; perHost: number }): Gate {
  const hosts = new Map<string, Host>();
  // Hosts with something waiting, served in turn so that none starves behind a big one.
  const ready = new Set<Host>();
  let active = 0;

  const hostOf = (name: string): Host => {
    const known = hosts.get(name);
    if (known) return known;
    const host = { active: 0, limit: perHost, pausedUntil: 0, waiting: [] };
    hosts.set(name, host);
    return host;
  };

  const start = () => {
    const now = Date.now();
    for (const host of ready) {
      if (active >= total) return;
      while (
        active < total &&
        host.active < host.limit &&
        host.pausedUntil <= now &&
        host.waiting.length > 0
      ) {
        active++;
        host.active++;
        host.waiting.shift()!();
      }
      ready.delete(host);
      if (host.waiting.length > 0) ready.add(host);
      if (host.active >= host.limit || host.pausedUntil > now) ready.delete(host);
    }
  };

  const wake = (host: Host) => {
    if (host.waiting.length > 0) ready.add(host);
    start();
  };

  return {
    async run(name, task) {
      const host = hostOf(name);
      await new Promise<void>((resolve) => {
        host.waiting.push(resolve);
        wake(host);
      });
      try {
        return await task();
      } finally {
        active--;
        host.active--;
        wake(host);
      }
    },
    ease(name, waitMs) {
      const host = hostOf(name);
      host.limit = Math.min(host.limit, EASED_LIMIT);
      host.pausedUntil = Math.max(host.pausedUntil, Date.now() + waitMs);
      setTimeout(() => wake(host), waitMs + 1);
    },
  };
}
