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

/** The email configuration with its secret redacted. */
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

/** Merges a change into the stored configuration; turning mail on without triggers adds the default ones. */
export function changedEmailConfig(
  before: Record<string, unknown>,
  { useEmailService, emailServiceConfig: sent = {} }: z.output<typeof emailConfigChange>,
  withDefaults = useEmailService ?? false,
): Record<string, unknown> {
  const { apiKey: _secret, ...settings } = sent;
  const stored = (before.emailServiceConfig ?? {}) as Settings;
  const defaults =
    withDefaults && !stored.triggers
      ? { type: 'custom', triggers: { ...COMMENT_TRIGGERS, ...HUDDLE_TRIGGERS } }
      : {};
  return {
    ...before,
    ...(useEmailService !== undefined && { useEmailService }),
    emailServiceConfig: deepMerge({ ...defaults, ...stored }, settings),
  };
}

/** True if the configuration lets an event send mail; notifications without an event always do. */
export function sendsMail(
  { useEmailService, emailServiceConfig }: EmailConfig,
  eventName: string | undefined,
): boolean {
  return useEmailService && (eventName === undefined || emailServiceConfig.triggers?.[eventName] === true);
}
