import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { mailInvitation } from '../../notifications/sign-in-mails.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'member.invitation': z.output<typeof payload>;
  }
}

const payload = z.object({ workspaceId: z.string(), invitationId: z.string(), origin: z.string() });

/** Mails an invitation into a workspace. */
export const memberInvitation: Job<'member.invitation', Deps> = {
  name: 'member.invitation',
  payload,
  retries: 8,
  timeoutSeconds: 120,
  concurrency: 1,
  run: (invitation, deps) => mailInvitation(deps, invitation),
};
