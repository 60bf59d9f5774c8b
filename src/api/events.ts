import { z } from 'zod';
import { type StreamDescription, type StreamRoute, streamParameters } from '../http/stream-route.ts';
import { families, familyOf, isEventOrFamily, liveEventNames } from '../realtime/feed/event-names.ts';
import type { Feed } from '../realtime/feed/feed.ts';
import { documentId, organizationId } from '../shapes/id-fields.ts';

const EXAMPLE = `retry: 2000
id: 0u1v2WxYz3aBcD4eFgHiJk

id: Qm9zHk2LpT0sVbNcXyRwUg
event: comment.add
data: {"organizationId":"acme","documentId":"home","at":1767260000000,"annotationId":"a1","targetComment":{"commentId":7}}

`;

const names = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const words = text.split(',').map((word) => word.trim());
    const unknown = words.filter((word) => !isEventOrFamily(word));
    for (const word of unknown) {
      context.addIssue({
        code: 'custom',
        message: `events must name events, or families of them (${families.join(', ')}): ${JSON.stringify(word)} is neither.`,
      });
    }
    return new Set<string>(
      liveEventNames.filter((name) => words.includes(name) || words.includes(familyOf(name))),
    );
  });

const query = z.strictObject({
  organizationId,
  documentId: documentId
    .optional()
    .describe('Only events that concern this document. By default all that the caller may read.'),
  events: names
    .optional()
    .describe(
      'Only these events, comma-separated: their names, or the first part of their names, such as `comment` or `presence`.',
    ),
  ...streamParameters,
});

const inCode = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** The stream of live events, for the reference. */
export const events: StreamDescription<typeof query> = {
  path: '/v2/events',
  summary: 'Listen to what happens, as server-sent events.',
  description: [
    'Answers a stream that does not end by itself (WHATWG HTML, section 9.2). Each message has an `id` to go on from, the name of its event and, as `data`, one line of JSON: `organizationId`, `documentId` if it concerns a document, `at` in epoch milliseconds, and the fields of the event itself.',
    `Events: ${inCode(liveEventNames)}; their families: ${inCode(families)}. In addition, \`reset\` is sent if a position is not known any more, and \`end\` with the \`reason\` when the service ends the stream.`,
    'A user receives only what they may read; an API key receives everything in the organization.',
  ].join('\n\n'),
  query,
  example: EXAMPLE,
  failures: {
    NOT_FOUND: 'There is no such organization or document for this API key.',
    RESOURCE_EXHAUSTED: 'The user or the API key has as many streams open as they may.',
  },
};

/** The stream of live events with its source. */
export const eventsOf = (feed: Feed): StreamRoute<typeof query> => ({
  ...events,
  open: ({ caller, query: { organizationId, documentId, events: names }, lastEventId }) =>
    feed.open({ ...caller, organizationId, documentId, names }, lastEventId),
});
