import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { apiKeyToken } from '../../../shapes/workspace.ts';
import { listTokens, requireApiKey, tokenBinding } from '../../../store/platform/api-keys.ts';

export default read({
  path: '/v2/workspace/authtokens/get',
  auth: 'workspace',
  summary: 'List the auth tokens of an API key.',
  description:
    'The tokens are returned in plain text, oldest first. The list is empty for an API key that was created without a token; workspace/authtoken/reset then creates one.',
  data: z.object({ apiKey: apiKeyId }).meta({ examples: [{ apiKey: 'key_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ apiKey: z.string(), authTokens: z.array(apiKeyToken) }),
  message: 'Auth tokens retrieved successfully.',
  failures: { NOT_FOUND: 'The API key does not exist in the workspace.' },

  async handle({ apiKey }, { db, caller, keyring }) {
    await requireApiKey(db, caller.workspaceId, apiKey);
    const tokens = await listTokens(db, apiKey);
    return {
      apiKey,
      authTokens: tokens.map(({ tokenHash, tokenSealed, name, domains }) => ({
        token: keyring.open(tokenSealed, tokenBinding(apiKey, tokenHash)),
        name,
        domains,
      })),
    };
  },
});
