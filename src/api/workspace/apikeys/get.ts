import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { apiKey } from '../../../shapes/workspace.ts';
import { pageApiKeys } from '../../../store/platform/api-keys.ts';

export default read({
  path: '/v2/workspace/apikeys/get',
  auth: 'workspace',
  summary: "List the workspace's API keys, the oldest first.",
  data: z
    .object({
      apiKeys: z.array(apiKeyId).min(1).max(100).optional().describe('Only these.'),
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
    const [createdAt, lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const rows = await pageApiKeys(db, caller.workspaceId, {
      apiKeyIds: apiKeys,
      after: lastId === undefined ? undefined : { createdAt: Number(createdAt), apiKeyId: String(lastId) },
      limit: pageSize + 1,
    });
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return {
      data: rows
        .slice(0, pageSize)
        .map(({ apiKeyId, name, type }) => ({ id: apiKeyId, apiKeyName: name, type })),
      next: last && sealCursor(keyring, list, [last.createdAt, last.apiKeyId]),
    };
  },
});
