import type { z } from 'zod';
import { deepMerge } from '../lib/deep-merge.ts';
import {
  COMMENT_TRIGGERS,
  type EmailConfig,
  type emailConfigChange,
  HUDDLE_TRIGGERS,
} from '../shapes/service-config.ts';
import { REDACTED, type ServiceConfig } from '../store/platform/service-configs.ts';

type Settings = Partial<EmailConfig['emailServiceConfig']>;

/** What goes for an API key, its secret covered. */
export function showEmailConfig(stored: ServiceConfig | undefined): EmailConfig {
  const { useEmailService, emailServiceConfig = {} } = (stored?.config ?? {}) as {
    useEmailService?: boolean;
    emailServiceConfig?: Settings;
  };
  return {
    useEmailService: useEmailService ?? false,
    emailServiceConfig: {
      type: 'default',
      fromEmail: '',
      fromCompany: '',
      commentTemplateId: '',
      tagTemplateId: '',
      ...emailServiceConfig,
      apiKey: stored?.secretSealed ? REDACTED : '',
    },
  };
}

/** What is to be stored after a change. Whoever turns mail on without having chosen events gets the usual ones. */
export function changedEmailConfig(
  before: Record<string, unknown>,
  { useEmailService, emailServiceConfig: sent = {} }: z.output<typeof emailConfigChange>,
  withUsual = useEmailService ?? false,
): Record<string, unknown> {
  const { apiKey: _secret, ...settings } = sent;
  const stored = (before.emailServiceConfig ?? {}) as Settings;
  const usual =
    withUsual && !stored.triggers
      ? { type: 'custom', triggers: { ...COMMENT_TRIGGERS, ...HUDDLE_TRIGGERS } }
      : {};
  return {
    ...before,
    ...(useEmailService !== undefined && { useEmailService }),
    emailServiceConfig: deepMerge({ ...usual, ...stored }, settings),
  };
}

/** Whether an event leads to a mail, as far as the API key goes; what is of no event always does. */
export function mails(
  { useEmailService, emailServiceConfig }: EmailConfig,
  eventName: string | undefined,
): boolean {
  return useEmailService && (eventName === undefined || emailServiceConfig.triggers?.[eventName] === true);
}
