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
    accessType: z.string().optional().describe('In force; of a document in a folder that of the folder.'),
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
  summary: 'Tell what users may do in an organization, and on folders and documents of it.',
  description:
    'By what is stored of them. With a user token, of that user alone, with the grants of the token; what does not exist then counts as denied.',
  data: z
    .object({
      organizationId,
      userIds: z.array(userId).min(1).max(MAX_IDS),
      folderIds: upTo(folderId),
      documentIds: upTo(documentId),
      skipResourceExistenceValidation: z
        .boolean()
        .default(false)
        .describe('True to report resources that do not exist beside the others instead of failing.'),
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
    .describe('By userId.'),
  message: 'User permissions retrieved successfully.',
  failures: { NOT_FOUND: 'One of them does not exist; `details` holds what is known of the others.' },

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
