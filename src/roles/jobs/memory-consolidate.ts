import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { consolidateDue } from '../../memory/insights/consolidate.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'memory.consolidate': z.output<typeof payload>;
  }
}

const payload = z.object({
  /** Default: every API key whose judgments changed. */
  key: z.object({ workspaceId: z.string(), apiKeyId: z.string() }).optional(),
  force: z.boolean().optional(),
});

/** Derives patterns, profiles and alerts from judgments. */
export const memoryConsolidate: Job<'memory.consolidate', Deps> = {
  name: 'memory.consolidate',
  payload,
  stores: true,
  // The next hour repeats what fails.
  retries: 0,
  timeoutSeconds: 3_600,
  concurrency: 1,
  schedule: '41 * * * *',
  endsOnAbort: true,
  run: (options, deps, signal) => consolidateDue(deps, options, signal),
};
