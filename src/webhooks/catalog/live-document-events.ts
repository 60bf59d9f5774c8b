import { z } from 'zod';
import { type EventName, events } from '../../events/event-catalog.ts';
import {
  allowedMetadata,
  allowedPerson,
  allowedPlace,
  metadata,
  person,
  SAMPLE_TIME,
  sampleMetadata,
  samplePlace,
  type WebhookEvent,
} from './webhook-event.ts';

const crdtData = z
  .looseObject({
    id: z.string().describe('The editorId.'),
    data: z
      .unknown()
      .optional()
      .describe(
        'The whole content at that moment: a string, an object or a list. Left out, with `truncated`, if it is large; crdt/get returns it.',
      ),
    lastUpdate: z.string().describe('An ISO 8601 time.'),
    lastUpdatedBy: z.string().nullable().describe('The userId; null if a backend made the last change.'),
    sessionId: z.string().nullable().describe('The connection that made the last change.'),
  })
  .describe('The editor that was changed.');

export const allowedEditorData = {
  crdtData: { id: true, lastUpdate: true, lastUpdatedBy: true, sessionId: true },
  actionUser: allowedPerson,
  metadata: allowedMetadata,
} as const;

/** Events of live documents: editors, presence and live state. */
export const liveEvents = {
  'crdt.update_data': {
    description:
      'A live editor was changed. Sent 5 seconds after the last change, and every 20 seconds while changes continue.',
    source: 'crdt',
    actionType: 'updateData',
    data: z.looseObject({
      crdtData,
      actionUser: person.optional().describe('The user who made the last change, if known.'),
      metadata,
    }),
    allowed: allowedEditorData,
    sample: {
      crdtData: {
        id: 'intro',
        data: 'Nine euros a month, and nothing else.',
        lastUpdate: new Date(SAMPLE_TIME).toISOString(),
        lastUpdatedBy: 'ana',
        sessionId: 'session_7Kq2',
      },
      actionUser: { userId: 'ana' },
      metadata: sampleMetadata,
    },
  },
  'presence.update': {
    description: 'Users joined a document, or their presence on it changed.',
    source: 'presence',
    actionType: 'updated',
    optIn: true,
    data: events['presence.update'],
    allowed: { ...allowedPlace, users: { userId: true, status: true } },
    sample: { ...samplePlace, users: [{ userId: 'ben', name: 'Ben Okoro', status: 'online' }] },
  },
  'presence.delete': {
    description: 'Users left a document.',
    source: 'presence',
    actionType: 'deleted',
    optIn: true,
    data: events['presence.delete'],
    allowed: { ...allowedPlace, userIds: true },
    sample: { ...samplePlace, userIds: ['ben'] },
  },
  'live_state.broadcast': {
    description: 'Live state of a document was broadcast.',
    source: 'liveState',
    actionType: 'broadcast',
    optIn: true,
    data: events['live_state.broadcast'].partial({ data: true }),
    allowed: { ...allowedPlace, liveStateDataId: true },
    sample: { ...samplePlace, liveStateDataId: 'cursor', data: { slide: 3 } },
  },
} satisfies Partial<Record<EventName, WebhookEvent>>;
