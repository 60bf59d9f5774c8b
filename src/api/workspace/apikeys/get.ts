import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { apiKey } from '../../../shapes/workspace.ts';
import { pageApiKeys } from '../../../store/platform/api-keys.ts';

export default read({
  path: '/v2/workspace/apikeys/get',
  auth: 'workspace',
  role: 'viewer',
  summary: "List the workspace's API keys, the oldest first.",
  description:
    'Tokens are not included; workspace/authtokens/get returns those of one API key. Ids that do not belong to the workspace are left out.',
  data: z
    .object({
      apiKeys: z
        .array(apiKeyId)
        .min(1)
        .max(100)
        .optional()
        .describe('Returns only the entries with these ids.'),
      pageSize: pageSize(100, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ pageSize: 20 }] }),
  dataOptional: true,
  result: z.array(apiKey),
  message: 'API keys retrieved successfully.',
  page: 'nextPageToken',

  async handle({ apiKeys, pageSize, pageToken }, { db, caller, keyring }) {
    const list = ['api keys', caller.workspaceId];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) =>
        pageApiKeys(db, caller.workspaceId, {
          apiKeyIds: apiKeys,
          after: after && { createdAt: Number(after[0]), apiKeyId: String(after[1]) },
          limit,
        }),
      (row) => [row.createdAt, row.apiKeyId],
    );
    return { data: rows.map(({ apiKeyId, name, type }) => ({ id: apiKeyId, apiKeyName: name, type })), next };
  },
});
