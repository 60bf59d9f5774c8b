import { z } from 'zod';
import { logFault } from '../../db/log-fault.ts';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { ingestKnowledge } from '../../memory/knowledge/ingest-knowledge.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'memory.knowledge_ingest': z.output<typeof payload>;
  }
}

const payload = z.object({ workspaceId: z.string(), apiKeyId: z.string(), contentId: z.string() });

/** Reads, splits and embeds the content of a knowledge source. */
export const memoryKnowledgeIngest: Job<'memory.knowledge_ingest', Deps> = {
  name: 'memory.knowledge_ingest',
  payload,
  subject: 'contentId',
  plural: 'knowledge sources',
  stores: true,
  // The row of the content outlives its job and enqueues it again.
  retries: 0,
  timeoutSeconds: 3_600,
  concurrency: 2,
  endsOnAbort: true,
  run: (ref, deps, signal) =>
    ingestKnowledge(ref, deps, signal).catch((error: unknown) =>
      logFault(deps.log, error, 'knowledge cannot be ingested', { contentId: ref.contentId }),
    ),
};
