import type { Event } from '../events/event-catalog.ts';
import type { Subscriber } from '../events/subscriber.ts';
import { commentTriggers, type NewActivity, reactionTriggers } from '../shapes/activity.ts';
import type { User } from '../shapes/user.ts';
import { addActivitiesInOrder } from '../store/notifications/activities.ts';
import { activityConfigOf } from '../store/notifications/activity-config.ts';
import { hasEnabled, serviceConfigsOf } from '../store/platform/service-configs.ts';

const LOGGED = [...commentTriggers, ...reactionTriggers] as const;
type LoggedName = (typeof LOGGED)[number];
type CommentEvent = Extract<Event, { name: LoggedName }>;

/**
 * Logs comment events as activities, if the API key has activity logs turned on. Activities contain no text of
 * comments.
 */
export const logComments: Subscriber = {
  name: 'activities/comments',
  events: LOGGED,

  flags: ['logged', 'loud'],
  where: hasEnabled('activity', 'isEnabled'),

  async handle(tx, events: CommentEvent[]) {
    const stored = await serviceConfigsOf(
      tx,
      events.map(({ apiKeyId }) => apiKeyId),
      ['activity'],
    );
    await addActivitiesInOrder(
      tx,
      events.flatMap((event) => {
        const { apiKeyId, workspaceId, name, createdAt, payload } = event;
        const config = activityConfigOf(stored(apiKeyId, 'activity'));
        if (!config.isEnabled || config.triggers?.[featureOf(name)]?.[name] !== true) return [];
        if (createdAt < (config.enabledTime ?? 0)) return [];
        const { organizationId, documentId } = payload;
        const scope = { apiKeyId, workspaceId };
        const immutable = config.immutable ?? false;
        return { scope, organizationId, documentId, immutable, activity: activityOf(event) };
      }),
    );
  },
};

const featureOf = (name: LoggedName) =>
  (reactionTriggers as readonly string[]).includes(name) ? 'reaction' : 'comment';

function activityOf({ id, name, payload }: CommentEvent): NewActivity & { id: string } {
  const { annotationId, commentAnnotation, targetComment } = payload;
  const actionUser = payload.actionUser ?? targetComment?.from ?? commentAnnotation.from;
  // A change without an actor was made by the caller's system.
  const actor = (actionUser ?? { userId: 'system' }) as User;
  const { annotationNumber, type } = commentAnnotation;
  return {
    // Derived from the event, so that a repeated event upserts the same activity (idempotency).
    id: id.replace(/^evt_/, 'act_'),
    featureType: featureOf(name),
    actionType: name,
    actionUser: actor,
    targetEntityId: annotationId,
    ...(targetComment && { targetSubEntityId: String(targetComment.commentId) }),
    ...('newStatus' in payload && {
      changes: { status: { from: payload.oldStatus, to: payload.newStatus } },
    }),
    ...('newPriority' in payload && { changes: { priority: { to: payload.newPriority } } }),
    entityData: {
      annotationId,
      annotationNumber,
      type,
      ...('reaction' in payload && { reactionId: payload.reaction.reactionId }),
    },
    displayMessageTemplate: MESSAGES[name],
    displayMessageTemplateData: { actionUser: actor },
  };
}

const MESSAGES: Record<LoggedName, string> = {
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
  'comment.reaction_add': '{{actionUser}} reacted',
  'comment.reaction_delete': '{{actionUser}} took a reaction back',
};
