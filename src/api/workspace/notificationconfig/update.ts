import { configOf } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import {
  changedNotificationConfig,
  showNotificationConfig,
} from '../../../notifications/notification-service-config.ts';
import { notificationConfig, notificationConfigChange } from '../../../shapes/service-config.ts';
import { changeServiceConfig } from '../../../store/platform/service-configs.ts';

export default write({
  path: '/v2/workspace/notificationconfig/update',
  auth: 'apiKey',
  summary: 'Change the notification settings.',
  description: 'Fields that are not sent keep their values.',
  data: notificationConfigChange.meta({
    examples: [
      {
        useNotificationService: true,
        notificationServiceConfig: {
          triggers: { comment: { 'comment_annotation.priority_change': false } },
          delayConfig: { isEnabled: true, delaySeconds: 60 },
        },
      },
    ],
  }),
  result: notificationConfig,
  message: 'Notification configuration updated successfully.',
  audit: { action: 'notification.config_changed', before: configOf('notification') },

  async handle(data, { tx, caller }) {
    const changed = await changeServiceConfig(tx, caller, 'notification', (stored) => ({
      config: changedNotificationConfig(stored?.config ?? {}, data),
      secretSealed: null,
    }));
    return showNotificationConfig(changed);
  },
});
