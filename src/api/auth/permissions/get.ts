import { z } from 'zod';
import { permissionsOf } from '../../../access/permissions.ts';
import { read } from '../../../http/endpoint.ts';
import { ApiError, permissionDenied } from '../../../lib/errors.ts';
import { documentId, folderId, organizationId, userId } from '../../../shapes/id-fields.ts';
import { accessRole } from '../../../shapes/permission.ts';
import { loadPermissionFacts } from '../../../store/access/permission-facts.ts';

const MAX_IDS = 30;
const upTo = <T extends z.ZodType>(id: T) => z.array(id).max(MAX_IDS).default([]);

const entry = z.union([
  z.object({
    accessRole,
    accessType: z
      .string()
      .optional()
      .describe('Effective access type; a document in a folder has that of the folder.'),
    expiresAt: z.number().int().optional().describe('Unix seconds.'),
  }),
  z.object({
    error: z.string(),
    errorCode: z.enum(['does_not_exist', 'permission_denied', 'something_went_wrong']),
    accessType: z.string().optional(),
  }),
]);
const entries = z.record(z.string(), entry);

export default read({
  path: '/v2/auth/permissions/get',
  auth: 'apiKeyOrUser',
  summary: 'Get the permissions of users on an organization and on its folders and documents.',
  description:
    "Permissions come from stored grants. With a user token, only that user's permissions are returned, including grants in the token, and resources that do not exist are reported as denied.",
  data: z
    .object({
      organizationId,
      userIds: z.array(userId).min(1).max(MAX_IDS),
      folderIds: upTo(folderId),
      documentIds: upTo(documentId),
      skipResourceExistenceValidation: z
        .boolean()
        .default(false)
        .describe(
          'If true, resources that do not exist are reported in the result instead of failing the request.',
        ),
    })
    .meta({ examples: [{ organizationId: 'acme', userIds: ['eve'], documentIds: ['website'] }] }),
  result: z
    .record(
      z.string(),
      z.object({
        folders: entries,
        documents: entries,
        organization: entries,
        context: z.object({ accessFields: z.array(z.string()) }).optional(),
      }),
    )
    .describe('Keyed by userId.'),
  message: 'User permissions retrieved successfully.',
  failures: {
    NOT_FOUND: 'One of the resources does not exist; `details` contains the permissions on the others.',
  },

  async handle({ skipResourceExistenceValidation, ...asked }, { db, caller }) {
    const { userIds, folderIds, documentIds } = asked;
    if (caller.user && userIds.some((id) => id !== caller.user?.userId)) {
      throw permissionDenied('A user can only ask for their own permissions.');
    }
    const facts = await loadPermissionFacts(db, caller, asked);
    const permissions = Object.fromEntries(
      userIds.map((id) => [id, permissionsOf(facts, asked, id, caller.user)]),
    );
    // Users must not learn which resources exist.
    if (caller.user) return permissions;
    const all =
      skipResourceExistenceValidation ||
      (folderIds.every((id) => facts.folders.has(id)) && documentIds.every((id) => facts.documents.has(id)));
    if (facts.organization && all) return permissions;
    throw new ApiError(
      'NOT_FOUND',
      facts.organization ? 'Folder or document does not exist' : 'Organization does not exist',
      { details: permissions },
    );
  },
});
