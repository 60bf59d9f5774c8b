import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { batchResult } from '../../../shapes/batch.ts';
import { newFolders } from '../../../shapes/folder.ts';
import { organizationId } from '../../../shapes/id-fields.ts';
import { addFolders } from '../../../store/documents/change-folders.ts';
import { lockOrganization } from '../../../store/documents/organizations.ts';

export default write({
  path: ['/v2/organizations/folders/add', '/v1/organizations/folders/add'],
  auth: 'apiKey',
  summary: 'Add folders to an organization.',
  description: 'Existing ones are not changed.',
  data: z
    .object({
      organizationId,
      createOrganization: z
        .boolean()
        .default(true)
        .describe('Creates the organization if it does not exist.'),
      folders: newFolders,
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          folders: [
            { folderId: 'handbook', folderName: 'Handbook' },
            { folderId: 'salaries', parentFolderId: 'handbook', accessType: 'restricted' },
          ],
        },
      ],
    }),
  result: batchResult.describe('Keyed by folderId.'),
  message: 'Folder created successfully.',
  failures: {
    NOT_FOUND: 'The organization does not exist, and `createOrganization` is false.',
    INVALID_ARGUMENT: 'A folder would contain itself, or folders would be nested too deeply.',
  },
  audit: {
    action: 'folder.created',
    applies: ({ folders }) => folders.some(({ accessType }) => accessType !== undefined),
    of: ({ organizationId, folders }, items) =>
      folders
        .filter(({ folderId, accessType }) => accessType !== undefined && items[folderId]?.success)
        .map(({ folderId, accessType }) => ({ id: folderId, organizationId, after: { accessType } })),
  },

  async handle({ organizationId, createOrganization, folders }, { tx, caller }) {
    await lockOrganization(tx, caller, organizationId, { create: createOrganization });
    const outcomes = await addFolders(tx, caller, organizationId, folders);
    return Object.fromEntries([...outcomes].map(([id, outcome]) => [id, { id, ...RESULTS[outcome] }]));
  },
});

const RESULTS = {
  added: { success: true, message: 'Folder added.' },
  exists: { success: false, message: 'Folder already exists', code: 'already-exists' },
  'parent-missing': { success: false, message: 'Parent folder not found.', code: 'not-found' },
};
