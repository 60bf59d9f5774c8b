import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { storageUsage, workspaceUsage } from '../../../shapes/workspace.ts';
import { pageApiKeys } from '../../../store/platform/api-keys.ts';
import { listStored, workspaceStored } from '../../../store/platform/stored-bytes.ts';

export default read({
  path: '/v2/workspace/usage/get',
  auth: 'workspace',
  role: 'viewer',
  summary: "Get the storage usage and quota of the workspace's API keys, oldest key first.",
  description:
    'Usage is counted about once an hour, and that of a new API key or workspace within a minute. If the service has a quota, writes since then are added at once.',
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
  result: z.array(storageUsage),
  message: 'Storage usage retrieved successfully.',
  page: 'nextPageToken',
  beside: z.object({ workspace: workspaceUsage }),

  async handle({ apiKeys, pageSize, pageToken }, { db, caller, keyring, settings }) {
    const list = ['usage of api keys', caller.workspaceId];
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
    const stored = await listStored(
      db,
      rows.map((row) => row.apiKeyId),
    );
    const byKey = new Map(stored.map((row) => [row.apiKeyId, row]));
    const ofWorkspace = await workspaceStored(db, caller.workspaceId);
    return {
      data: rows.map(({ apiKeyId, name }) => {
        const { rowBytes = 0, fileBytes = 0, addedBytes = 0, countedAt = null } = byKey.get(apiKeyId) ?? {};
        return {
          id: apiKeyId,
          apiKeyName: name,
          storedBytes: rowBytes + fileBytes + addedBytes,
          databaseBytes: rowBytes,
          fileBytes,
          addedBytes,
          countedAt,
          maxStoredBytes: settings.storedBytes ?? null,
        };
      }),
      next,
      beside: { workspace: ofWorkspace ?? { storedBytes: 0, countedAt: null } },
    };
  },
});
