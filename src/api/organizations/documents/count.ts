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
  description:
    'A document that lacks the field of a filter does not match it, not even with `!=` or `not-in`. An organization or folder that does not exist has 0 documents.',
  data: z
    .object({
      organizationId,
      folderId: folderId
        .optional()
        .describe('Counts only documents directly in this folder; `root`: documents without a folder.'),
      excludeFolderDocs: z.boolean().default(false).describe('Counts only documents without a folder.'),
      filters: z
        .array(documentFilter)
        .min(1)
        .max(10)
        .optional()
        .describe('Counts documents that match all filters.'),
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
  ignores: ({ folderId, excludeFolderDocs }) =>
    excludeFolderDocs && folderId !== undefined
      ? [{ path: ['folderId'], because: 'excludeFolderDocs counts the documents without a folder' }]
      : [],
  result: z.object({
    count: z.number().int(),
    filtersApplied: z.number().int().optional().describe('Number of filters that were applied.'),
  }),
  message: 'Documents count retrieved successfully.',

  async handle({ organizationId, folderId, excludeFolderDocs, filters = [] }, { db, caller }) {
    const inside = excludeFolderDocs ? null : folderId === undefined ? undefined : insideOf(folderId);
    const count = await countDocuments(db, caller, { organizationId, folderId: inside, filters });
    return { count, ...(filters.length > 0 && { filtersApplied: filters.length }) };
  },
});
