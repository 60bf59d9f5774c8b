import { z } from 'zod';
import { named } from '../named.ts';

// Line breaks in names or values would allow header injection.
const headerName = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'must be a header name');
const headerValue = z.string().regex(/^[^\r\n\0]*$/, 'must not contain line breaks');

/**
 * Credentials for a remote REST endpoint or MCP server. Unknown keys are rejected, because they could contain a secret
 * that is not encrypted.
 */
export const auth = named(
  'RemoteCredentials',
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('bearer'), token: headerValue.min(1).describe('Secret.') }),
    z.strictObject({
      type: z.literal('basic'),
      username: z.string(),
      password: z.string().describe('Secret.'),
    }),
    z.strictObject({
      type: z.literal('header'),
      headers: z.record(headerName, headerValue).describe('Secret values by header name.'),
    }),
  ]),
);
export type Auth = z.infer<typeof auth>;
