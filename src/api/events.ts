import { z } from 'zod';
import { type StreamDescription, type StreamRoute, streamParameters } from '../http/stream-route.ts';
import {
  familyOf,
  isEventOrFamily,
  liveEventFamilies,
  liveEventNames,
} from '../realtime/feed/event-names.ts';
import type { Feed } from '../realtime/feed/feed.ts';
import { withOtherProblems } from '../shapes/all-problems.ts';
import { documentId, organizationId } from '../shapes/id-fields.ts';
import { liveEventData } from '../shapes/live-event.ts';
import { NO_ORGANIZATION } from '../store/live/live-events.ts';

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
        message: `events must name events, or families of them (${liveEventFamilies.join(', ')}): ${JSON.stringify(word)} is neither.`,
      });
    }
    return new Set<string>(
      liveEventNames.filter((name) => words.includes(name) || words.includes(familyOf(name))),
    );
  });

const query = z
  .strictObject({
    organizationId: organizationId.optional().describe('Required, except with `scope`.'),
    scope: z
      .literal('apiKey')
      .optional()
      .describe(
        'In place of organizationId: returns the events that belong to no organization, which are those of runs without a document. For API keys.',
      ),
    documentId: documentId
      .optional()
      .describe('Returns only events of this document. Defaults to all events that the caller may read.'),
    events: names
      .optional()
      .describe('Comma-separated event names, or families such as `comment` or `presence`. Defaults to all.'),
    ...streamParameters,
  })
  .superRefine((fields, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    // Reported as any missing field is, and first, as its place in the query is.
    if (fields.scope === undefined && fields.organizationId === undefined)
      context.issues.unshift({
        code: 'invalid_type',
        expected: 'string',
        input: undefined,
        path: ['organizationId'],
        message: 'is required',
      });
    if (fields.scope !== undefined && fields.organizationId !== undefined)
      problem('scope', 'is not allowed with organizationId');
    if (fields.scope !== undefined && fields.documentId !== undefined)
      problem('scope', 'is not allowed with documentId');
  }, withOtherProblems);

const inCode = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ');

/** Description of the stream of live events. */
export const events: StreamDescription<typeof query> = {
  path: '/v2/events',
  summary: 'Subscribe to events as server-sent events.',
  description: [
    'Opens an endless event stream (WHATWG HTML, section 9.2). Each message has an `id` to resume from, the event name and, as `data`, one line of JSON: `organizationId`, `documentId` if the event concerns a document, `at` in epoch milliseconds, and the fields of the event.',
    `Events: ${inCode(liveEventNames)}. Families: ${inCode(liveEventFamilies)}. In addition, the service sends \`reset\` if a position is no longer known, and \`end\` with a \`reason\` before it closes the stream.`,
    'A user receives only events that they may read; an API key receives all events of the organization. With `scope=apiKey` it receives those of runs without a document, which belong to none.',
  ].join('\n\n'),
  query,
  data: liveEventData,
  example: EXAMPLE,
  failures: {
    NOT_FOUND: 'The organization or document does not exist for this API key.',
    RESOURCE_EXHAUSTED: 'The user or the API key has reached its limit of open streams.',
  },
};

/** Connects the stream of live events to its feed. */
export const eventsOf = (feed: Feed): StreamRoute<typeof query> => ({
  ...events,
  open: ({
    caller,
    query: { organizationId = NO_ORGANIZATION, documentId, events: names },
    origin,
    lastEventId,
  }) => feed.open({ ...caller, organizationId, documentId, names, origin }, lastEventId),
});
