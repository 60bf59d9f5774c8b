import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { folderId, organizationId } from '../../../shapes/id-fields.ts';
import { deleteFolder } from '../../../store/documents/folders.ts';

export default write({
  path: ['/v2/organizations/folders/delete', '/v1/organizations/folders/delete'],
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete a folder with all its subfolders and documents.',
  description:
    'The deletion is complete when the answer arrives, and cannot be undone. To keep documents, move them first with organizations/documents/move. Raises `document.delete` for each document and `folder.delete` for each folder.',
  data: z
    .object({ organizationId, folderId })
    .meta({ examples: [{ organizationId: 'acme', folderId: 'handbook' }] }),
  result: z.null(),
  message: 'Folder deletion initiated successfully.',
  failures: { NOT_FOUND: 'The folder does not exist.' },
  audit: {
    action: 'folder.deleted',
    of: ({ organizationId, folderId }) => ({ id: folderId, organizationId }),
  },

  async handle({ organizationId, folderId }, { tx, caller }) {
    await deleteFolder(tx, caller, organizationId, folderId);
    return null;
  },
});
