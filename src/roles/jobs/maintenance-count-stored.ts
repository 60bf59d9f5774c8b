import { z } from 'zod';
import { logFault } from '../../db/log-fault.ts';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { countAllStored, lastCountAt } from '../../store/platform/stored-bytes.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'maintenance.count_stored': z.output<typeof payload>;
  }
}

const payload = z.object({});
const HOUR_MS = 3_600_000;

/** Counts the bytes that each API key and workspace stores. */
export const maintenanceCountStored: Job<'maintenance.count_stored', Deps> = {
  name: 'maintenance.count_stored',
  payload,
  // The next hour repeats what fails.
  retries: 0,
  timeoutSeconds: 3 * 3_600,
  concurrency: 1,
  schedule: '29 * * * *',
  endsOnAbort: true,
  async run(_, { db, log, storage }, signal) {
    try {
      // Another process may have counted just now.
      if (((await lastCountAt(db)) ?? 0) > Date.now() - HOUR_MS / 2) return;
      await countAllStored(db, signal);
      await storage.quota.refresh();
    } catch (error) {
      if (!signal.aborted) logFault(log, error, 'stored bytes cannot be counted');
    }
  },
};

/** Enqueues a count at the start of a process if the last count is older than an hour. */
export async function enqueueOverdueCount(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  now: number,
): Promise<void> {
  if (((await lastCountAt(db)) ?? 0) > now - HOUR_MS) return;
  await db.transaction().execute((tx) => jobs.enqueue(tx, 'maintenance.count_stored', {}));
}
