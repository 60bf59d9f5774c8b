import type { Event } from '../events/event-catalog.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { Jobs } from '../jobs/queue.ts';
import type { NotificationConfig } from '../shapes/service-config.ts';
import { type MailGrouping, queueMails } from '../store/notifications/queued-emails.ts';
import { hasEnabled, serviceConfigsOf } from '../store/platform/service-configs.ts';
import { sendsMail, showEmailConfig } from './email-config.ts';
import { showNotificationConfig } from './notification-service-config.ts';
import { eventOfAction } from './notified-events.ts';

type AddedEvent = Extract<Event, { name: 'notification.add' }>;

/**
 * Queues notifications as mail, if the API key has mail turned on, after the configured delay. The default numbers are in
 * `notification-service-config.ts`, the wait for others of a group is added in `store/notifications/queued-emails.ts`, and
 * failed mails are retried by `send-mails.ts`.
 */
export const queueNotificationMails = (jobs: Jobs): Subscriber => ({
  name: 'notifications/mail',
  events: ['notification.add'],
  where: hasEnabled('email', 'useEmailService'),

  async handle(tx, events: AddedEvent[]) {
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
      const waits = { delayMs: isEnabled ? delaySeconds * 1_000 : 0, gather: mailGroupingOf(config) };
      return firstOfEach(ofKey.filter((event) => sendsMail(email, commentEventOf(event)))).map((event) => ({
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

const commentEventOf = ({ payload: { notificationSource, notification } }: AddedEvent) =>
  notificationSource === 'comment' ? eventOfAction(notification.actionType) : undefined;

/** The first event about each notification. */
const firstOfEach = (events: AddedEvent[]): AddedEvent[] =>
  [
    ...Map.groupBy(events, ({ payload }) =>
      JSON.stringify([payload.organizationId, payload.notificationId]),
    ).values(),
  ].map((same) => same[0]!);

/** The configured grouping of mails: by user, or by user and document; undefined if none is enabled. */
export function mailGroupingOf({
  notificationServiceConfig: { batchConfig },
}: NotificationConfig): { by: MailGrouping; windowMs: number; upTo: number } | undefined {
  const by = (['user', 'document'] as const).find((one) => batchConfig[one].isEnabled);
  if (!by) return undefined;
  const { batchWindowSeconds, maxActivities } = batchConfig[by];
  return { by, windowMs: batchWindowSeconds * 1_000, upTo: maxActivities };
}
