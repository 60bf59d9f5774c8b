import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { batchResult } from '../../shapes/batch.ts';
import {
  isOnePlace,
  newUsersWithoutRole,
  ONE_PLACE,
  userResult,
  userScope,
  withoutRoles,
} from '../../shapes/user.ts';
import { lockDocument } from '../../store/documents/documents.ts';
import { lockFolder } from '../../store/documents/folders.ts';
import { lockOrganization } from '../../store/documents/organizations.ts';
import { addUsers } from '../../store/users/users.ts';

export default write({
  path: '/v1/users/add',
  auth: 'apiKey',
  summary: 'Make users part of an organization, or of one document or folder, which must exist.',
  data: z
    .object({ ...userScope, users: newUsersWithoutRole })
    .refine(isOnePlace, { error: ONE_PLACE, ...withOtherProblems })
    .meta({ examples: [{ organizationId: 'acme', users: [{ userId: 'eve', name: 'Eve' }] }] }),
  result: batchResult.describe('By userId.'),
  message: 'User(s) processed successfully.',
  failures: { NOT_FOUND: 'There is no such document or folder.' },

  async handle({ users, ...place }, { tx, caller }) {
    const { organizationId, documentId, folderId } = place;
    await lockOrganization(tx, caller, organizationId, { create: true });
    if (documentId !== undefined) {
      await lockDocument(tx, caller, { organizationId, documentId }, { create: false });
    }
    if (folderId !== undefined) await lockFolder(tx, caller, organizationId, folderId, { create: false });
    await addUsers(tx, caller, place, withoutRoles(users));
    return Object.fromEntries(users.map(({ userId }) => [userId, userResult(userId, 'User added.')]));
  },
});
