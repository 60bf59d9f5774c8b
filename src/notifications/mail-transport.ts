import type { Keyring } from '../lib/crypto.ts';
import type { MailTransport } from '../outside/mail/mail.ts';
import { openServiceSecret, type ServiceConfig } from '../store/platform/service-configs.ts';
import { showEmailConfig } from './email-config.ts';

/** The mail transport of an API key; undefined if its configuration is incomplete. */
export function mailTransportOf(
  keyring: Keyring,
  apiKeyId: string,
  stored: ServiceConfig | undefined,
): MailTransport | undefined {
  const { type, fromEmail } = showEmailConfig(stored).emailServiceConfig;
  if (type !== 'sendgrid') return { type: 'smtp' };
  const apiKey = stored?.secretSealed
    ? openServiceSecret(keyring, apiKeyId, 'email', stored.secretSealed)
    : undefined;
  return apiKey && fromEmail ? { type, apiKey, from: fromEmail } : undefined;
}
