import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { ErrorStatus } from '../lib/errors.ts';
import type { Caller } from '../lib/scope.ts';

/** Fields of the query that every stream takes, for clients that cannot set headers. */
export const streamParameters = {
  lastEventId: z
    .string()
    .optional()
    .describe(
      'Position to resume from, for clients that cannot set the `last-event-id` header, which takes precedence.',
    ),
  access_token: z
    .string()
    .optional()
    .describe(
      'The user token if the `authorization` header cannot be set, as with `EventSource` in browsers.',
    ),
  key: z
    .string()
    .optional()
    .describe('Id of the API key in requests of the console, whose session is in a cookie.'),
};

/** A stream of server-sent events (WHATWG HTML 9.2), for the reference. */
export interface StreamDescription<Query extends z.ZodObject = z.ZodObject> {
  path: string;
  summary: string;
  description: string;
  /** Includes `streamParameters`. */
  query: Query;
  /** The data of its messages. */
  data: z.ZodType;
  /** A few messages as they are sent. */
  example: string;
  /** Failures specific to this stream. */
  failures: Partial<Record<ErrorStatus, string>>;
}

interface StreamRequest<Query extends z.ZodObject> {
  caller: Caller & { authTokenId?: string };
  query: z.output<Query>;
  /** The address at which the caller reaches the service. */
  origin: string;
  /** Id of the last message that the client received. */
  lastEventId: string | undefined;
}

/** A stream with its source. */
export interface StreamRoute<Query extends z.ZodObject> extends StreamDescription<Query> {
  /** Throws if the caller is refused. Nothing is sent before the returned function gets the response with its headers. */
  open(request: StreamRequest<Query>): Promise<(response: ServerResponse) => void>;
}
