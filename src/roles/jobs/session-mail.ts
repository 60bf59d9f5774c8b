import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { mailSignIn } from '../../notifications/sign-in-mails.ts';

declare module '../../jobs/job.ts' {
  interface JobPayloads {
    'session.mail': z.output<typeof payload>;
  }
}

/** Jobs of earlier versions have no network. */
const payload = z.object({ email: z.string(), origin: z.string(), network: z.string().optional() });

/** Mails a link that signs in to the console. A late one is of no use, so it is tried for a few minutes. */
export const sessionMail: Job<'session.mail', Deps> = {
  name: 'session.mail',
  payload,
  retries: 3,
  timeoutSeconds: 120,
  concurrency: 4,
  run: (wish, deps) => mailSignIn(deps, wish),
};
