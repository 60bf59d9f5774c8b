import { z } from 'zod';
import { TOKEN_SCOPES } from '../../lib/scope.ts';
import { named } from '../named.ts';
import { memberRole } from './session.ts';

const notBlank = (max: number) => z.string().max(max).regex(/\S/, { error: 'must not be empty' });

/** The name of a person in the console. */
export const personName = notBlank(200);
export const tokenName = notBlank(200);

export const memberId = z.string().min(1).max(200);
export const invitationId = z.string().min(1).max(200);
export const tokenId = z.string().min(1).max(200);
export const sessionId = z.string().min(1).max(200);

export const workspaceMember = named(
  'WorkspaceMember',
  z.object({
    memberId: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    role: memberRole,
    joinedAt: z.number(),
    lastSeenAt: z.number().nullable().describe('The last use of the console, to within a minute or so.'),
  }),
);

export const invitation = named(
  'Invitation',
  z.object({
    invitationId: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: memberRole,
    invitedBy: z
      .string()
      .nullable()
      .describe('Name of the member who invited; null for the workspace itself.'),
    createdAt: z.number(),
    expiresAt: z.number(),
  }),
);

export const openSession = named(
  'OpenSession',
  z.object({
    sessionId: z.string(),
    createdAt: z.number(),
    lastUsedAt: z.number().describe('To within a minute or so.'),
    expiresAt: z.number().describe('When it ends unless it is used again.'),
    address: z.string().describe('IP address at which the session was started.'),
    userAgent: z.string(),
    isCurrent: z.boolean().describe('True for the session of this request.'),
  }),
);

export const tokenScope = z.enum(TOKEN_SCOPES);

export const personalToken = named(
  'PersonalToken',
  z.object({
    tokenId: z.string(),
    name: z.string(),
    scopes: z.array(tokenScope),
    apiKeyId: z.string(),
    member: z.object({ memberId: z.string(), name: z.string() }).describe('The person whose token it is.'),
    createdAt: z.number(),
    expiresAt: z
      .number()
      .nullable()
      .describe('null if it does not expire. For a grant of OAuth, its end unless the client refreshes it.'),
    lastUsedAt: z.number().nullable().describe('To within a minute or so; null if it was never used.'),
    isAssistant: z.boolean().describe('True if what the token does counts as done by an AI assistant.'),
    clientId: z.string().optional().describe('For a grant of OAuth, the `client_id` of the client.'),
  }),
);
