import { z } from 'zod';
import { itemResult, MAX_BATCH } from './batch.ts';
import { accessType } from './document.ts';
import { folderId } from './id-fields.ts';
import { named } from './named.ts';

/** Id of the top level. No folder can have it. */
export const ROOT_FOLDER = 'root';

/** Maximum nesting of folders. */
export const MAX_FOLDER_DEPTH = 30;

const parentFolderId = folderId.describe('Parent folder; `root` is the top level.');

const fields = {
  folderId: folderId.refine((id) => id !== ROOT_FOLDER, {
    error: 'folderId must not be root, which is the top.',
  }),
  folderName: z.string().max(1_000).optional().describe('Defaults to the folderId.'),
  parentFolderId: parentFolderId.optional(),
  accessType: accessType.optional().describe('Defaults to the access type of the parent folder.'),
};

/** New folders. Additional fields of the caller are stored and returned. */
export const newFolders = z
  .array(named('NewFolder', z.looseObject(fields)))
  .min(1)
  .max(MAX_BATCH)
  .describe('Folders in any order. Additional fields of each entry are stored as metadata.');
export type NewFolder = z.infer<typeof newFolders>[number];

export const folder = z.looseObject({
  folderId: z.string(),
  folderName: z.string(),
  organizationId: z.string(),
  parentFolderId,
  apiKey: z.string(),
  createdAt: z.number(),
  lastUpdated: z.number(),
  ancestors: z.array(z.string()).describe("Folders from `root` down to the folder's parent."),
  accessType: accessType.describe('Access type of documents in the folder that have none of their own.'),
  inheritAccessFromParent: z.boolean(),
  get subFolders() {
    return z.array(folder).optional();
  },
});
named('Folder', folder);
export type Folder = z.infer<typeof folder>;

export const folderAccessResult = z.record(
  z.string(),
  itemResult.omit({ id: true }).extend({
    accessType: accessType.nullable().describe('Null if the folder inherits that of its parent.'),
    inheritFromParent: z.boolean().optional(),
  }),
);
