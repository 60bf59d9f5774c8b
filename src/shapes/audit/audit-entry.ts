import { z } from 'zod';
import { named } from '../named.ts';
import { AUDIT_ACTORS, AUDIT_TARGETS, auditActionNames } from './audit-actions.ts';

export const auditAction = named('AuditAction', z.enum(auditActionNames));
export const auditTargetType = z.enum(AUDIT_TARGETS);
const text = z.string().nullable();

export const auditEntry = named(
  'AuditEntry',
  z.object({
    entryId: z.string(),
    seq: z
      .number()
      .nullable()
      .describe(
        'Number in the chain of the workspace; null for the first seconds, until the entry is chained.',
      ),
    at: z.number(),
    action: auditAction,
    actor: z.object({
      kind: z
        .enum(AUDIT_ACTORS)
        .describe(
          '`workspace` and `apiKey` are their tokens, `member` a person in the console or with a personal token, `account` one who signs in, `link` a person with a link, `unknown` one whose credentials were wrong.',
        ),
      id: text.describe('Id of the workspace, API key, user, member or account; null if unknown or erased.'),
      name: text,
      assistant: text.describe('The AI assistant through which the actor acted.'),
    }),
    via: z.string().describe('Path of the operation, or the command of the operator.'),
    address: text.describe('IP address of the client.'),
    userAgent: text.describe('At most 300 characters.'),
    requestId: text.describe('`x-request-id` of the answer.'),
    apiKeyId: text.describe('null for acts on the workspace.'),
    target: z.object({
      type: auditTargetType,
      id: text,
      organizationId: text,
      documentId: text,
    }),
    before: z
      .unknown()
      .optional()
      .describe('What was before, without secrets, if it is small. Absent if it is not known.'),
    after: z.unknown().optional().describe('What the act asked for, without secrets, if it is small.'),
    isErased: z.boolean().describe('True if what named a person was erased. The chain holds a digest of it.'),
    previousHash: text.describe('`hash` of the entry before in the chain.'),
    hash: text,
  }),
);

export const auditFilter = {
  from: z.int().min(0).optional().describe('Entries at or after this time, in epoch milliseconds.'),
  to: z.int().min(0).optional().describe('Entries before this time, in epoch milliseconds.'),
};
