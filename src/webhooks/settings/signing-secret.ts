import { randomBytes } from 'node:crypto';

/** As the Standard Webhooks libraries take it. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
