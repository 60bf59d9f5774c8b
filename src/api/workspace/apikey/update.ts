import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { apiKeyName } from '../../../shapes/workspace.ts';
import { renameApiKey, requireApiKey } from '../../../store/platform/api-keys.ts';

export default write({
  path: '/v2/workspace/apikey/update',
  auth: 'workspace',
  summary: 'Rename an API key.',
  description:
    'Only the displayed name changes: the id, the tokens and the data of the API key stay the same.',
  data: z
    .object({ apiKey: apiKeyId, apiKeyName })
    .meta({ examples: [{ apiKey: 'key_1a2B3cD4eF5gH6jK7mN8', apiKeyName: 'Staging' }] }),
  result: z.null(),
  message: 'API key updated successfully.',
  failures: { NOT_FOUND: 'The API key does not exist in the workspace.' },
  audit: {
    action: 'key.renamed',
    before: async ({ apiKey }, { db, caller }) => ({
      apiKeyName: (await requireApiKey(db, caller.workspaceId, apiKey)).name,
    }),
    of: ({ apiKey, apiKeyName }) => ({ id: apiKey, apiKeyId: apiKey, after: { apiKeyName } }),
  },

  async handle({ apiKey, apiKeyName }, { tx, caller }) {
    await renameApiKey(tx, caller.workspaceId, apiKey, apiKeyName);
    return null;
  },
});
