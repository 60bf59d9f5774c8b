import { z } from 'zod';
import {
  type AskedUser,
  explainDocument,
  explainFolder,
  explainOrganization,
} from '../../../access/explain.ts';
import { read } from '../../../http/endpoint.ts';
import { invalidArgument } from '../../../lib/errors.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { accessType } from '../../../shapes/document.ts';
import { documentId, folderId, organizationId, userId } from '../../../shapes/id-fields.ts';
import { named } from '../../../shapes/named.ts';
import type { DocumentFacts } from '../../../store/access/access-facts.ts';

const lookedAt = named(
  'AccessGrant',
  z.object({
    source: z.enum(['token', 'stored']).describe('`token`: in the user token; `stored`: by an operation.'),
    type: z.enum(['organization', 'folder', 'document']),
    id: z.string(),
    accessRole: z.enum(['viewer', 'editor']),
    expiresAt: z.number().int().nullable().describe('Unix seconds; null if it does not expire.'),
    expired: z.boolean().describe('Expired grants do not count.'),
    decided: z.boolean().describe('True for the grant that decided.'),
  }),
);

export default read({
  path: '/v2/auth/permissions/explain',
  auth: 'apiKey',
  summary: 'Explain what a user may do on a document, a folder or an organization, and why.',
  description:
    'Annotations have the access of their document. Without a token, only stored grants count. A resource that does not exist is explained as such, with the role `none`.',
  data: z
    .object({
      userId,
      organizationId,
      documentId: documentId.optional(),
      folderId: folderId.optional().describe('Ask about a folder, or about a document, or about neither.'),
      userToken: z
        .string()
        .min(1)
        .max(100_000)
        .optional()
        .describe('A token of the user, whose grants then count too.'),
    })
    .refine((data) => data.documentId === undefined || data.folderId === undefined, {
      ...withOtherProblems,
      path: ['folderId'],
      error: 'Only one of documentId and folderId is allowed.',
    })
    .meta({ examples: [{ userId: 'eve', organizationId: 'acme', documentId: 'website' }] }),
  result: named(
    'AccessExplanation',
    z.object({
      accessRole: z
        .enum(['none', 'viewer', 'editor'])
        .describe('A viewer reads; an editor also comments and changes live documents.'),
      reason: z.string().describe('The rule that decided, as a sentence.'),
      exists: z.boolean(),
      disabled: z.boolean().describe('True if the resource or its organization is disabled.'),
      accessType: accessType

        .optional()
        .describe('The access type in force, of its own or of a folder or of the API key.'),
      folderIds: z
        .array(z.string())
        .describe('The folders around a document, or a folder and those around it; nearest first.'),
      isAdmin: z.boolean().describe('True if the token says so.'),
      grants: z.array(lookedAt).describe('What was looked at, in the order of the rules.'),
    }),
  ),
  message: 'Access explained successfully',
  failures: { INVALID_ARGUMENT: 'The token is not a valid one of this user and API key.' },

  async handle({ userId, userToken, ...place }, { db, caller, userTokens }) {
    const now = Date.now();
    const user: AskedUser = { userId };
    if (userToken !== undefined) {
      const verified = await userTokens.verify(userToken);
      if (verified?.apiKeyId !== caller.apiKeyId) {
        throw invalidArgument('userToken is not a valid token of this API key; it may have expired.');
      }
      if (verified.user.userId !== userId) {
        throw invalidArgument(`userToken is that of the user ${verified.user.userId}.`);
      }
      user.token = verified.user;
    }
    const { organizationId, documentId, folderId } = place;
    const { found, ...explanation } = await explain();
    return {
      accessRole: explanation.role,
      reason: explanation.reason,
      exists: found !== undefined,
      disabled: found?.disabled ?? false,
      ...(found?.accessType !== undefined && { accessType: found.accessType }),
      folderIds: found?.folderIds ?? [],
      isAdmin: explanation.isAdmin,
      grants: explanation.grants.map((grant) => ({
        source: grant.source,
        type: grant.type,
        id: grant.id,
        accessRole: grant.accessRole,
        expiresAt: grant.expiresAt == null ? null : Math.floor(grant.expiresAt / 1_000),
        expired: grant.expiresAt != null && grant.expiresAt <= now,
        decided: grant === explanation.decidedBy,
      })),
    };

    async function explain() {
      if (documentId !== undefined) {
        const about = await explainDocument(db, caller, { organizationId, documentId }, user, now);
        return { ...about, found: about.document && stateOf(about.document) };
      }
      if (folderId !== undefined) {
        const about = await explainFolder(db, caller, { organizationId, folderId }, user, now);
        return { ...about, found: about.folder && stateOf(about.folder) };
      }
      const about = await explainOrganization(db, caller, organizationId, user, now);
      const { organization } = about;
      return {
        ...about,
        found: organization && { disabled: organization.disabled, accessType: undefined, folderIds: [] },
      };
    }
  },
});

const stateOf = ({ disabled, organizationDisabled, accessType, folderIds }: DocumentFacts) => ({
  disabled: disabled || organizationDisabled,
  accessType,
  folderIds,
});
