import type { Event } from '../events/event-catalog.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { NotificationConfig } from '../shapes/service-config.ts';
import { type Gathering, queueMails } from '../store/notifications/emails.ts';
import { serviceConfigsOf } from '../store/platform/service-configs.ts';
import { mails, showEmailConfig } from './email-config.ts';
import { showNotificationConfig } from './notification-config.ts';
import { eventOfAction } from './notified-events.ts';

type Added = Extract<Event, { name: 'notification.add' }>;

/** Notifications go out as mail too, where the API key has that turned on, after the wait it asks for. */
export const queueNotificationMails = (jobs: Jobs): Subscriber => ({
  name: 'notifications/mail',
  events: ['notification.add'],

  async handle(tx, events: Added[]) {
    const stored = await serviceConfigsOf(
      tx,
      events.map(({ apiKeyId }) => apiKeyId),
      ['email', 'notification'],
    );
    const mailed = [...Map.groupBy(events, ({ apiKeyId }) => apiKeyId)].flatMap(([apiKeyId, ofKey]) => {
      const email = showEmailConfig(stored(apiKeyId, 'email'));
      if (!email.useEmailService) return [];
      const config = showNotificationConfig(stored(apiKeyId, 'notification'));
      const { isEnabled, delaySeconds } = config.notificationServiceConfig.delayConfig;
      const waits = { delayMs: isEnabled ? delaySeconds * 1_000 : 0, gather: gatheringOf(config) };
      return onceEach(ofKey.filter((event) => mails(email, commentEventOf(event)))).map((event) => ({
        event,
        ...waits,
      }));
    });
    const dueAts = await queueMails(
      tx,
      mailed.map(({ event: { apiKeyId, createdAt, payload }, delayMs, gather }) => ({
        apiKeyId,
        organizationId: payload.organizationId,
        notificationId: payload.notificationId,
        dueAt: createdAt + delayMs,
        gather,
      })),
    );
    for (const [index, { event }] of mailed.entries()) {
      const { workspaceId, apiKeyId, payload } = event;
      const { organizationId, notificationId } = payload;
      const ref = { workspaceId, apiKeyId, organizationId, notificationId };
      for (const dueAt of dueAts[index]!) {
        await jobs.enqueue(tx, 'notification.email', ref, { runAt: new Date(dueAt) });
      }
    }
  },
});

const commentEventOf = ({ payload: { notificationSource, notification } }: Added) =>
  notificationSource === 'comment' ? eventOfAction(notification.actionType) : undefined;

/** Of an API key's events, the first about each notification. */
const onceEach = (events: Added[]): Added[] =>
  [
    ...Map.groupBy(events, ({ payload }) =>
      JSON.stringify([payload.organizationId, payload.notificationId]),
    ).values(),
  ].map((same) => same[0]!);

/** How mail is gathered: to a user where that is chosen, else to a user about a document. */
export function gatheringOf({
  notificationServiceConfig: { batchConfig },
}: NotificationConfig): { by: Gathering; windowMs: number; upTo: number } | undefined {
  const by = (['user', 'document'] as const).find((one) => batchConfig[one].isEnabled);
  if (!by) return undefined;
  const { batchWindowSeconds, maxActivities } = batchConfig[by];
  return { by, windowMs: batchWindowSeconds * 1_000, upTo: maxActivities };
}
