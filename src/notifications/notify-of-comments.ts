import type { Subscriber } from '../events/subscriber.ts';
import { nameOf } from '../lib/text/headline.ts';
import { type Access, accessFieldsOf } from '../shapes/notification.ts';
import type { NotificationConfig } from '../shapes/service-config.ts';
import {
  type NewNotification,
  putNotifications,
  type Recipient,
  type ScopedNotification,
} from '../store/notifications/notifications.ts';
import { holdThreads } from '../store/notifications/targets.ts';
import { serviceConfigsOf } from '../store/platform/service-configs.ts';
import { wordsOf } from './comment-words.ts';
import { audienceOf, mentionedIn, personOf } from './notification-audience.ts';
import { notifies, showNotificationConfig } from './notification-config.ts';
import { type CommentEvent, type CommentEventName, commentEvents } from './notified-events.ts';

/** What happens to comments becomes notifications: for all who may see it, and for those it concerns. */
export const notifyOfComments: Subscriber = {
  name: 'notifications/comments',
  events: Object.keys(commentEvents) as CommentEventName[],

  heeds: ['loud'],

  async handle(tx, events: CommentEvent[]) {
    const told = events.flatMap((event) => tellingOf(event) ?? []);
    const stored = await serviceConfigsOf(
      tx,
      told.map(({ event }) => event.apiKeyId),
      ['notification'],
    );
    const configs = new Map<string, NotificationConfig>();
    const wanted = told.filter(({ event: { apiKeyId, name } }) => {
      const config = configs.get(apiKeyId) ?? showNotificationConfig(stored(apiKeyId, 'notification'));
      configs.set(apiKeyId, config);
      return notifies(config, name);
    });
    const held = await holdThreads(
      tx,
      wanted.map(({ event: { apiKeyId, payload } }) => {
        const { organizationId, documentId, annotationId, targetComment } = payload;
        const commentId = targetComment?.commentId as number | undefined;
        return { apiKeyId, organizationId, documentId, annotationId, commentId };
      }),
    );
    await putNotifications(
      tx,
      wanted.flatMap((telling, index) => {
        const thread = held[index];
        return thread ? notificationOf(telling, thread.visibility) : [];
      }),
    );
  },
};

interface Telling {
  event: CommentEvent;
  actor: Recipient;
  recipients: Recipient[];
}

/** Who did what, and whom it concerns; undefined where nobody is to be told. */
function tellingOf(event: CommentEvent): Telling | undefined {
  const { commentAnnotation, targetComment, actionUser } = event.payload;
  const actor = personOf(actionUser ?? targetComment?.from ?? commentAnnotation.from);
  if (!actor) return undefined;
  const recipients = audienceOf(event.payload, actor);
  // A review of a site finds hundreds of things, which concern nobody by themselves.
  if (commentAnnotation.sourceType === 'agent' && recipients.length === 0) return undefined;
  return { event, actor, recipients };
}

function notificationOf(
  { event, actor, recipients }: Telling,
  visibility: NewNotification['visibility'],
): ScopedNotification {
  const { commentAnnotation, targetComment, organizationId, documentId, annotationId } = event.payload;
  const { actionType, headline } = commentEvents[event.name];
  const body = wordsOf(targetComment);
  return {
    scope: { workspaceId: event.workspaceId, apiKeyId: event.apiKeyId },
    organizationId,
    documentId,
    // The same for the same event, so that a repeat is the same notification.
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
        mentionedUserIds: mentionedIn(targetComment).map(({ userId }) => userId),
        ...pageOf(commentAnnotation),
      },
    },
    recipients,
  };
}

function dataOf({ name, payload }: CommentEvent): Record<string, string> {
  const labelled = (value: unknown, none: string) =>
    nameOf(value) ?? String((value as { id?: unknown } | null | undefined)?.id ?? none);
  switch (name) {
    case 'comment_annotation.assign':
      return { assignee: labelled(payload.commentAnnotation.assignedTo, 'nobody') };
    case 'comment_annotation.status_change':
      return { status: labelled(payload.newStatus, 'another one') };
    case 'comment_annotation.priority_change':
      return { priority: labelled(payload.newPriority, 'none') };
    default:
      return {};
  }
}

const locationOf = ({ location, locationId }: Record<string, unknown>): string | null => {
  const id = (location as { id?: unknown } | undefined)?.id ?? locationId;
  return id === undefined || id === null ? null : String(id);
};

const pageOf = ({ pageInfo }: Record<string, unknown>): { url?: string } => {
  const url = (pageInfo as { url?: unknown } | undefined)?.url;
  return typeof url === 'string' ? { url } : {};
};
