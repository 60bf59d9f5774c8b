import type { Subscriber } from '../../events/subscriber.ts';
import { appendLiveEvents } from '../../store/live/live-events.ts';
import { liveEventNames } from './event-names.ts';

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
        if (organizationId === undefined) return [];
        return [{ apiKeyId, organizationId, documentId: documentId ?? null, eventId: id, name }];
      }),
    ),
};
