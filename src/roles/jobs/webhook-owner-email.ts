import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { mailTransportOf } from '../../notifications/mail-transport.ts';
import { getServiceConfig } from '../../store/platform/service-configs.ts';
import { mailOwner } from '../../webhooks/deliver/mail-owner.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'webhook.owner_email': z.output<typeof payload>;
  }
}

const payload = z.object({
  workspaceId: z.string(),
  apiKeyId: z.string(),
  endpointId: z.string(),
  /** Percent of the way to being disabled, or why the endpoint is disabled. */
  notice: z.enum(['50', '90', 'failing', 'gone']),
  at: z.number(),
});

/** Mails the owner of an API key about a failing or disabled webhook endpoint. */
export const webhookOwnerEmail: Job<'webhook.owner_email', Deps> = {
  name: 'webhook.owner_email',
  payload,
  retries: 8,
  timeoutSeconds: 120,
  concurrency: 1,
  run: (notice, { db, log, keyring, outside }) =>
    mailOwner(
      {
        db,
        log,
        mail: outside.mail,
        mailTransportOf: async (scope) =>
          mailTransportOf(keyring, scope.apiKeyId, await getServiceConfig(db, scope, 'email')),
      },
      notice,
    ),
};
