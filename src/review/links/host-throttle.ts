/** Limits the number of concurrent requests, so that a link review does not overload a server. */
export interface HostThrottle {
  /**
   * Runs a task once there is room for one more request, to this host and in total. Retries go to the head of the
   * queue, so that the throttle learns early how a host answers.
   */
  run<T>(host: string, task: () => Promise<T>, isRetry?: boolean): Promise<T>;
  /** Sends nothing more to a host for a while, and then fewer requests at once and further apart. */
  slowDown(host: string, waitMs: number): void;
}

interface Host {
  active: number;
  /** Maximum number of concurrent requests. */
  limit: number;
  /** Requests since `limit` last changed. */
  started: number;
  pausedUntil: number;
  /** Time between two starts. Shrinks with every start, so that one bad moment does not slow a host for good. */
  spacingMs: number;
  waiting: (() => void)[];
  alarm?: NodeJS.Timeout;
}

const SLOWED_LIMIT = 4;
/** After this many requests without a refusal, a slowed host gets one more concurrent request. */
const STARTS_TO_REGAIN = 10;
const FIRST_SPACING_MS = 50;
const MAX_SPACING_MS = 400;
const SPACING_DECAY = 0.92;

/**
 * Adaptive throttle: additive increase, multiplicative decrease per host under one limit for all hosts; `link-checker.ts`
 * sets `total` and `perHost`. p-queue and Bottleneck have fixed limits per queue: neither slows a host down by its
 * answers and speeds it up again, nor serves many hosts in turn under a common limit.
 */
export function createHostThrottle({ total, perHost }: { total: number; perHost: number }): HostThrottle {
  const hosts = new Map<string, Host>();
  // Hosts with waiting requests, served in turn so that no host starves behind a large one.
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

  const startReady = () => {
    for (const host of ready) {
      if (active >= total) return;
      while (mayStart(host)) {
        active++;
        host.active++;
        if (host.spacingMs >= 1) pause(host, host.spacingMs);
        host.spacingMs *= SPACING_DECAY;
        regain(host, perHost);
        host.waiting.shift()!();
      }
      // A host that is paused or at its own limit is woken later; one that only the total holds back stays ready.
      ready.delete(host);
      if (active >= total && host.waiting.length > 0) ready.add(host);
    }
  };

  const pause = (host: Host, waitMs: number) => {
    host.pausedUntil = Math.max(host.pausedUntil, Date.now() + Math.ceil(waitMs));
    host.alarm ??= setTimeout(() => {
      host.alarm = undefined;
      // The pause may have been extended since.
      const pauseMs = host.pausedUntil - Date.now();
      if (pauseMs > 0) pause(host, pauseMs);
      else wake(host);
    }, Math.ceil(waitMs));
  };

  const wake = (host: Host) => {
    if (host.waiting.length > 0) ready.add(host);
    startReady();
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
        // Deferred, so that the caller can queue its retry before another request takes the place.
        setImmediate(wake, host);
      }
    },
    slowDown(name, waitMs) {
      const host = hostOf(name);
      host.limit = Math.min(host.limit, SLOWED_LIMIT);
      host.started = 0;
      // Refusals during a pause belong to the burst that caused it, and do not slow the host further.
      if (host.pausedUntil <= Date.now()) {
        host.spacingMs = Math.min(MAX_SPACING_MS, Math.max(FIRST_SPACING_MS, host.spacingMs * 2));
      }
      pause(host, waitMs);
    },
  };
}

function regain(host: Host, perHost: number): void {
  if (host.limit >= perHost || ++host.started < STARTS_TO_REGAIN) return;
  host.limit++;
  host.started = 0;
}
