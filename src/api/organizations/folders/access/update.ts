import { z } from 'zod';
import { succeeded } from '../../../../http/audit-targets.ts';
import { write } from '../../../../http/endpoint.ts';
import { withOtherProblems } from '../../../../shapes/all-problems.ts';
import { MAX_BATCH } from '../../../../shapes/batch.ts';
import { accessType } from '../../../../shapes/document.ts';
import { folderAccessResult } from '../../../../shapes/folder.ts';
import { folderId, organizationId } from '../../../../shapes/id-fields.ts';
import { folderStates } from '../../../../store/audit/states-before.ts';
import { setFolderAccess } from '../../../../store/documents/change-folders.ts';

export default write({
  path: ['/v2/organizations/folders/access/update', '/v1/organizations/folders/access/update'],
  auth: 'apiKey',
  summary: 'Set the access type of folders, for documents without an access type of their own.',
  description:
    'Also changes the subfolders that inherit their access type. Folders that do not exist are reported, and all others are changed. Raises `folder.update` for each changed folder of the request, but not for its subfolders.',
  data: z
    .object({
      organizationId,
      folderIds: z.array(folderId).min(1).max(MAX_BATCH),
      accessType: accessType.optional(),
      inheritFromParent: z.boolean().optional().describe('Inherits the access type of the parent folder.'),
    })
    .refine(
      ({ accessType, inheritFromParent }) => (accessType !== undefined) !== (inheritFromParent === true),
      {
        path: ['accessType'],
        error: 'Either accessType or inheritFromParent: true is needed, and not both.',
        ...withOtherProblems,
      },
    )
    .meta({ examples: [{ organizationId: 'acme', folderIds: ['salaries'], accessType: 'restricted' }] }),
  result: folderAccessResult.describe('Keyed by folderId.'),
  message: (items) =>
    Object.values(items).some((item) => item.inheritFromParent)
      ? 'Folder access type updated.'
      : 'Updated access for folders successfully.',
  failures: { NOT_FOUND: 'The organization does not exist.' },
  audit: {
    action: 'folder.access_changed',
    before: ({ organizationId, folderIds }, { db, caller }) =>
      folderStates(db, caller, organizationId, folderIds),
    of: ({ organizationId, accessType = null }, items) =>
      succeeded(items).map((id) => ({ id, organizationId, after: { accessType } })),
  },

  async handle({ organizationId, folderIds, accessType = null, inheritFromParent }, { tx, caller }) {
    const updated = await setFolderAccess(tx, caller, organizationId, folderIds, accessType);
    const asked = { accessType, ...(inheritFromParent !== undefined && { inheritFromParent }) };
    return Object.fromEntries(
      folderIds.map((id) => [
        id,
        updated.has(id)
          ? { success: true, ...asked, message: 'Folder access type updated.' }
          : { success: false, ...asked, accessType: null, message: 'Folder not found.', code: 'not-found' },
      ]),
    );
  },
});
