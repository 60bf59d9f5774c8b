import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { md5 } from '../../../lib/ids.ts';
import { batchResult } from '../../../shapes/batch.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { newUserGroups } from '../../../shapes/user-group.ts';
import { lockOrganization } from '../../../store/documents/organizations.ts';
import { addUserGroups } from '../../../store/users/user-groups.ts';

export default write({
  path: ['/v2/organizations/usergroups/add', '/v1/organizations/usergroups/add'],
  auth: 'apiKey',
  summary: 'Add user groups to an organization.',
  description: 'Existing ones are renamed.',
  data: z
    .object({
      organizationId,
      organizationUserGroups: newUserGroups,
      createOrganization: z.boolean().default(true).describe('Creates it if it does not exist.'),
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          organizationUserGroups: [{ groupId: 'design', groupName: 'Design' }],
        },
      ],
    }),
  result: batchResult.describe('Keyed by groupId.'),
  message: 'Organization User Groups added successfully.',
  failures: { NOT_FOUND: 'The organization does not exist, and `createOrganization` is false.' },

  async handle({ organizationId, organizationUserGroups, createOrganization }, { tx, caller }) {
    await lockOrganization(tx, caller, organizationId, { create: createOrganization });
    await addUserGroups(tx, caller, organizationId, organizationUserGroups);
    return Object.fromEntries(
      organizationUserGroups.map(({ groupId }) => [
        groupId,
        { success: true, id: md5(groupId), message: 'Organization user group added.' },
      ]),
    );
  },
});
