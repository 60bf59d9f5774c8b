import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { batchResult } from '../../../shapes/batch.ts';
import { newFolders } from '../../../shapes/folder.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { updateFolders } from '../../../store/documents/change-folders.ts';

export default write({
  path: ['/v2/organizations/folders/update', '/v1/organizations/folders/update'],
  auth: 'apiKey',
  summary: 'Rename folders, or move them with all that is in them; fields that are not sent stay.',
  data: z.object({ organizationId, folders: newFolders }).meta({
    examples: [{ organizationId: 'acme', folders: [{ folderId: 'salaries', parentFolderId: 'root' }] }],
  }),
  result: batchResult.describe('By folderId.'),
  message: 'Folder Updated successfully.',
  failures: {
    NOT_FOUND: 'There is no such organization.',
    INVALID_ARGUMENT: 'A folder would lie in itself, or too many would lie in one another.',
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
