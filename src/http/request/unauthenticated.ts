import { ApiError } from '../../lib/errors.ts';
import type { Auth } from '../endpoint.ts';

export type Level = Exclude<Auth, 'public'>;

/** The headers that each level of operations asks for: where a user token will do too, it stands last. */
export const OF_LEVEL: Record<Level, [string, string, ...string[]]> = {
  workspace: ['x-service-workspace-id', 'x-service-workspace-auth-token'],
  apiKey: ['x-service-api-key', 'x-service-auth-token'],
  apiKeyOrUser: ['x-service-api-key', 'x-service-auth-token', 'authorization'],
};

const USER_TOKEN = 'authorization: Bearer with the token of a user';

const OWNERS: Record<Level, string> = {
  workspace: 'a workspace',
  apiKey: 'an API key',
  apiKeyOrUser: 'an API key',
};

/** Which credentials an operation takes, in a sentence. */
export function takes(level: Auth): string {
  if (level === 'public') return 'This operation takes no credentials.';
  const [id, token, user] = OF_LEVEL[level];
  const headers = `the credentials of ${OWNERS[level]} in the headers ${id} and ${token}`;
  return `This operation takes ${headers}${user ? `, or ${USER_TOKEN}` : ''}.`;
}

/**
 * One message for every wrong credential, so that it does not help to guess; only headers that were not sent at all
 * are named. `details.hint` says what the operation takes, which is the same for everybody.
 */
export function unauthenticated(level?: Auth, missing: readonly string[] = []): ApiError {
  const isAny = missing.includes('authorization');
  const names = isAny ? `${missing.slice(0, -1).join(' and ')}, or authorization,` : missing.join(' and ');
  const what = missing.length === 1 ? `The header ${names} is missing.` : `The headers ${names} are missing.`;
  return new ApiError(
    'UNAUTHENTICATED',
    `Invalid or missing credentials.${missing.length > 0 ? ` ${what}` : ''}`,
    level && { details: { hint: takes(level) } },
  );
}
