import { type Subscriber, subscriber } from '../events/subscriber.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { NotificationConfig } from '../shapes/service-config.ts';
import { type Gathering, queueMails } from '../store/notification-emails.ts';
import { getServiceConfig } from '../store/service-configs.ts';
import { eventOfAction } from './comment-events.ts';
import { mails, showEmailConfig } from './email-config.ts';
import { showNotificationConfig } from './notification-config.ts';

/** Notifications go out as mail too, where the API key has that turned on, after the wait it asks for. */
export const queueNotificationMails = (jobs: Jobs): Subscriber =>
  subscriber({
    name: 'notifications/mail',
    events: ['notification.add'],

    async handle(tx, { payload, createdAt, workspaceId, apiKeyId }) {
      const scope = { workspaceId, apiKeyId };
      const { organizationId, notificationId, notificationSource, notification } = payload;
      const config = showEmailConfig(await getServiceConfig(tx, scope, 'email'));
      const event = notificationSource === 'comment' ? eventOfAction(notification.actionType) : undefined;
      if (!mails(config, event)) return;
      const notificationConfig = showNotificationConfig(await getServiceConfig(tx, scope, 'notification'));
      const { isEnabled, delaySeconds } = notificationConfig.notificationServiceConfig.delayConfig;
      const gathering = gatheringOf(notificationConfig);
      const dueAts = await queueMails(
        tx,
        scope,
        { organizationId, notificationId },
        { dueAt: createdAt + (isEnabled ? delaySeconds * 1_000 : 0), gather: gathering },
      );
      for (const dueAt of dueAts) {
        await jobs.enqueue(
          tx,
          'notification.email',
          { ...scope, organizationId, notificationId },
          { runAt: new Date(dueAt) },
        );
      }
    },
  });

/** How mail is gathered: to a user where that is chosen, else to a user about a document. */
export function gatheringOf({
  notificationServiceConfig: { batchConfig },
}: NotificationConfig): { by: Gathering; windowMs: number; upTo: number } | undefined {
  const by = (['user', 'document'] as const).find((one) => batchConfig[one].isEnabled);
  if (!by) return undefined;
  const { batchWindowSeconds, maxActivities } = batchConfig[by];
  return { by, windowMs: batchWindowSeconds * 1_000, upTo: maxActivities };
}
