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

/** The configuration of an API key; by default all events notify. */
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

/** Merges a change into the stored configuration; turning notifications on without triggers adds all of them. */
export function changedNotificationConfig(
  before: Record<string, unknown>,
  change: z.output<typeof notificationConfigChange>,
  withDefaults = change.useNotificationService ?? false,
): Record<string, unknown> {
  const stored = (before.notificationServiceConfig ?? {}) as { triggers?: unknown };
  const defaults =
    withDefaults && !stored.triggers
      ? {
          notificationServiceConfig: {
            triggers: { comment: { ...COMMENT_TRIGGERS, ...SUGGESTION_TRIGGERS }, huddle: HUDDLE_TRIGGERS },
          },
        }
      : {};
  return deepMerge(deepMerge(defaults, before), change);
}

/** True if the configuration lets a comment event notify. */
export const notifies = (
  { useNotificationService, notificationServiceConfig }: NotificationConfig,
  eventName: string,
): boolean => useNotificationService && notificationServiceConfig.triggers?.comment?.[eventName] !== false;
