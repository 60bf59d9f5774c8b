import { z } from 'zod';
import { itemResult, MAX_BATCH } from './batch.ts';
import { accessType } from './document.ts';
import { folderId } from './id-fields.ts';

/** Names the top, where no folder is around; so no folder can have this id. */
export const ROOT_FOLDER = 'root';

/** Deepest nesting of folders. */
export const MAX_FOLDER_DEPTH = 30;

const parentFolderId = folderId.describe('The folder it lies in; `root` is the top.');

const fields = {
  folderId: folderId.refine((id) => id !== ROOT_FOLDER, {
    error: 'folderId must not be root, which is the top.',
  }),
  folderName: z.string().max(1_000).optional().describe('By default the folderId.'),
  parentFolderId: parentFolderId.optional(),
  accessType: accessType.optional().describe('By default that of the folder around it.'),
};

/** New folders; a caller's own fields are kept and returned. */
export const newFolders = z
  .array(z.looseObject(fields))
  .min(1)
  .max(MAX_BATCH)
  .describe('In any order. Further fields of each are kept as metadata.');
export type NewFolder = z.infer<typeof newFolders>[number];

export const folder = z.looseObject({
  folderId: z.string(),
  folderName: z.string(),
  organizationId: z.string(),
  parentFolderId,
  apiKey: z.string(),
  createdAt: z.number(),
  lastUpdated: z.number(),
  ancestors: z.array(z.string()).describe('From `root` down to the folder it lies in.'),
  accessType: accessType.describe('What holds for documents in it that have no access type of their own.'),
  inheritAccessFromParent: z.boolean(),
  get subFolders() {
    return z.array(folder).optional();
  },
});
export type Folder = z.infer<typeof folder>;

export const folderAccessResult = z.record(
  z.string(),
  itemResult.omit({ id: true }).extend({
    accessType: accessType.nullable().describe('Null where the folder takes that of the one around it.'),
    inheritFromParent: z.boolean().optional(),
  }),
);
