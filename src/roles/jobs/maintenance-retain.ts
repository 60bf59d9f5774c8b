import { z } from 'zod';
import { logFault } from '../../db/log-fault.ts';
import { dropEmptyLogPartitions } from '../../db/partitions/log-partitions.ts';
import type { Deps } from '../../deps.ts';
import { deleteMarkedFiles } from '../../files/stored-files.ts';
import type { Job } from '../../jobs/job.ts';
import { choreFailures, prunedRows } from '../../jobs/job-metrics.ts';
import { RETENTION_KINDS, removeOld } from '../../store/retention/retention.ts';
import type { Tally } from '../../store/retention/tally.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'maintenance.retain': z.output<typeof payload>;
  }
}

const payload = z.object({});

/** Removes data that is older than the settings keep it, once a day. */
export const maintenanceRetain: Job<'maintenance.retain', Deps> = {
  name: 'maintenance.retain',
  payload,
  retries: 2,
  timeoutSeconds: 3 * 3_600,
  concurrency: 1,
  schedule: '47 3 * * *',
  endsOnAbort: true,
  async run(_, { db, log, outside, settings }, signal) {
    const removed: Record<string, Tally> = {};
    const failed: string[] = [];
    const attempt = async (name: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        signal.throwIfAborted();
        failed.push(name);
        choreFailures.inc({ chore: name });
        logFault(log, error, 'chore fails', { chore: name });
      }
    };
    for (const kind of RETENTION_KINDS) {
      await attempt(`removal of old ${kind}`, async () => {
        const tally = await removeOld(db, kind, settings.keptDays, { now: Date.now(), signal });
        if (tally === undefined || tally.rows === 0) return;
        prunedRows.inc({ kind }, tally.rows);
        removed[kind] = tally;
      });
    }
    await attempt('empty partitions of logs', () => dropEmptyLogPartitions(db, Date.now()));
    await attempt('files of removed runs', () => deleteMarkedFiles(db, outside.blobs, Date.now()));
    log.info({ removed }, 'old data removed');
    // Throws so that the queue retries, because rows that are not removed pile up.
    if (failed.length > 0) throw new Error(`Chores failed: ${failed.join(', ')}.`);
  },
};
