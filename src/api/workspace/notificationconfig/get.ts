import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { showNotificationConfig } from '../../../notifications/notification-service-config.ts';
import { notificationConfig } from '../../../shapes/service-config.ts';
import { getServiceConfig } from '../../../store/platform/service-configs.ts';

export default read({
  path: '/v2/workspace/notificationconfig/get',
  auth: 'apiKey',
  summary: 'Get the notification settings.',
  description:
    'Notifications are on by default, for all events and without delays or batches. Users restrict them further with notifications/config/set.',
  data: z.object({}),
  dataOptional: true,
  result: notificationConfig,
  message: 'Notification configuration retrieved successfully.',

  handle: async (_data, { db, caller }) =>
    showNotificationConfig(await getServiceConfig(db, caller, 'notification')),
});
