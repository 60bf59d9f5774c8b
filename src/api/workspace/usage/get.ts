import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { apiKeyId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { storageUsage } from '../../../shapes/workspace.ts';
import { pageApiKeys } from '../../../store/platform/api-keys.ts';
import { listStored } from '../../../store/platform/stored-bytes.ts';

export default read({
  path: '/v2/workspace/usage/get',
  auth: 'workspace',
  summary: "Tell how much the workspace's API keys store, and may store; the oldest key first.",
  description:
    'Everything is counted about once an hour; where the service has a bound, writes are added to that at once.',
  data: z
    .object({
      apiKeys: z.array(apiKeyId).min(1).max(100).optional().describe('Only these.'),
      pageSize: pageSize(100, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ pageSize: 20 }] }),
  dataOptional: true,
  result: z.array(storageUsage),
  message: 'Storage usage retrieved successfully.',
  page: 'nextPageToken',

  async handle({ apiKeys, pageSize, pageToken }, { db, caller, keyring, settings }) {
    const list = ['usage of api keys', caller.workspaceId];
    const [createdAt, lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const rows = await pageApiKeys(db, caller.workspaceId, {
      apiKeyIds: apiKeys,
      after: lastId === undefined ? undefined : { createdAt: Number(createdAt), apiKeyId: String(lastId) },
      limit: pageSize + 1,
    });
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    const stored = await listStored(
      db,
      shown.map((row) => row.apiKeyId),
    );
    const byKey = new Map(stored.map((row) => [row.apiKeyId, row]));
    return {
      data: shown.map(({ apiKeyId, name }) => {
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
      next: last && sealCursor(keyring, list, [last.createdAt, last.apiKeyId]),
    };
  },
});
