import { z } from 'zod';
import { grantsIn } from '../../http/audit-targets.ts';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult } from '../../shapes/batch.ts';
import { isOnePlace, newUsers, ONE_PLACE, userResult, userScope } from '../../shapes/user.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { lockFolder } from '../../store/documents/folders.ts';
import { lockOrganization } from '../../store/documents/organizations.ts';
import { addUsers } from '../../store/users/users.ts';

export default write({
  path: '/v2/users/add',
  auth: 'apiKey',
  summary: 'Add users to an organization, or to one document or folder.',
  description: 'Existing ones are updated.',
  data: z
    .object({
      ...userScope,
      users: newUsers,
      createOrganization: z.boolean().default(true).describe('Creates it if it does not exist.'),
      createDocument: z.boolean().default(false).describe('Creates it if it does not exist.'),
      createFolder: z.boolean().default(true).describe('Creates it if it does not exist.'),
    })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          users: [
            { userId: 'eve', name: 'Eve', email: 'eve@example.com', accessRole: 'editor' },
            { userId: 'bob', name: 'Bob', email: 'bob@example.com', accessRole: 'viewer' },
          ],
        },
      ],
    }),
  result: batchResult.describe('Keyed by userId.'),
  message: 'User(s) processed successfully.',
  failures: {
    NOT_FOUND: 'The organization, document or folder does not exist, and its creation was not requested.',
  },
  audit: { action: 'access.granted', recordsItself: true },

  async handle(
    { users, createOrganization, createDocument, createFolder, ...place },
    { tx, caller, auditSource },
  ) {
    const { organizationId, documentId, folderId } = place;
    await lockOrganization(tx, caller, organizationId, { create: createOrganization });
    if (documentId !== undefined) {
      await lockDocument(tx, caller, { organizationId, documentId }, { create: createDocument });
    }
    if (folderId !== undefined)
      await lockFolder(tx, caller, organizationId, folderId, { create: createFolder });
    const added = await addUsers(tx, caller, place, users);
    await recordAudit(tx, caller, auditSource, grantsIn(place, added));
    return Object.fromEntries(users.map(({ userId }) => [userId, userResult(userId, 'User added.')]));
  },
});
