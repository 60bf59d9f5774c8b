import { z } from 'zod';
import { authorize } from '../../access/authorize.ts';
import { actorOf, requireAuthor } from '../../access/writing/author-rules.ts';
import { pageAddress } from '../../annotations/annotation-draft.ts';
import { write } from '../../http/endpoint.ts';
import { annotationSelection } from '../../shapes/annotations/annotation-selection.ts';
import { batchResult } from '../../shapes/batch.ts';
import { agentId, documentId, organizationId } from '../../shapes/id-fields.ts';
import { NO_ORGANIZATION } from '../../shapes/organization.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { deleteAnnotations } from '../../store/annotations/delete-annotations.ts';

export default write({
  path: ['/v2/commentannotations/delete', '/v1/commentannotations/delete'],
  auth: 'apiKeyOrUser',
  availableWhenFull: true,
  summary: 'Delete comment annotations of a document with their comments.',
  description:
    'All filters that are sent must match. Without a filter, all annotations of the document are deleted. A user can delete only their own annotations.',
  data: z
    .object({
      organizationId: organizationId
        .default(NO_ORGANIZATION)
        .describe('Omit it for documents that were created without an organization.'),
      documentId,
      ...annotationSelection,
      agentId: agentId.optional(),
      agentSuggestions: z.boolean().optional().describe('Deletes only suggestions of agents.'),
      agentUrls: z
        .array(
          z.string().refine((url) => pageAddress(url) !== undefined, { error: 'must be the URL of a page' }),
        )
        .min(1)
        .max(1_000)
        .optional()
        .describe('Deletes only annotations that agents created on these pages. URL fragments are ignored.'),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', annotationIds: ['headline'] }] }),
  result: batchResult.describe('Keyed by annotationId.'),
  message: 'Annotations deleted successfully.',

  async handle({ organizationId, documentId, agentUrls, ...rest }, { tx, caller }) {
    const place = { organizationId, documentId };
    await authorize(tx, caller, place, 'editor');
    const selection = { ...rest, agentUrls: agentUrls?.map((url) => pageAddress(url)!) };
    const items = await deleteAnnotations(tx, caller, place, selection, {
      reader: await loadReader(tx, caller, organizationId),
      actionUser: actorOf(caller),
      loud: caller.user !== undefined,
      requireMayDelete: (rows) => requireAuthor(caller, rows),
    });
    return Object.fromEntries(items);
  },
});
