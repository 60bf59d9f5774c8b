import { z } from 'zod';
import { succeeded } from '../../../../http/audit-targets.ts';
import { write } from '../../../../http/endpoint.ts';
import { md5 } from '../../../../lib/ids.ts';
import { batchResult, MAX_BATCH } from '../../../../shapes/batch.ts';
import { organizationId } from '../../../../shapes/id-fields.ts';
import { setOrganizationsDisabled } from '../../../../store/documents/organizations.ts';

export default write({
  path: ['/v2/organizations/access/disablestate/update', '/v1/organizations/access/disablestate/update'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Disable organizations for their users, or enable them again.',
  description: 'A disabled organization keeps its data, and API keys can still use it.',
  data: z
    .object({
      organizationIds: z.array(organizationId).min(1).max(MAX_BATCH),
      disabled: z.boolean(),
    })
    .meta({ examples: [{ organizationIds: ['acme'], disabled: true }] }),
  result: batchResult.describe('Keyed by organizationId.'),
  message: 'Updated disable state for Organization(s) successfully.',
  audit: {
    action: 'organization.disabled',
    of: ({ disabled }, items) =>
      succeeded(items).map((id) => ({
        action: disabled ? 'organization.disabled' : 'organization.enabled',
        id,
        organizationId: id,
      })),
  },

  async handle({ organizationIds, disabled }, { tx, caller }) {
    const updated = await setOrganizationsDisabled(tx, caller, organizationIds, disabled);
    return Object.fromEntries(
      organizationIds.map((id) => [
        id,
        updated.has(id)
          ? { success: true, id: md5(id), message: 'Updated disable state for organization Successfully' }
          : { success: false, id: md5(id), message: 'Organization does not exist' },
      ]),
    );
  },
});
