import { z } from 'zod';

interface JobKind {
  payload: z.ZodType;
  /** What the work is about. While a job for it waits, no second one is enqueued to take it up. */
  thing?: string;
  /** Names the work in refusals of a key that has too much of it waiting; without one, it is not bounded. */
  plural?: string;
  /** Further tries after a failure. */
  retries: number;
  /** After which the queue counts a try as failed. */
  timeoutSeconds: number;
  /** How many this process works on at once. */
  concurrency: number;
  /** A job that waits longer while nothing of its kind is begun tells that something is wrong. */
  beginsWithinSeconds?: number;
  /** It adds to what is stored, so that none is begun while nothing can be. */
  stores?: true;
  /** When it is enqueued by itself: a cron line, UTC. */
  schedule?: string;
}

const kinds = <const T extends Record<string, JobKind>>(catalog: T): T => catalog;

/** Every kind of background work. */
export const jobs = kinds({
  'agent.run': {
    payload: z.object({ workspaceId: z.string(), apiKeyId: z.string(), executionId: z.string() }),
    thing: 'executionId',
    plural: 'executions',
    stores: true,
    retries: 0,
    timeoutSeconds: 24 * 3600,
    concurrency: 4,
  },
  'document.migrate': {
    payload: z.object({
      workspaceId: z.string(),
      apiKeyId: z.string(),
      organizationId: z.string(),
      migrationId: z.string(),
    }),
    thing: 'migrationId',
    plural: 'migrations',
    // What fails is taken up again by its row, which outlives a job.
    stores: true,
    retries: 0,
    timeoutSeconds: 3_600,
    concurrency: 1,
  },
  'user.data_delete': {
    payload: z.object({ workspaceId: z.string(), apiKeyId: z.string(), jobId: z.string() }),
    thing: 'jobId',
    plural: 'data deletions',
    // What fails is taken up again by its row, which outlives a job.
    retries: 0,
    timeoutSeconds: 600,
    concurrency: 1,
  },
  'notification.email': {
    payload: z.object({
      workspaceId: z.string(),
      apiKeyId: z.string(),
      organizationId: z.string(),
      notificationId: z.string(),
    }),
    // Of a process that died; a mail that fails waits for a job of its own.
    retries: 3,
    timeoutSeconds: 300,
    concurrency: 4,
  },
  'webhook.owner_email': {
    payload: z.object({
      workspaceId: z.string(),
      apiKeyId: z.string(),
      endpointId: z.string(),
      /** Percent of the way to being disabled, or why it is. */
      notice: z.enum(['50', '90', 'failing', 'gone']),
      at: z.number(),
    }),
    retries: 8,
    timeoutSeconds: 120,
    concurrency: 1,
  },
  'memory.knowledge_ingest': {
    payload: z.object({ workspaceId: z.string(), apiKeyId: z.string(), contentId: z.string() }),
    thing: 'contentId',
    plural: 'knowledge sources',
    // What fails is taken up again by its row, which outlives a job.
    stores: true,
    retries: 0,
    timeoutSeconds: 3_600,
    concurrency: 2,
  },
  'memory.consolidate': {
    /** Without a key, of all whose judgments changed. */
    payload: z.object({
      key: z.object({ workspaceId: z.string(), apiKeyId: z.string() }).optional(),
      force: z.boolean().optional(),
    }),
    // What fails comes with the next hour.
    stores: true,
    retries: 0,
    timeoutSeconds: 3_600,
    concurrency: 1,
    schedule: '41 * * * *',
  },
  'memory.index': {
    payload: z.object({}),
    // What fails comes with the next.
    stores: true,
    retries: 0,
    timeoutSeconds: 6 * 3_600,
    concurrency: 1,
    schedule: '*/10 * * * *',
  },
  'maintenance.count_stored': {
    payload: z.object({}),
    // What fails comes with the next.
    retries: 0,
    timeoutSeconds: 3 * 3_600,
    concurrency: 1,
    schedule: '29 * * * *',
  },
  'maintenance.prune': {
    payload: z.object({}),
    retries: 2,
    timeoutSeconds: 600,
    concurrency: 1,
    schedule: '17 3 * * *',
  },
});

export type JobName = keyof typeof jobs;
export type JobPayload<Name extends JobName> = z.infer<(typeof jobs)[Name]['payload']>;
