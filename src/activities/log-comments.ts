import { subscriber } from '../events/subscriber.ts';
import { commentTriggers, type NewActivity } from '../shapes/activity.ts';
import type { User } from '../shapes/user.ts';
import { addActivities } from '../store/activities.ts';
import { getActivityConfig } from '../store/activity-config.ts';

/** What happens to comments leaves activities behind, where that is turned on. They hold no text of comments. */
export const logComments = subscriber({
  name: 'activities/comments',
  events: commentTriggers,

  heeds: ['logged', 'loud'],

  async handle(tx, { id, name, payload, createdAt, ...scope }) {
    const config = await getActivityConfig(tx, scope);
    if (!config.isEnabled || config.triggers?.comment?.[name] !== true) return;
    if (createdAt < (config.enabledTime ?? 0)) return;
    const { organizationId, documentId, annotationId, commentAnnotation, targetComment } = payload;
    const actionUser = payload.actionUser ?? targetComment?.from ?? commentAnnotation.from;
    // Changes that nobody is said to have made are made by the system of the caller.
    const by = (actionUser ?? { userId: 'system' }) as User;
    const { annotationNumber, type } = commentAnnotation;
    const activity: NewActivity = {
      // The same for the same event, so that a repeat is the same activity.
      id: id.replace(/^evt_/, 'act_'),
      featureType: 'comment',
      actionType: name,
      actionUser: by,
      targetEntityId: annotationId,
      ...(targetComment && { targetSubEntityId: String(targetComment.commentId) }),
      ...('newStatus' in payload && {
        changes: { status: { from: payload.oldStatus, to: payload.newStatus } },
      }),
      ...('newPriority' in payload && { changes: { priority: { to: payload.newPriority } } }),
      entityData: { annotationId, annotationNumber, type },
      displayMessageTemplate: MESSAGES[name],
      displayMessageTemplateData: { actionUser: by },
    };
    const place = { organizationId, documentId };
    await addActivities(tx, scope, place, [activity], { immutable: config.immutable ?? false });
  },
});

const MESSAGES: Record<(typeof commentTriggers)[number], string> = {
  'comment_annotation.add': '{{actionUser}} started a thread',
  'comment_annotation.delete': '{{actionUser}} deleted a thread',
  'comment_annotation.assign': '{{actionUser}} assigned a thread',
  'comment_annotation.status_change': '{{actionUser}} changed the status of a thread',
  'comment_annotation.priority_change': '{{actionUser}} changed the priority of a thread',
  'comment_annotation.suggestion_accept': '{{actionUser}} accepted a suggestion',
  'comment_annotation.suggestion_reject': '{{actionUser}} rejected a suggestion',
  'comment.add': '{{actionUser}} added a comment',
  'comment.update': '{{actionUser}} edited a comment',
  'comment.delete': '{{actionUser}} deleted a comment',
};
