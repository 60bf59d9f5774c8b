import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { showEmailConfig } from '../../../notifications/email-config.ts';
import { emailConfig } from '../../../shapes/service-config.ts';
import { getServiceConfig } from '../../../store/platform/service-configs.ts';

export default read({
  path: '/v2/workspace/emailconfig/get',
  auth: 'apiKey',
  summary: 'Get the email settings.',
  description:
    'Emails are off until they are enabled. The key of the mail provider is never returned; sending `__redacted__` back to workspace/emailconfig/update keeps it.',
  data: z.object({}),
  dataOptional: true,
  result: emailConfig,
  message: 'Email configuration retrieved successfully.',

  handle: async (_data, { db, caller }) => showEmailConfig(await getServiceConfig(db, caller, 'email')),
});
