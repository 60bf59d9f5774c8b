import { z } from 'zod';
import { logFault } from '../../db/log-fault.ts';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { runDeletion } from '../../store/privacy/data-deletions.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'user.data_delete': z.output<typeof payload>;
  }
}

const payload = z.object({ workspaceId: z.string(), apiKeyId: z.string(), jobId: z.string() });

/** Deletes the data of users. */
export const userDataDelete: Job<'user.data_delete', Deps> = {
  name: 'user.data_delete',
  payload,
  subject: 'jobId',
  plural: 'data deletions',
  // The row of the deletion outlives its job and enqueues it again.
  retries: 0,
  timeoutSeconds: 600,
  concurrency: 1,
  endsOnAbort: true,
  run: (ref, { db, jobs, log }, signal) =>
    runDeletion(db, jobs, ref, signal).catch((error: unknown) =>
      logFault(log, error, 'data deletion fails', { jobId: ref.jobId }),
    ),
};
