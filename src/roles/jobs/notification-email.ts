import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { sendMails } from '../../notifications/send-mails.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'notification.email': z.output<typeof payload>;
  }
}

const payload = z.object({
  workspaceId: z.string(),
  apiKeyId: z.string(),
  organizationId: z.string(),
  notificationId: z.string(),
});

/** Mails notifications to a user. */
export const notificationEmail: Job<'notification.email', Deps> = {
  name: 'notification.email',
  payload,
  // Covers processes that die. A mail that fails enqueues its own retry.
  retries: 3,
  timeoutSeconds: 300,
  concurrency: 4,
  endsOnAbort: true,
  run: (ref, deps, signal) => sendMails(deps, ref, signal),
};
