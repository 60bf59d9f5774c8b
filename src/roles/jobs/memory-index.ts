import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { indexJudgments } from '../../memory/ranking/preselect-judgments.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'memory.index': z.output<typeof payload>;
  }
}

const payload = z.object({});

/** Creates and drops vector indexes of judgments, following their number. */
export const memoryIndex: Job<'memory.index', Deps> = {
  name: 'memory.index',
  payload,
  stores: true,
  // The next run repeats what fails.
  retries: 0,
  timeoutSeconds: 6 * 3_600,
  concurrency: 1,
  schedule: '*/10 * * * *',
  endsOnAbort: true,
  run: (_, deps, signal) => indexJudgments(deps, signal),
};
