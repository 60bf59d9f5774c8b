import type { Booted } from '../boot.ts';
import type { JobHandlers } from '../jobs/job-loops.ts';
import { repeatChore, runChores } from '../jobs/run-chores.ts';
import { type Findings, startEngines } from './engines.ts';
import { JOBS } from './jobs/index.ts';
import { enqueueOverdueCount } from './jobs/maintenance-count-stored.ts';
import { RECURRING, resumeWork } from './recurring-chores.ts';

export interface Worker {
  check(): Promise<Findings>;
  /** Announces a committed write, which may have emitted events. */
  wake(): void;
  stop(): Promise<void>;
}

const STOP_JOBS_WITHIN_MS = 2_000;

/** Relays events, runs jobs and runs recurring chores. */
export async function startWorker(deps: Booted): Promise<Worker> {
  const stopping = new AbortController();
  const { handlers, settled } = createHandlers(deps, stopping.signal);
  await resumeWork(deps);
  await runChores(
    RECURRING.filter(({ atStart }) => atStart),
    deps,
  );
  // One after the other, because chores that run at the same moment need a connection each, which then idles.
  const stopChores = RECURRING.map((chore, index) =>
    repeatChore(chore, deps, chore.everyMs, (chore.everyMs * (index + 1)) / RECURRING.length),
  );
  const { engines, wake } = startEngines(deps);
  deps.jobs.onEnded(wake);
  await deps.jobs.work(handlers);
  await enqueueOverdueCount(deps, Date.now());

  return {
    async check() {
      const all = await Promise.all(engines.map((engine) => engine.check()));
      return {
        faults: all.flatMap(({ faults }) => faults),
        warnings: all.flatMap(({ warnings }) => warnings),
      };
    },
    wake,
    async stop() {
      for (const stop of stopChores) stop();
      stopping.abort(new Error('The process is stopping.'));
      await Promise.allSettled([...engines.map((engine) => engine.stop?.()), settled()]);
      // After the running jobs, which would otherwise count as failed once the grace period is over.
      await deps.jobs.stop(STOP_JOBS_WITHIN_MS);
    },
  };
}

/** Handlers of all jobs. `settled` waits for running jobs that end once the signal is aborted. */
function createHandlers(
  deps: Booted,
  signal: AbortSignal,
): { handlers: JobHandlers; settled(): Promise<unknown> } {
  const running = new Set<Promise<unknown>>();
  const handlers = JOBS.map((job) => {
    const run = job.run as (payload: unknown, deps: Booted, signal: AbortSignal) => Promise<unknown>;
    const handle = async (payload: unknown): Promise<void> => {
      const work = run(payload, deps, signal);
      if (!('endsOnAbort' in job)) return void (await work);
      running.add(work);
      await work.finally(() => running.delete(work));
    };
    return [job.name, handle];
  });
  return {
    handlers: Object.fromEntries(handlers) as JobHandlers,
    settled: () => Promise.allSettled(running),
  };
}
