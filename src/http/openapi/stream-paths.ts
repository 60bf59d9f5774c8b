import { z } from 'zod';
import type { ErrorStatus } from '../../lib/errors.ts';
import { httpStatus } from '../envelope.ts';
import type { StreamDescription } from '../stream-route.ts';
import { failureResponse, REASONS } from './failure-responses.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { CREDENTIALS } from './security-schemes.ts';

type Schema = Record<string, unknown>;

interface QueryField {
  type?: string;
  description?: string;
}

/** The query parameters and headers of a stream; `access_token` is described as a way to authenticate. */
function parametersOf(query: z.ZodObject): Schema[] {
  const { properties, required = [] } = z.toJSONSchema(query, { io: 'input' }) as {
    properties: Record<string, QueryField>;
    required?: string[];
  };
  return [
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
      description: 'The `id` of the last event that was received. Events missed since then are sent first.',
      schema: { type: 'string' },
    },
    { $ref: '#/components/parameters/RequestId' },
  ];
}

/** The OpenAPI path item of a stream of server-sent events, which has no envelope. */
export function describeStream(
  { summary, description, query, data, example, failures }: StreamDescription,
  described: { operationId: string; tags: string[] },
  schemas: NamedSchemas,
): Schema {
  const { INVALID_ARGUMENT, UNAUTHENTICATED, PERMISSION_DENIED, UNAVAILABLE } = REASONS;
  const reasons = { INVALID_ARGUMENT, UNAUTHENTICATED, PERMISSION_DENIED, ...failures, UNAVAILABLE };
  const { operationId, tags } = described;
  return {
    get: {
      operationId,
      summary,
      description,
      tags,
      'x-redpen-credentials': CREDENTIALS.apiKeyOrUser,
      security: [{ apiKey: [], authToken: [] }, { userToken: [] }, { accessToken: [] }],
      parameters: parametersOf(query),
      responses: {
        '200': {
          description: `The event stream, for example:\n\n\`\`\`text\n${example.trimEnd()}\n\`\`\``,
          headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
          // OpenAPI 3.1 has no schema for the items of a stream; by convention, it is that of the data of each.
          content: {
            'text/event-stream': {
              schema: schemas.convert(data, 'output', `${operationId}Data`),
              example: JSON.parse(/^data: (.*)$/m.exec(example)![1]!),
            },
          },
        },
        ...Object.fromEntries(
          Object.entries(reasons).map(([status, reason]) => [
            String(httpStatus[status as ErrorStatus]),
            failureResponse(`\`${status}\`: ${reason}`, 'apiKeyOrUser'),
          ]),
        ),
      },
    },
  };
}
