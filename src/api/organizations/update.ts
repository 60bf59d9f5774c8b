import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { md5 } from '../../lib/ids.ts';
import { batchResult } from '../../shapes/batch.ts';
import { newOrganizations } from '../../shapes/organization.ts';
import { updateOrganizations } from '../../store/documents/organizations.ts';

export default write({
  path: ['/v2/organizations/update', '/v1/organizations/update'],
  auth: 'apiKey',
  summary: 'Update the names and metadata of organizations.',
  description:
    'Names and metadata fields that are not sent keep their values. Organizations that do not exist are reported and not created, and all others are updated. Raises `organization.update` for each updated organization.',
  data: z.object({ organizations: newOrganizations }).meta({
    examples: [{ organizations: [{ organizationId: 'acme', organizationName: 'Acme Ltd', plan: 'team' }] }],
  }),
  result: batchResult.describe('Keyed by organizationId.'),
  message: 'Organization(s) updated successfully.',

  async handle({ organizations }, { tx, caller }) {
    const updated = await updateOrganizations(tx, caller, organizations);
    return Object.fromEntries(
      organizations.map(({ organizationId }) => [
        organizationId,
        updated.has(organizationId)
          ? { success: true, id: md5(organizationId), message: 'Updated Successfully' }
          : { success: false, id: md5(organizationId), message: 'Organization does not exist' },
      ]),
    );
  },
});
