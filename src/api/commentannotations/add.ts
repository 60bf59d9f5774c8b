import { z } from 'zod';
import { admit } from '../../access/admit.ts';
import { acceptAnnotations } from '../../access/writing/accept-annotations.ts';
import { write } from '../../http/endpoint.ts';
import { ApiError } from '../../lib/errors.ts';
import { type AddedAnnotation, addedAnnotation } from '../../shapes/annotations/added-annotation.ts';
import { newAnnotations } from '../../shapes/annotations/new-annotation.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import { addAnnotations } from '../../store/annotations/insert-annotations.ts';
import { holdDocument } from '../../store/documents/documents.ts';
import { holdOrganization } from '../../store/documents/organizations.ts';

const REFUSAL = 'User does not have access to document';

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

  async handle({ organizationId, documentId, commentAnnotations, ...options }, { tx, caller }) {
    const place = { organizationId, documentId };
    await admit(tx, caller, place, 'editor');
    const create = options.createDocument && !caller.user;
    if (create) await holdOrganization(tx, caller, organizationId, { create: options.createOrganization });
    await holdDocument(tx, caller, place, { create });
    const verify = options.verifyUserPermissions;
    const { drafts, denied } = await acceptAnnotations(tx, caller, place, commentAnnotations, { verify });
    const added = await addAnnotations(tx, caller, place, drafts, { byUser: caller.user !== undefined });
    const items = Object.fromEntries([
      ...drafts.map(({ row }) => {
        const commentIds = added.get(row.annotationId);
        const findingId = (row.body.agent as { reason?: { findingId?: string } } | undefined)?.reason
          ?.findingId;
        return [row.annotationId, answerOf(row.annotationId, commentIds, findingId)];
      }),
      ...[...denied].map(([key, { annotationId }]): [string, AddedAnnotation] => [
        key,
        { success: false, annotationId, message: REFUSAL, code: 'permission-denied' },
      ]),
    ]);
    if (denied.size === 0) return items;
    throw new ApiError('PERMISSION_DENIED', REFUSAL, { details: items, commits: true });
  },
});

const answerOf = (
  annotationId: string,
  commentIds: number[] | undefined,
  findingId: string | undefined,
): AddedAnnotation =>
  commentIds
    ? { success: true, annotationId, commentIds, message: 'Added Successfully', findingId }
    : {
        success: false,
        annotationId,
        message: 'Annotation already exists',
        code: 'already-exists',
        findingId,
      };
