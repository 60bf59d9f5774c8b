import { z } from 'zod';
import { succeeded } from '../../http/audit-targets.ts';
import { write } from '../../http/endpoint.ts';
import { md5 } from '../../lib/ids.ts';
import { batchResult, MAX_BATCH } from '../../shapes/batch.ts';
import { organizationId } from '../../shapes/id-fields.ts';
import { deleteOrganizations } from '../../store/documents/organizations.ts';

export default write({
  path: ['/v2/organizations/delete', '/v1/organizations/delete'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete organizations with everything in them: folders, documents, user groups and grants.',
  description:
    'The deletion is complete when the answer arrives, and cannot be undone. It includes the knowledge and the judgments of the organizations. Profiles of users remain. Raises `document.delete` for each document and `organization.delete` for each organization.',
  data: z
    .object({ organizationIds: z.array(organizationId).min(1).max(MAX_BATCH) })
    .meta({ examples: [{ organizationIds: ['acme'] }] }),
  result: batchResult.describe('Keyed by organizationId.'),
  message: 'Organization(s) deleted successfully.',
  audit: {
    action: 'organization.deleted',
    of: (_data, items) => succeeded(items).map((id) => ({ id, organizationId: id })),
  },

  async handle({ organizationIds }, { tx, caller }) {
    const deleted = await deleteOrganizations(tx, caller, organizationIds);
    return Object.fromEntries(
      organizationIds.map((id) => [
        id,
        deleted.has(id)
          ? { success: true, id: md5(id), message: 'Deleted Successfully' }
          : { success: false, id: md5(id), message: 'Organization does not exist' },
      ]),
    );
  },
});
