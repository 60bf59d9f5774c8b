import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { apiKeyToken, DEFAULT_TOKEN_NAME } from '../../../shapes/workspace.ts';
import { deleteTokens } from '../../../store/platform/api-keys.ts';
import { insertNewToken } from '../../../store/platform/create-workspace.ts';

export default write({
  path: '/v2/workspace/authtoken/reset',
  auth: 'workspace',
  availableWhenFull: true,
  summary: 'Replace the token of an API key.',
  description: 'The previous token stops working immediately.',
  data: z.object({ apiKey: apiKeyId }).meta({ examples: [{ apiKey: 'key_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ apiKey: z.string(), newAuthToken: apiKeyToken }),
  message: 'Auth token reset successfully.',
  audit: { action: 'token.reset', of: ({ apiKey }) => ({ id: apiKey, apiKeyId: apiKey }) },
  failures: { NOT_FOUND: 'The API key does not exist in the workspace.' },

  async handle({ apiKey }, { tx, caller, keyring, revoke }) {
    const [old] = await deleteTokens(tx, caller.workspaceId, apiKey);
    const { name, domains } = old ?? { name: DEFAULT_TOKEN_NAME, domains: [] };
    const newAuthToken = await insertNewToken(tx, keyring, apiKey, { name, domains });
    revoke(apiKey);
    return { apiKey, newAuthToken };
  },
});
