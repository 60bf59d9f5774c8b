import { z } from 'zod';
import { prepareAnnotationAddition } from '../../access/writing/add-annotations.ts';
import { statement } from '../../http/endpoint.ts';
import { addedAnnotation } from '../../shapes/annotations/added-annotation.ts';
import { newAnnotations } from '../../shapes/annotations/new-annotation.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';

export default statement({
  path: ['/v2/commentannotations/add', '/v1/commentannotations/add'],
  auth: 'apiKeyOrUser',
  scope: 'comment',
  summary: 'Add comment annotations with their first comments to a document.',
  description: 'With a user token, that user is the author, and organizations and documents are not created.',
  data: z
    .object({
      organizationId,
      documentId,
      createOrganization: z
        .boolean()
        .default(true)
        .describe('Creates the organization if it does not exist.'),
      createDocument: z.boolean().default(false).describe('Creates the document if it does not exist.'),
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Rejects authors whose stored grants do not allow them to write on the document.'),
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
  result: z.record(z.string(), addedAnnotation).describe('Keyed by annotationId.'),
  message: 'Comment Annotation(s) added successfully.',
  failures: {
    NOT_FOUND:
      'The document does not exist and `createDocument` is false, or an agent or a stored attachment does not exist.',
    FAILED_PRECONDITION: 'A stored attachment is not uploaded yet, or belongs to another comment.',
    ABORTED: 'A stored attachment was used or deleted at the same time; nothing was written.',
    PERMISSION_DENIED:
      'Some authors may not write on the document. `details` contains the result of each annotation; the others were added.',
  },

  handle: ({ organizationId, documentId, commentAnnotations, ...options }, { db, caller }) =>
    prepareAnnotationAddition(db, caller, { organizationId, documentId }, commentAnnotations, options),
});
