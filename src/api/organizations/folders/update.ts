import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { batchResult } from '../../../shapes/batch.ts';
import { newFolders } from '../../../shapes/folder.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { folderStates } from '../../../store/audit/states-before.ts';
import { updateFolders } from '../../../store/documents/change-folders.ts';

export default write({
  path: ['/v2/organizations/folders/update', '/v1/organizations/folders/update'],
  auth: 'apiKey',
  summary: 'Rename folders, or move them with their content.',
  description: 'Fields that are not sent keep their values.',
  data: z.object({ organizationId, folders: newFolders }).meta({
    examples: [{ organizationId: 'acme', folders: [{ folderId: 'salaries', parentFolderId: 'root' }] }],
  }),
  result: batchResult.describe('Keyed by folderId.'),
  message: 'Folder Updated successfully.',
  failures: {
    NOT_FOUND: 'The organization does not exist.',
    INVALID_ARGUMENT: 'A folder would contain itself, or folders would be nested too deeply.',
  },
  audit: {
    action: 'folder.moved',
    applies: ({ folders }) => folders.some((one) => (one.parentFolderId ?? one.accessType) !== undefined),
    before: ({ organizationId, folders }, { db, caller }) =>
      folderStates(
        db,
        caller,
        organizationId,
        folders.map(({ folderId }) => folderId),
      ),
    of: ({ organizationId, folders }, items) =>
      folders
        .filter((one) => (one.parentFolderId ?? one.accessType) !== undefined && items[one.folderId]?.success)
        .map(({ folderId, parentFolderId, accessType }) => ({
          action: parentFolderId === undefined ? 'folder.access_changed' : 'folder.moved',
          id: folderId,
          organizationId,
          after: { parentFolderId, accessType },
        })),
  },

  async handle({ organizationId, folders }, { tx, caller }) {
    const outcomes = await updateFolders(tx, caller, organizationId, folders);
    return Object.fromEntries([...outcomes].map(([id, outcome]) => [id, { id, ...RESULTS[outcome] }]));
  },
});

const RESULTS = {
  updated: { success: true, message: 'Folder Updated.' },
  missing: { success: false, message: 'Folder not found.', code: 'not-found' },
  'parent-missing': { success: false, message: 'Parent folder not found.', code: 'not-found' },
};
