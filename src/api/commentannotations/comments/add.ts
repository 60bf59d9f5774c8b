import { z } from 'zod';
import { ANNOTATION_REPLACED, addComments } from '../../../access/writing/add-comments.ts';
import { statement } from '../../../http/endpoint.ts';
import { commentId, newComments, onAnnotation } from '../../../shapes/annotations/comment.ts';

export default statement({
  path: ['/v2/commentannotations/comments/add', '/v1/commentannotations/comments/add'],
  auth: 'apiKeyOrUser',
  summary: 'Add comments to an annotation.',
  data: z
    .object({
      ...onAnnotation,
      commentData: newComments,
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Whether to refuse comments of authors who may not write on the document.'),
      createOrganization: z.boolean().optional().describe('Without effect: the annotation must be there.'),
      createDocument: z.boolean().optional().describe('Without effect: the annotation must be there.'),
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          annotationId: 'headline',
          commentData: [
            {
              commentText: 'Shorter, please.',
              from: { userId: 'eve', name: 'Eve', email: 'eve@example.com' },
            },
          ],
        },
      ],
    }),
  result: z.array(commentId).describe('The numbers of the comments, in the order they were sent in.'),
  message: 'Comment(s) added successfully.',
  failures: {
    NOT_FOUND: 'There is no such document, annotation or agent.',
    PERMISSION_DENIED: '`details` tells of each comment; those with `success: true` were written.',
    ALREADY_EXISTS: 'The annotation has a comment with this commentId.',
    ABORTED: ANNOTATION_REPLACED,
  },

  handle: ({ commentData, verifyUserPermissions: verify, ...annotation }, { db, caller, attempt }) =>
    addComments(db, caller, annotation, commentData, { verify, attempt }),
});
