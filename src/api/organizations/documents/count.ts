import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { documentFilter } from '../../../shapes/document.ts';
import { folderId, organizationId } from '../../../shapes/id-fields.ts';
import { insideOf } from '../../../store/documents/folders.ts';
import { countDocuments } from '../../../store/documents/list-documents.ts';

export default read({
  path: '/v2/organizations/documents/count',
  auth: 'apiKey',
  summary: 'Count the documents of an organization or folder.',
  data: z
    .object({
      organizationId,
      folderId: folderId.optional().describe('Only those right in this folder; `root`: those in no folder.'),
      excludeFolderDocs: z.boolean().default(false).describe('Only those in no folder.'),
      filters: z.array(documentFilter).min(1).max(10).optional().describe('All of them must hold.'),
    })
    .refine(({ excludeFolderDocs, filters }) => !excludeFolderDocs || !filters, {
      path: ['filters'],
      error: 'filters and excludeFolderDocs exclude each other.',
      ...withOtherProblems,
    })
    .meta({
      examples: [
        { organizationId: 'acme', filters: [{ key: 'owner', operator: 'in', value: ['Eve', 'Bob'] }] },
      ],
    }),
  result: z.object({
    count: z.number().int(),
    filtersApplied: z.number().int().optional().describe('How many filters held for what was counted.'),
  }),
  message: 'Documents count retrieved successfully.',

  async handle({ organizationId, folderId, excludeFolderDocs, filters = [] }, { db, caller }) {
    const inside = excludeFolderDocs ? null : folderId === undefined ? undefined : insideOf(folderId);
    const count = await countDocuments(db, caller, { organizationId, folderId: inside, filters });
    return { count, ...(filters.length > 0 && { filtersApplied: filters.length }) };
  },
});
