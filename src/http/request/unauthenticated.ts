import { ApiError } from '../../lib/errors.ts';
import type { Auth } from '../endpoint.ts';

export type Level = Exclude<Auth, 'public'>;

/** Headers of the credentials of each level. The header of a user token is last. */
export const HEADERS_BY_LEVEL = {
  workspace: ['x-service-workspace-id', 'x-service-workspace-auth-token'],
  apiKey: ['x-service-api-key', 'x-service-auth-token'],
  apiKeyOrUser: ['x-service-api-key', 'x-service-auth-token', 'authorization'],
} as const satisfies Partial<Record<Level, readonly [string, string, ...string[]]>>;

const USER_TOKEN = 'authorization: Bearer with the token of a user';

const OWNER_OF_LEVEL: Record<keyof typeof HEADERS_BY_LEVEL, string> = {
  workspace: 'a workspace',
  apiKey: 'an API key',
  apiKeyOrUser: 'an API key',
};

/** A sentence about the credentials that an operation takes. */
export function describeCredentials(level: Auth): string {
  if (level === 'public') return 'This operation takes no credentials.';
  if (level === 'account') return 'This operation takes the session of the console, in its cookie.';
  if (level === 'member') {
    return 'This operation takes the session of the console, in its cookie, and the id of an API key in the header x-redpen-key.';
  }
  const [id, token, user] = HEADERS_BY_LEVEL[level] as readonly string[];
  const headers = `the credentials of ${OWNER_OF_LEVEL[level]} in the headers ${id} and ${token}`;
  return `This operation takes ${headers}${user ? `, or ${USER_TOKEN}` : ''}.`;
}

/**
 * Uses the same message for every wrong credential, so that it does not help to guess. Only missing headers are named.
 * `details.hint` lists the credentials that the operation takes.
 */
export function unauthenticated(level?: Auth, missing: readonly string[] = []): ApiError {
  const isAny = missing.includes('authorization');
  const names = isAny ? `${missing.slice(0, -1).join(' and ')}, or authorization,` : missing.join(' and ');
  const problem =
    missing.length === 1 ? `The header ${names} is missing.` : `The headers ${names} are missing.`;
  return new ApiError(
    'UNAUTHENTICATED',
    `Invalid or missing credentials.${missing.length > 0 ? ` ${problem}` : ''}`,
    level && { details: { hint: describeCredentials(level) } },
  );
}
