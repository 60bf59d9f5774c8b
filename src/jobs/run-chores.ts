import { type FaultLog, logFault } from '../db/log-fault.ts';
import { beginOperation } from '../lib/tracing/tracing.ts';
import { choreFailures } from './job-metrics.ts';

/** Idempotent maintenance that needs no queue. */
export interface Chore<Deps> {
  name: string;
  run(deps: Deps, now: number): Promise<unknown>;
}

/** Runs chores one after the other. A failure is logged and counted and stops no other chore. Returns failed names. */
export async function runChores<Deps extends { log: FaultLog }>(
  chores: readonly Chore<Deps>[],
  deps: Deps,
): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of chores) {
    try {
      await beginOperation(name).run(() => run(deps, Date.now()));
    } catch (error) {
      failed.push(name);
      choreFailures.inc({ chore: name });
      logFault(deps.log, error, 'chore fails', { chore: name });
    }
  }
  return failed;
}

/** Runs a chore after `firstAfterMs` and every `everyMs` until the returned function is called. Its runs never overlap. */
export function repeatChore<Deps extends { log: FaultLog }>(
  chore: Chore<Deps>,
  deps: Deps,
  everyMs: number,
  firstAfterMs = everyMs,
): () => void {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await runChores([chore], deps).finally(() => {
      isRunning = false;
    });
  };
  let timer = setTimeout(() => {
    timer = setInterval(() => void run(), everyMs);
    void run();
  }, firstAfterMs);
  return () => clearTimeout(timer);
}
