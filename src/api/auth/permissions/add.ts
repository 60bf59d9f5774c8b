import { z } from 'zod';
import { grantedOn, grantsBefore } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { isFuture, organizationOf, resource, toTokenGrant } from '../../../shapes/permission.ts';
import { putGrants } from '../../../store/access/grants.ts';

export default write({
  path: '/v2/auth/permissions/add',
  auth: 'apiKey',
  summary: 'Grant a user access to organizations, folders or documents.',
  description:
    'A grant may be made before its resource exists. Granting again replaces the role and the expiry.',
  data: z
    .object({
      user: z.object({ userId }),
      permissions: z.object({
        resources: z
          .array(resource.refine(isFuture, { path: ['expiresAt'], error: 'must lie in the future' }))
          .min(1)
          .max(MAX_BATCH),
      }),
    })
    .meta({
      examples: [
        {
          user: { userId: 'eve' },
          permissions: {
            resources: [{ type: 'document', id: 'website', organizationId: 'acme', accessRole: 'viewer' }],
          },
        },
      ],
    }),
  result: z.undefined(),
  message: 'Permissions added successfully.',
  audit: {
    action: 'access.granted',
    before: ({ user, permissions }, context) => grantsBefore({ ...user, ...permissions }, context),
    of: ({ user, permissions }, _result, _caller, before) =>
      grantedOn(user.userId, permissions.resources, before),
  },

  async handle({ user, permissions }, { tx, caller }) {
    const grants = permissions.resources.map((granted) => {
      const { accessRole, expiresAt, accessFields } = toTokenGrant(granted);
      return {
        organizationId: organizationOf(granted),
        resourceType: granted.type,
        resourceId: granted.id,
        userId: user.userId,
        accessRole,
        expiresAt: expiresAt ?? null,
        accessFields,
      };
    });
    await putGrants(tx, caller, grants);
    return undefined;
  },
});
