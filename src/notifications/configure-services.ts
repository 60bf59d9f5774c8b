import type { z } from 'zod';
import type { Tx } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import type { Scope } from '../lib/scope.ts';
import type { emailConfigChange } from '../shapes/service-config.ts';
import { changedSecret, changeServiceConfig } from '../store/platform/service-configs.ts';
import { changedEmailConfig } from './email-config.ts';
import { changedNotificationConfig } from './notification-service-config.ts';

interface InitialServices extends z.output<typeof emailConfigChange> {
  /** Defaults to true if mail is turned on. */
  setDefaultEmailTriggers?: boolean | undefined;
  useNotificationService?: boolean | undefined;
  setDefaultNotificationTriggers?: boolean | undefined;
}

/** Configures the services of a new API key; services that are not mentioned keep their defaults. */
export async function configureServices(
  tx: Tx,
  keyring: Keyring,
  scope: Scope,
  {
    setDefaultEmailTriggers,
    useNotificationService,
    setDefaultNotificationTriggers,
    ...email
  }: InitialServices,
): Promise<void> {
  const { useEmailService, emailServiceConfig } = email;
  if (useEmailService !== undefined || emailServiceConfig || setDefaultEmailTriggers) {
    await changeServiceConfig(tx, scope, 'email', (stored) => ({
      config: changedEmailConfig({}, email, setDefaultEmailTriggers),
      secretSealed: changedSecret(keyring, scope, 'email', stored, emailServiceConfig?.apiKey),
    }));
  }
  if (useNotificationService !== undefined || setDefaultNotificationTriggers) {
    const change = { ...(useNotificationService !== undefined && { useNotificationService }) };
    await changeServiceConfig(tx, scope, 'notification', () => ({
      config: changedNotificationConfig({}, change, setDefaultNotificationTriggers),
      secretSealed: null,
    }));
  }
}
