import type { Subscriber } from '../events/subscriber.ts';
import type { Fields } from '../lib/json.ts';
import { nameOf } from '../lib/text/headline.ts';
import { type Access, accessFieldsOf } from '../shapes/notification.ts';
import type { NotificationConfig } from '../shapes/service-config.ts';
import {
  type NewNotification,
  putNotifications,
  type Recipient,
  type ScopedNotification,
} from '../store/notifications/notifications.ts';
import { lockThreads } from '../store/notifications/targets.ts';
import { serviceConfigsOf } from '../store/platform/service-configs.ts';
import { commentTextOf } from './comment-text.ts';
import { mentionedRecipients, personOf, recipientsOf } from './notification-audience.ts';
import { notifies, showNotificationConfig } from './notification-service-config.ts';
import { type NotifiedEvent, type NotifiedEventName, notifiedEvents } from './notified-events.ts';

/** Turns comment events into notifications, for all users with access and for the people concerned. */
export const notifyOfComments: Subscriber = {
  name: 'notifications/comments',
  events: Object.keys(notifiedEvents) as NotifiedEventName[],

  flags: ['loud'],

  async handle(tx, events: NotifiedEvent[]) {
    const drafts = events.flatMap((event) => draftOf(event) ?? []);
    const stored = await serviceConfigsOf(
      tx,
      drafts.map(({ event }) => event.apiKeyId),
      ['notification'],
    );
    const configs = new Map<string, NotificationConfig>();
    const wanted = drafts.filter(({ event: { apiKeyId, name } }) => {
      const config = configs.get(apiKeyId) ?? showNotificationConfig(stored(apiKeyId, 'notification'));
      configs.set(apiKeyId, config);
      return notifies(config, name);
    });
    const threads = await lockThreads(
      tx,
      wanted.map(({ event: { apiKeyId, payload } }) => {
        const { organizationId, documentId, annotationId, targetComment } = payload;
        const commentId = targetComment?.commentId as number | undefined;
        return { apiKeyId, organizationId, documentId, annotationId, commentId };
      }),
    );
    await putNotifications(
      tx,
      wanted.flatMap((draft, index) => {
        const thread = threads[index];
        return thread ? notificationOf(draft, thread.visibility) : [];
      }),
    );
  },
};

interface NotificationDraft {
  event: NotifiedEvent;
  actor: Recipient;
  recipients: Recipient[];
}

/** The actor and the recipients of an event; undefined if it must not notify. */
function draftOf(event: NotifiedEvent): NotificationDraft | undefined {
  const { commentAnnotation, targetComment, actionUser } = event.payload;
  const actor = personOf(actionUser ?? targetComment?.from ?? commentAnnotation.from);
  if (!actor) return undefined;
  const recipients = recipientsOf(event.payload, actor);
  // A review of a site has hundreds of findings; only those that concern people notify.
  if (commentAnnotation.sourceType === 'agent' && recipients.length === 0) return undefined;
  return { event, actor, recipients };
}

function notificationOf(
  { event, actor, recipients }: NotificationDraft,
  visibility: NewNotification['visibility'],
): ScopedNotification {
  const { commentAnnotation, targetComment, organizationId, documentId, annotationId } = event.payload;
  const { actionType, headline } = notifiedEvents[event.name];
  const body = commentTextOf(targetComment);
  return {
    scope: { workspaceId: event.workspaceId, apiKeyId: event.apiKeyId },
    organizationId,
    documentId,
    // Derived from the event, so that a repeated event upserts the same notification (idempotency).
    notificationId: event.id.replace(/^evt_/, 'ntf_'),
    locationId: locationOf(commentAnnotation),
    source: 'comment',
    actionUser: actor,
    targetAnnotationId: annotationId,
    forAll: true,
    accessFields: accessFieldsOf(commentAnnotation.context as { access?: Access } | undefined),
    visibility,
    body: {
      actionType,
      actionUser: actor,
      displayHeadlineMessageTemplate: headline,
      displayHeadlineMessageTemplateData: dataOf(event),
      ...(body !== undefined && { displayBodyMessage: body }),
      notificationSourceData: {
        annotationId,
        ...(targetComment && { commentId: targetComment.commentId }),
        mentionedUserIds: mentionedRecipients(targetComment).map(({ userId }) => userId),
        ...pageOf(commentAnnotation),
      },
    },
    recipients,
  };
}

function dataOf({ name, payload }: NotifiedEvent): Record<string, string> {
  const labeled = (value: unknown, none: string) =>
    nameOf(value) ?? String((value as { id?: unknown } | null | undefined)?.id ?? none);
  switch (name) {
    case 'comment_annotation.assign':
      return { assignee: labeled(payload.commentAnnotation.assignedTo, 'nobody') };
    case 'comment_annotation.status_change':
      return { status: labeled(payload.newStatus, 'another one') };
    case 'comment_annotation.priority_change':
      return { priority: labeled(payload.newPriority, 'none') };
    default:
      return {};
  }
}

const locationOf = ({ location, locationId }: Fields): string | null => {
  const id = (location as { id?: unknown } | undefined)?.id ?? locationId;
  return id === undefined || id === null ? null : String(id);
};

const pageOf = ({ pageInfo }: Fields): { url?: string } => {
  const url = (pageInfo as { url?: unknown } | undefined)?.url;
  return typeof url === 'string' ? { url } : {};
};
