import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { md5 } from '../../lib/ids.ts';
import { batchResult } from '../../shapes/batch.ts';
import { newOrganizations } from '../../shapes/organization.ts';
import { addOrganizations } from '../../store/documents/organizations.ts';

export default write({
  path: ['/v2/organizations/add', '/v1/organizations/add'],
  auth: 'apiKey',
  summary: 'Add organizations.',
  description: 'Existing ones are updated with the fields sent.',
  data: z.object({ organizations: newOrganizations }).meta({
    examples: [{ organizations: [{ organizationId: 'acme', organizationName: 'Acme', region: 'EU' }] }],
  }),
  result: batchResult.describe('Keyed by organizationId.'),
  message: 'Organization(s) added successfully.',

  async handle({ organizations }, { tx, caller }) {
    await addOrganizations(tx, caller, organizations);
    return Object.fromEntries(
      organizations.map(({ organizationId }) => [
        organizationId,
        { success: true, id: md5(organizationId), message: 'Added Successfully' },
      ]),
    );
  },
});
