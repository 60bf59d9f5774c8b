import { z } from 'zod';
import { type EventName, events } from '../../events/event-catalog.ts';
import {
  allowedPerson,
  allowedPlace,
  ana,
  person,
  SAMPLE_TIME,
  samplePlace,
  type WebhookEvent,
} from './webhook-event.ts';

const DAY_MS = 24 * 3_600_000;

const activity = {
  source: 'activity',
  optIn: true,
  allowed: { organizationId: true, activityId: true },
  sample: { organizationId: 'acme', activityId: 'activity_9Jd2' },
} as const;

/** Events of notifications and activities, and of webhook endpoints that fail. */
export const noticeEvents = {
  'notification.add': {
    description: 'A notification was added.',
    source: 'notification',
    actionType: 'added',
    data: events['notification.add'].extend({
      notification: z.looseObject({ id: z.string(), actionUser: person.optional() }),
    }),
    allowed: {
      ...allowedPlace,
      notificationId: true,
      notificationSource: true,
      notification: {
        id: true,
        notificationSource: true,
        actionUser: allowedPerson,
        location: { id: true },
      },
      notifyAll: true,
      notifyUserIds: true,
    },
    sample: {
      ...samplePlace,
      notificationId: 'notification_8Yp4',
      notificationSource: 'custom',
      notification: {
        id: 'notification_8Yp4',
        notificationSource: 'custom',
        actionUser: ana,
        displayHeadlineMessageTemplate: '{actionUser} approved {page}',
        displayHeadlineMessageTemplateData: { actionUser: ana, page: 'Pricing' },
      },
      notifyAll: false,
      notifyUserIds: ['ben'],
    },
  },
  'message.attempt.exhausted': {
    description: 'The last attempt to deliver a message failed. The message can be replayed.',
    source: 'system',
    actionType: 'exhausted',
    data: events['message.attempt.exhausted'],
    allowed: {
      endpointId: true,
      webhookId: true,
      eventType: true,
      attempts: true,
      lastAttempt: { at: true, status: true },
    },
    sample: {
      endpointId: 'ep_1Fs9',
      webhookId: 'evt_0Lq2',
      eventType: 'comment.add',
      attempts: 8,
      lastAttempt: { at: SAMPLE_TIME, status: 500 },
    },
  },
  'endpoint.failing': {
    description:
      'An endpoint has failed without a success for half, or nine tenths, of the time after which it is disabled.',
    source: 'system',
    actionType: 'failing',
    data: events['endpoint.failing'],
    allowed: { endpointId: true, percent: true, failingSince: true, disablesAt: true },
    sample: {
      endpointId: 'ep_1Fs9',
      url: 'https://hooks.acme.example/redpen',
      percent: 50,
      failingSince: SAMPLE_TIME,
      disablesAt: SAMPLE_TIME + 5 * DAY_MS,
    },
  },
  'endpoint.disabled': {
    description: 'An endpoint was disabled, because it answered 410 Gone or failed for too long.',
    source: 'system',
    actionType: 'disabled',
    data: events['endpoint.disabled'],
    allowed: { endpointId: true, reason: true, failingSince: true },
    sample: { endpointId: 'ep_1Fs9', reason: 'failing', failingSince: SAMPLE_TIME },
  },
  'activity.add': {
    ...activity,
    description: 'An activity was logged.',
    actionType: 'added',
    data: events['activity.add'],
  },
  'activity.update': {
    ...activity,
    description: 'An activity was changed.',
    actionType: 'updated',
    data: events['activity.update'],
  },
  'activity.delete': {
    ...activity,
    description: 'An activity was deleted.',
    actionType: 'deleted',
    data: events['activity.delete'],
  },
} satisfies Partial<Record<EventName, WebhookEvent>>;
