import type { Subscriber } from '../../events/subscriber.ts';
import { appendLiveEvents } from '../../store/live/live-events.ts';
import { liveEventNames } from './event-names.ts';

/**
 * Puts events that live clients are told of into the order in which they are told, those too that nobody is to
 * be notified of: whoever looks at a page sees every change.
 */
export const recordLiveEvents: Subscriber = {
  name: 'live_events',
  events: liveEventNames,

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
