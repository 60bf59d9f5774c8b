import { z } from 'zod';
import { logFault } from '../../db/log-fault.ts';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { runMigration } from '../../store/documents/document-migrations.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'document.migrate': z.output<typeof payload>;
  }
}

const payload = z.object({
  workspaceId: z.string(),
  apiKeyId: z.string(),
  organizationId: z.string(),
  migrationId: z.string(),
});

/** Moves what belongs to a document to another document. */
export const documentMigrate: Job<'document.migrate', Deps> = {
  name: 'document.migrate',
  payload,
  subject: 'migrationId',
  plural: 'migrations',
  stores: true,
  // The row of the migration outlives its job and enqueues it again.
  retries: 0,
  timeoutSeconds: 3_600,
  concurrency: 1,
  endsOnAbort: true,
  run: (ref, { db, log }, signal) =>
    runMigration(db, ref, signal).catch((error: unknown) =>
      logFault(log, error, 'document migration fails', { migrationId: ref.migrationId }),
    ),
};
