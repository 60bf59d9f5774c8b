import type { ErrorStatus } from '../../lib/errors.ts';
import type { Auth } from '../endpoint.ts';
import { httpStatus } from '../envelope.ts';
import { unauthenticated } from '../request/unauthenticated.ts';

type Schema = Record<string, unknown>;

/** Failures that any operation may return, by status. */
export const REASONS = {
  INVALID_ARGUMENT: 'The request is malformed; `error.details.issues` names every problem.',
  UNAUTHENTICATED: 'The credentials are missing or wrong.',
  PERMISSION_DENIED: 'The user of the token may not do that.',
  ABORTED: 'A request with the same idempotency-key is still at work.',
  RESOURCE_EXHAUSTED: 'The rate limit, the limit of concurrent requests or the storage quota is exceeded.',
  INTERNAL: 'Internal error of the service.',
  UNAVAILABLE: 'A dependency of the service is unavailable. The request may be repeated.',
} satisfies Partial<Record<ErrorStatus, string>>;

export const failureSchema: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['status', 'message'],
      properties: {
        status: { type: 'string', enum: Object.keys(httpStatus) },
        message: { type: 'string', description: 'One sentence per problem, each on its own line.' },
        code: { type: 'string', description: 'A more specific error code, in some operations.' },
        details: {
          description:
            'Details for programs: `issues` lists the problems of a request, `hint` suggests a fix; some operations add their own.',
          type: ['object', 'array'],
          items: {},
          properties: {
            issues: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path', 'code', 'message'],
                properties: {
                  path: { type: 'array', items: { type: ['string', 'integer'] } },
                  code: { type: 'string' },
                  message: { type: 'string' },
                },
              },
            },
            hint: { type: 'string' },
          },
        },
      },
    },
  },
};

/** Example message of each status, for operations without their own. */
const MESSAGES: Record<ErrorStatus, string> = {
  INVALID_ARGUMENT: 'organizationId is required.',
  FAILED_PRECONDITION: 'The agent agent_7 is disabled.',
  UNAUTHENTICATED: 'Invalid or missing credentials.',
  PERMISSION_DENIED: 'A user token does not open this operation.',
  NOT_FOUND: 'Organization does not exist',
  ALREADY_EXISTS: 'It already exists.',
  ABORTED: 'A request with the same idempotency-key is still at work.',
  RESOURCE_EXHAUSTED: 'Too many requests.',
  INTERNAL: 'Internal error.',
  UNAVAILABLE: 'The database cannot be reached.',
  DEADLINE_EXCEEDED: 'It took too long.',
};

const DETAILS: Partial<Record<ErrorStatus, unknown>> = {
  INVALID_ARGUMENT: {
    issues: [{ path: ['organizationId'], code: 'invalid_type', message: MESSAGES.INVALID_ARGUMENT }],
  },
};

/** An example body of a failure. The details of UNAUTHENTICATED depend on `auth`. */
export function exampleFailure(
  status: ErrorStatus,
  { auth, message }: { auth?: Auth; message?: string } = {},
) {
  const details =
    status === 'UNAUTHENTICATED' && auth && auth !== 'public' ? unauthenticated(auth).details : undefined;
  const own = message === undefined ? DETAILS[status] : undefined;
  return {
    error: {
      status,
      message: message ?? MESSAGES[status],
      ...((details ?? own) !== undefined && { details: details ?? own }),
    },
  };
}

const STATUS = /^`([A-Z_]+)`: (.*)/;

/**
 * The OpenAPI response of a failure. `description` has one paragraph per status, which begins with the status and a
 * colon; each becomes an example.
 */
export function failureResponse(description: string, auth?: Auth): Schema {
  const examples = description.split('\n\n').flatMap((paragraph) => {
    const [, status, summary] = STATUS.exec(paragraph) ?? [];
    if (status === undefined) return [];
    const isSize = /too large|too long to arrive/.test(summary!);
    const value = exampleFailure(status as ErrorStatus, {
      ...(auth && { auth }),
      ...(isSize && { message: summary!.split(':')[0]!.replace(/\.?$/, '.') }),
    });
    return [[status, { value }] as const];
  });
  const [only] = examples;
  const shown =
    examples.length === 1 ? { example: only![1].value } : { examples: Object.fromEntries(examples) };
  return {
    description,
    headers: {
      'x-request-id': { $ref: '#/components/headers/RequestId' },
      'retry-after': { $ref: '#/components/headers/RetryAfter' },
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        ...(examples.length > 0 && shown),
      },
    },
  };
}
