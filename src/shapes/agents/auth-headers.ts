import type { Auth } from './auth.ts';

/** HTTP headers for the credentials. */
export function authHeaders(auth: Auth | undefined): Record<string, string> {
  switch (auth?.type) {
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'basic':
      return {
        authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`,
      };
    case 'header':
      return auth.headers;
    default:
      return {};
  }
}
