import type { Subscriber } from '../../events/subscriber.ts';
import { appendLiveEvents, NO_ORGANIZATION } from '../../store/live/live-events.ts';
import { familyOf, liveEventNames } from './event-names.ts';

/**
 * Numbers the events for live clients, those without notifications (`loud`) included: a client that shows a document
 * must receive every change.
 */
export const recordLiveEvents: Subscriber = {
  name: 'live_events',
  events: liveEventNames,
  turn: 'last',
  fields: ['organizationId', 'documentId'],

  handle: (tx, events) =>
    appendLiveEvents(
      tx,
      events.flatMap(({ id, apiKeyId, name, payload }) => {
        const { organizationId, documentId } = payload as { organizationId?: string; documentId?: string };
        // Only runs without a document belong to no organization.
        if (organizationId === undefined && familyOf(name) !== 'agent_execution') return [];
        const place = { organizationId: organizationId ?? NO_ORGANIZATION, documentId: documentId ?? null };
        return [{ apiKeyId, ...place, eventId: id, name }];
      }),
    ),
};
