import { z } from 'zod';
import { grantsIn } from '../../http/audit-targets.ts';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult } from '../../shapes/batch.ts';
import {
  isOnePlace,
  newUsersWithoutRole,
  ONE_PLACE,
  rolesWithoutEffect,
  userResult,
  userScope,
  withoutRoles,
} from '../../shapes/user.ts';
import { recordAudit } from '../../store/audit/record-audit.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { lockFolder } from '../../store/documents/folders.ts';
import { lockOrganization } from '../../store/documents/organizations.ts';
import { addUsers } from '../../store/users/users.ts';

export default write({
  path: '/v1/users/add',
  auth: 'apiKey',
  summary: 'Add users to an existing organization, document or folder.',
  data: z
    .object({ ...userScope, users: newUsersWithoutRole })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme', users: [{ userId: 'eve', name: 'Eve' }] }] }),
  ignores: rolesWithoutEffect,
  result: batchResult.describe('Keyed by userId.'),
  message: 'User(s) processed successfully.',
  failures: { NOT_FOUND: 'The document or folder does not exist.' },
  audit: { action: 'access.granted', recordsItself: true },

  async handle({ users, ...place }, { tx, caller, auditSource }) {
    const { organizationId, documentId, folderId } = place;
    await lockOrganization(tx, caller, organizationId, { create: true });
    if (documentId !== undefined) {
      await lockDocument(tx, caller, { organizationId, documentId }, { create: false });
    }
    if (folderId !== undefined) await lockFolder(tx, caller, organizationId, folderId, { create: false });
    const added = await addUsers(tx, caller, place, withoutRoles(users));
    await recordAudit(tx, caller, auditSource, grantsIn(place, added));
    return Object.fromEntries(users.map(({ userId }) => [userId, userResult(userId, 'User added.')]));
  },
});
