import type { Event, EventName } from '../events/event-catalog.ts';

/** Events that notify users, with the `actionType` of the API and the headline template. */
export const notifiedEvents = {
  'comment_annotation.add': { actionType: 'newlyAdded', headline: '{actionUser} started a thread' },
  'comment.add': { actionType: 'added', headline: '{actionUser} replied' },
  'comment_annotation.assign': {
    actionType: 'assigned',
    headline: '{actionUser} assigned a thread to {assignee}',
  },
  'comment_annotation.status_change': {
    actionType: 'statusChanged',
    headline: '{actionUser} changed the status to {status}',
  },
  'comment_annotation.priority_change': {
    actionType: 'priorityChanged',
    headline: '{actionUser} changed the priority to {priority}',
  },
  'comment_annotation.suggestion_accept': {
    actionType: 'suggestionAccepted',
    headline: '{actionUser} accepted a suggestion',
  },
  'comment_annotation.suggestion_reject': {
    actionType: 'suggestionRejected',
    headline: '{actionUser} rejected a suggestion',
  },
} as const satisfies Partial<Record<EventName, { actionType: string; headline: string }>>;

export type NotifiedEventName = keyof typeof notifiedEvents;
export type NotifiedEvent = Extract<Event, { name: NotifiedEventName }>;
export type CommentPayload = NotifiedEvent['payload'];

/** The event behind a notification's `actionType`. */
export const eventOfAction = (actionType: unknown): NotifiedEventName | undefined =>
  (Object.keys(notifiedEvents) as NotifiedEventName[]).find(
    (name) => notifiedEvents[name].actionType === actionType,
  );
