import { z } from 'zod';
import { MEMBER_ROLES } from '../../lib/scope.ts';
import { named } from '../named.ts';

export const memberRole = z.enum(MEMBER_ROLES).describe('The role in the workspace.');

export const account = named(
  'Account',
  z.object({ accountId: z.string(), name: z.string(), email: z.string().nullable() }),
);

const memberWorkspace = named(
  'MemberWorkspace',
  z.object({
    workspaceId: z.string(),
    name: z.string(),
    role: memberRole,
    apiKeys: z.array(z.object({ apiKeyId: z.string(), name: z.string() })).describe('The oldest first.'),
  }),
);

/** The person who is signed in to the console, their workspaces, and the service. */
export const consoleSession = named(
  'ConsoleSession',
  z.object({
    account,
    workspaces: z
      .array(memberWorkspace)
      .describe('Those of which the account is a member, the oldest first.'),
    session: z.object({
      sessionId: z.string(),
      createdAt: z.number(),
      expiresAt: z.number().describe('When it ends unless it is used again.'),
      isCurrent: z.boolean(),
    }),
    service: z.object({
      version: z.string(),
      mail: z.boolean().describe('True if the service sends mail, so that links can be sent.'),
      publicUrl: z.string().optional(),
    }),
  }),
);
export type ConsoleSession = z.infer<typeof consoleSession>;
