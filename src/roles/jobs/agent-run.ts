import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'agent.run': z.output<typeof payload>;
  }
}

const payload = z.object({ workspaceId: z.string(), apiKeyId: z.string(), executionId: z.string() });

/** Runs an execution of a review agent. */
export const agentRun: Job<'agent.run', Deps> = {
  name: 'agent.run',
  payload,
  subject: 'executionId',
  plural: 'executions',
  stores: true,
  // The row of the execution outlives its job and enqueues it again.
  retries: 0,
  timeoutSeconds: 24 * 3_600,
  concurrency: 4,
  endsOnAbort: true,
  async run(ref, deps, signal) {
    // Loaded with the first run: parsers, rules and their data take a good part of the memory of a start.
    const { runExecution } = await import('../../review/run/run-execution.ts');
    await runExecution(ref, deps, signal);
  },
};
