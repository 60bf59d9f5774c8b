import { type CheckStatus, type Finding, withinTime } from './check.ts';

/** A dependency of the process, and how it is checked while the service runs. */
export interface Watched {
  name: string;
  timeoutMs: number;
  /** Checks the dependency. */
  run(signal: AbortSignal): Promise<Finding>;
  /**
   * Check that runs every minute while the dependency works: the same, none, or a cheaper one that returns only faults.
   * Otherwise `run` is repeated.
   */
  regularly: 'same' | 'nothing' | (() => Promise<Finding | undefined>);
}

/** State of a dependency for /ready: no paths, no addresses. */
export interface KeptCheck {
  name: string;
  status: CheckStatus;
  message?: string;
  /** Start of this status in epoch ms. */
  since: number;
}

export interface HealthWatch {
  /** Starts to check in the background. */
  start(checks: readonly Watched[]): void;
  /** Records the outcome of a use. A success counts only after a failure, so that recording is free. */
  note(name: string, finding: Finding | 'works'): void;
  checks(): KeptCheck[];
  /** Runs all checks now, as if a minute had passed. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

interface Log {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
}

const POLL_EVERY_MS = 60_000;

interface Options {
  log: Log;
  /** Removes secrets from log entries. */
  hideSecrets?: (text: string) => string;
  everyMs?: number;
}

/** Keeps the latest findings. Each change is logged. */
export function createHealthWatch({
  log,
  hideSecrets = (text) => text,
  everyMs = POLL_EVERY_MS,
}: Options): HealthWatch {
  const kept = new Map<string, { finding: Finding; since: number }>();
  const running = new Map<string, Promise<void>>();
  const ending = new AbortController();
  let watched: readonly Watched[] = [];
  let timer: NodeJS.Timeout | undefined;

  const keep = (name: string, finding: Finding) => {
    if (ending.signal.aborted) return;
    const before = kept.get(name)?.finding.status;
    if (before === finding.status) {
      kept.get(name)!.finding = finding;
      return;
    }
    kept.set(name, { finding, since: Date.now() });
    const { status, found, advice, brief } = finding;
    const reason = hideSecrets(found);
    const about = {
      check: name,
      ...(reason !== brief && { reason }),
      ...(advice !== undefined && { advice }),
    };
    if (status === 'failed' || status === 'warning') log.warn(about, brief ?? `${name}: ${status}`);
    else if (before === 'failed') log.info({ check: name }, `${name}: works again`);
  };

  const once = async (check: Watched): Promise<void> => {
    const status = kept.get(check.name)?.finding.status;
    const isWell = status !== undefined && status !== 'failed';
    if (isWell && check.regularly === 'nothing') return;
    if (isWell && typeof check.regularly === 'function') {
      const fault = await check.regularly();
      if (fault !== undefined) keep(check.name, fault);
      return;
    }
    keep(check.name, await withinTime(check.name, check.timeoutMs, check.run, ending.signal));
  };
  /** Runs of one check never overlap. */
  const lookAt = (check: Watched): Promise<void> => {
    const begun = running.get(check.name);
    if (begun) return begun;
    const looking = once(check)
      .catch((error: unknown) => log.warn({ check: check.name, err: error }, 'health check threw an error'))
      .finally(() => running.delete(check.name));
    running.set(check.name, looking);
    return looking;
  };
  const look = async () => void (await Promise.all(watched.map(lookAt)));

  return {
    start(checks) {
      watched = checks;
      void look();
      timer = setInterval(() => void look(), everyMs);
      timer.unref();
    },
    note(name, finding) {
      if (finding !== 'works') return keep(name, finding);
      if (kept.get(name)?.finding.status === 'failed')
        keep(name, { status: 'ok', found: 'It was used successfully.' });
    },
    checks: () =>
      [...kept].map(([name, { finding, since }]) => ({
        name,
        status: finding.status,
        ...(finding.brief !== undefined && { message: finding.brief }),
        since,
      })),
    look,
    async stop() {
      clearInterval(timer);
      ending.abort();
      await Promise.allSettled(running.values());
    },
  };
}
