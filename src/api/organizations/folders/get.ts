import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { folder, MAX_FOLDER_DEPTH } from '../../../shapes/folder.ts';
import { folderId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { insideOf } from '../../../store/documents/folders.ts';
import { getFolder, listFolders } from '../../../store/documents/list-folders.ts';

export default read({
  path: ['/v2/organizations/folders/get', '/v1/organizations/folders/get'],
  auth: 'apiKey',
  summary: 'List the folders of an organization, or one folder with those in it; the oldest first.',
  data: z
    .object({
      organizationId,
      folderId: folderId.optional().describe('Only this one, with those in it as `subFolders`.'),
      maxDepth: z.number().int().min(1).max(MAX_FOLDER_DEPTH).default(1).describe('Levels to list.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', folderId: 'handbook', maxDepth: 2 }] }),
  result: z.array(folder),
  message: (_folders, { folderId }) =>
    folderId === undefined ? 'Folders retrieved successfully.' : 'Folder(s) retrieved successfully.',
  page: 'nextPageToken',
  failures: { NOT_FOUND: 'There is no such folder.' },

  async handle({ organizationId, folderId, maxDepth, pageSize, pageToken }, { db, caller, keyring }) {
    const parentId = folderId === undefined ? null : insideOf(folderId);
    const list = ['folders', caller.apiKeyId, organizationId, folderId ?? '', String(maxDepth)];
    const [createdAt, lastId] = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const around = parentId === null ? undefined : await getFolder(db, caller, organizationId, parentId);
    const rows = await listFolders(db, caller, {
      organizationId,
      parentId,
      maxDepth,
      after: lastId === undefined ? undefined : { createdAt: Number(createdAt), folderId: String(lastId) },
      limit: pageSize + 1,
    });
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    return {
      data: around ? [{ ...around, subFolders: page }] : page,
      next: last && sealCursor(keyring, list, [last.createdAt, last.folderId]),
    };
  },
});
