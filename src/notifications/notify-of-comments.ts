import { subscriber } from '../events/subscriber.ts';
import { nameOf } from '../lib/headline.ts';
import type { Scope } from '../lib/scope.ts';
import { type Access, accessFieldsOf } from '../shapes/notification.ts';
import { holdThread } from '../store/notification-targets.ts';
import { putNotification } from '../store/notifications.ts';
import { getServiceConfig } from '../store/service-configs.ts';
import { audienceOf, mentionedIn, personOf } from './audience.ts';
import { type CommentEvent, type CommentEventName, commentEvents } from './comment-events.ts';
import { wordsOf } from './comment-words.ts';
import { notifies, showNotificationConfig } from './notification-config.ts';

/** What happens to comments becomes notifications: for all who may see it, and for those it concerns. */
export const notifyOfComments = subscriber({
  name: 'notifications/comments',
  events: Object.keys(commentEvents) as CommentEventName[],

  heeds: ['loud'],

  async handle(tx, event) {
    const { payload } = event;
    const scope: Scope = { workspaceId: event.workspaceId, apiKeyId: event.apiKeyId };
    const { commentAnnotation, targetComment, organizationId, documentId, annotationId } = payload;
    const actor = personOf(payload.actionUser ?? targetComment?.from ?? commentAnnotation.from);
    if (!actor) return;
    const recipients = audienceOf(payload, actor);
    // A review of a site finds hundreds of things, which concern nobody by themselves.
    if (commentAnnotation.sourceType === 'agent' && recipients.length === 0) return;
    const config = showNotificationConfig(await getServiceConfig(tx, scope, 'notification'));
    if (!notifies(config, event.name)) return;
    const held = await holdThread(tx, scope, payload, targetComment?.commentId as number | undefined);
    if (!held) return;
    const { actionType, headline } = commentEvents[event.name];
    const body = wordsOf(targetComment);
    await putNotification(tx, scope, {
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
      visibility: held.visibility,
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
    });
  },
});

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
