import { z } from 'zod';
import { grantsBefore, onResource } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { organizationOf, resourceRef } from '../../../shapes/permission.ts';
import { removeGrants } from '../../../store/access/grants.ts';

export default write({
  path: '/v2/auth/permissions/remove',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Revoke grants of a user.',
  description: "Grants in the user's tokens remain until they expire.",
  data: z
    .object({
      userId,
      permissions: z.object({ resources: z.array(resourceRef).min(1).max(MAX_BATCH) }),
    })
    .meta({
      examples: [
        {
          userId: 'eve',
          permissions: { resources: [{ type: 'document', id: 'website', organizationId: 'acme' }] },
        },
      ],
    }),
  result: z.undefined(),
  message: 'Permissions removed successfully.',
  audit: {
    action: 'access.revoked',
    before: ({ userId, permissions }, context) => grantsBefore({ userId, ...permissions }, context),
    of: ({ userId, permissions }, _result, _caller, before) =>
      permissions.resources
        .map((ref) => onResource(userId, ref, before))
        .filter((target) => target.before !== undefined),
  },

  async handle({ userId, permissions }, { tx, caller }) {
    await removeGrants(
      tx,
      caller,
      permissions.resources.map((ref) => ({
        organizationId: organizationOf(ref),
        resourceType: ref.type,
        resourceId: ref.id,
        userId,
      })),
    );
    return undefined;
  },
});
