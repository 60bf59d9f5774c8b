import { z } from 'zod';
import { addAnnotations } from '../../access/writing/add-annotations.ts';
import { write } from '../../http/endpoint.ts';
import { addedAnnotation } from '../../shapes/annotations/added-annotation.ts';
import { newAnnotations } from '../../shapes/annotations/new-annotation.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';

export default write({
  path: ['/v2/commentannotations/add', '/v1/commentannotations/add'],
  auth: 'apiKeyOrUser',
  summary: 'Add comment annotations with their first comments to a document.',
  description: 'A user is the author of what they add, and makes no organizations or documents by it.',
  data: z
    .object({
      organizationId,
      documentId,
      createOrganization: z.boolean().default(true).describe('Whether to make a missing organization.'),
      createDocument: z.boolean().default(false).describe('Whether to make a missing document.'),
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Whether authors must be able to write on the document by what is stored of them.'),
      commentAnnotations: newAnnotations,
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          commentAnnotations: [
            {
              annotationId: 'headline',
              location: { id: 'prices', locationName: 'Prices' },
              targetElement: { targetText: 'per month', occurrence: 1 },
              commentData: [
                {
                  commentId: 778_115,
                  commentText: 'Per year, surely?',
                  from: { userId: 'eve', name: 'Eve' },
                },
              ],
            },
          ],
        },
      ],
    }),
  result: z.record(z.string(), addedAnnotation).describe('By annotationId.'),
  message: 'Comment Annotation(s) added successfully.',
  failures: {
    NOT_FOUND: 'The document does not exist and is not to be made, or an agent does not exist.',
    PERMISSION_DENIED:
      'Some authors may not write on the document. `details` is what would have been answered: the others are added.',
  },

  handle: ({ organizationId, documentId, commentAnnotations, ...options }, { tx, caller }) =>
    addAnnotations(tx, caller, { organizationId, documentId }, commentAnnotations, options),
});
