import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { folder, MAX_FOLDER_DEPTH } from '../../../shapes/folder.ts';
import { folderId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { insideOf } from '../../../store/documents/folders.ts';
import { getFolder, listFolders } from '../../../store/documents/list-folders.ts';

export default read({
  path: ['/v2/organizations/folders/get', '/v1/organizations/folders/get'],
  auth: 'apiKey',
  summary: 'List the folders of an organization, or one folder with its subfolders, oldest first.',
  description:
    '`maxDepth` counts the levels that are returned below the organization or the folder. If the deeper levels of a page have more than 10,000 folders, the request is refused.',
  data: z
    .object({
      organizationId,
      folderId: folderId
        .optional()
        .describe('Returns only this folder, with its subfolders as `subFolders`.'),
      maxDepth: z
        .number()
        .int()
        .min(1)
        .max(MAX_FOLDER_DEPTH)
        .default(1)
        .describe('Number of levels to return.'),
      pageSize: pageSize(1_000, 1_000),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', folderId: 'handbook', maxDepth: 2 }] }),
  result: z.array(folder),
  message: (_folders, { folderId }) =>
    folderId === undefined ? 'Folders retrieved successfully.' : 'Folder(s) retrieved successfully.',
  page: 'nextPageToken',
  failures: { NOT_FOUND: 'The folder does not exist.' },

  async handle({ organizationId, folderId, maxDepth, pageSize, pageToken }, { db, caller, keyring }) {
    const parentId = folderId === undefined ? null : insideOf(folderId);
    const list = ['folders', caller.apiKeyId, organizationId, folderId ?? '', String(maxDepth)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after: position, limit }) => {
        const after = position && { createdAt: Number(position[0]), folderId: String(position[1]) };
        return listFolders(db, caller, { organizationId, parentId, maxDepth, after, limit });
      },
      (row) => [row.createdAt, row.folderId],
    );
    const around = parentId === null ? undefined : await getFolder(db, caller, organizationId, parentId);
    return { data: around ? [{ ...around, subFolders: rows }] : rows, next };
  },
});
