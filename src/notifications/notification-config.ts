import type { z } from 'zod';
import { deepMerge } from '../lib/deep-merge.ts';
import {
  COMMENT_TRIGGERS,
  HUDDLE_TRIGGERS,
  type NotificationConfig,
  type notificationConfigChange,
  SUGGESTION_TRIGGERS,
} from '../shapes/service-config.ts';
import type { ServiceConfig } from '../store/platform/service-configs.ts';

const noBatch = { isEnabled: false, batchWindowSeconds: 10, maxActivities: 2 };

/** What goes for an API key. Whoever never chose anything is notified of everything. */
export function showNotificationConfig(stored: ServiceConfig | undefined): NotificationConfig {
  return deepMerge(
    {
      useNotificationService: true,
      notificationServiceConfig: {
        delayConfig: { isEnabled: false, delaySeconds: 10 },
        batchConfig: { document: noBatch, user: noBatch },
      },
    },
    stored?.config ?? {},
  ) as NotificationConfig;
}

/** What is to be stored after a change. Whoever turns it on without having chosen events gets all. */
export function changedNotificationConfig(
  before: Record<string, unknown>,
  change: z.output<typeof notificationConfigChange>,
  withUsual = change.useNotificationService ?? false,
): Record<string, unknown> {
  const stored = (before.notificationServiceConfig ?? {}) as { triggers?: unknown };
  const usual =
    withUsual && !stored.triggers
      ? {
          notificationServiceConfig: {
            triggers: { comment: { ...COMMENT_TRIGGERS, ...SUGGESTION_TRIGGERS }, huddle: HUDDLE_TRIGGERS },
          },
        }
      : {};
  return deepMerge(deepMerge(usual, before), change);
}

/** Whether an event about comments notifies anybody, as far as the API key goes. */
export const notifies = (
  { useNotificationService, notificationServiceConfig }: NotificationConfig,
  eventName: string,
): boolean => useNotificationService && notificationServiceConfig.triggers?.comment?.[eventName] !== false;
