import { z } from 'zod';
import { families, liveEventNames } from '../../realtime/feed/event-names.ts';
import { EVENT_STREAM_PATH, eventStreamQuery } from '../event-stream.ts';
import { failureResponse } from './failure-responses.ts';

const EXAMPLE = `retry: 2000
id: 0u1v2WxYz3aBcD4eFgHiJk

id: Qm9zHk2LpT0sVbNcXyRwUg
event: comment.add
data: {"organizationId":"acme","documentId":"home","at":1767260000000,"annotationId":"a1","targetComment":{"commentId":7}}

`;

interface Field {
  type?: string;
  description?: string;
}

const { properties, required } = z.toJSONSchema(eventStreamQuery, { io: 'input' }) as {
  properties: Record<string, Field>;
  required: string[];
};

const parameters = [
  // What is a way to say who asks is told of as such.
  ...Object.entries(properties)
    .filter(([name]) => name !== 'access_token')
    .map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    })),
  {
    name: 'last-event-id',
    in: 'header',
    description: 'The `id` of the last event that came; what was missed since comes first.',
    schema: { type: 'string' },
  },
  { $ref: '#/components/parameters/RequestId' },
];

const failure = (description: string) => failureResponse(description, 'apiKeyOrUser');

/** How the token is sent where headers cannot be set. */
export const accessTokenInQuery = {
  type: 'apiKey',
  in: 'query',
  name: 'access_token',
};

/** The stream of live events: no operation in an envelope, but server-sent events. */
export const eventStream = {
  [EVENT_STREAM_PATH]: {
    get: {
      operationId: 'events',
      summary: 'Listen to what happens, as server-sent events.',
      description: [
        'Answers a stream that does not end by itself (WHATWG HTML, section 9.2). Each message has an `id` to go on from, the name of its event and, as `data`, one line of JSON: `organizationId`, `documentId` where it is of one, `at` in epoch milliseconds, and what the event itself says.',
        `Events: ${liveEventNames.map((name) => `\`${name}\``).join(', ')}; their families: ${families.map((name) => `\`${name}\``).join(', ')}. Beside them comes \`reset\` where a position is not known any more, and \`end\` with the \`reason\` when the service ends the stream.`,
        'A user is told only of what they may read; an API key, of everything in the organization.',
      ].join('\n\n'),
      tags: ['events'],
      security: [{ apiKey: [], authToken: [] }, { userToken: [] }, { accessToken: [] }],
      parameters,
      responses: {
        '200': {
          description: 'The stream.',
          headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
          content: { 'text/event-stream': { schema: { type: 'string' }, example: EXAMPLE } },
        },
        '400': failure(
          '`INVALID_ARGUMENT`: The request is malformed; `error.details.issues` names every problem.',
        ),
        '401': failure('`UNAUTHENTICATED`: The credentials are missing or wrong.'),
        '403': failure('`PERMISSION_DENIED`: The user whose token this is may not do that.'),
        '404': failure('`NOT_FOUND`: There is no such organization or document for this API key.'),
        '429': failure('`RESOURCE_EXHAUSTED`: The user or the API key has as many streams open as they may.'),
        '503': failure(
          '`UNAVAILABLE`: Something the service needs cannot be reached; the request may be sent again.',
        ),
      },
    },
  },
};
