import { z } from 'zod';
import { metadata, person } from './comment-events.ts';

const crdtData = z
  .looseObject({
    id: z.string().describe('The editorId.'),
    data: z
      .unknown()
      .optional()
      .describe(
        'All of the content as it was then: a string, an object or a list. Absent where it is large, which `truncated` tells; crdt/get answers it.',
      ),
    lastUpdate: z.string().describe('A time as ISO 8601 has it.'),
    lastUpdatedBy: z.string().nullable().describe('The userId; null where a backend wrote last.'),
    sessionId: z.string().nullable().describe('The connection that wrote last.'),
  })
  .describe('The editor in which somebody wrote.');

/** Of the editors in which several people write at once. */
export const editorEvents = {
  'crdt.update_data': {
    description:
      'Somebody wrote in a live editor: told once nobody has for 5 seconds, and every 20 seconds while they go on.',
    source: 'crdt',
    actionType: 'updateData',
    data: z.looseObject({
      crdtData,
      actionUser: person.optional().describe('Who wrote last, as far as that is known.'),
      metadata,
    }),
  },
} as const;
