import { z } from 'zod';
import {
  ANNOTATION_REPLACED,
  prepareCommentAddition,
} from '../../../access/writing/prepare-comment-addition.ts';
import { statement } from '../../../http/endpoint.ts';
import { commentId, newComments, onAnnotation } from '../../../shapes/annotations/comment.ts';

export default statement({
  path: ['/v2/commentannotations/comments/add', '/v1/commentannotations/comments/add'],
  auth: 'apiKeyOrUser',
  scope: 'comment',
  summary: 'Add comments to an annotation.',
  description:
    'All comments are added or none, except with `verifyUserPermissions`, which leaves out those of authors who may not write: the answer is then `PERMISSION_DENIED`, and the others are written. Authors and mentioned users follow the annotation from then on, unless they have unsubscribed. Live clients always get `comment.add`; with an API key, users are notified and webhooks are sent only for comments with `triggerNotification`.',
  data: z
    .object({
      ...onAnnotation,
      commentData: newComments,
      verifyUserPermissions: z
        .boolean()
        .default(false)
        .describe('Rejects comments of authors who may not write on the document.'),
      createOrganization: z
        .boolean()
        .optional()
        .describe('Accepted without effect: the annotation must exist.'),
      createDocument: z.boolean().optional().describe('Accepted without effect: the annotation must exist.'),
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
  ignores: (data) =>
    (['createOrganization', 'createDocument'] as const)
      .filter((field) => data[field])
      .map((field) => ({ path: [field], because: 'the annotation must exist, and so its document does' })),
  result: z.array(commentId).describe('Ids of the comments, in the order of the request.'),
  message: 'Comment(s) added successfully.',
  failures: {
    NOT_FOUND: 'The document, annotation, agent or stored attachment does not exist.',
    FAILED_PRECONDITION: 'A stored attachment is not uploaded yet, or belongs to another comment.',
    PERMISSION_DENIED:
      'Some authors may not write on the document. `details` has a result for each comment; those with `success: true` were written.',
    ALREADY_EXISTS: 'The annotation already has a comment with this commentId.',
    ABORTED: ANNOTATION_REPLACED,
  },

  handle: ({ commentData, verifyUserPermissions: verify, ...annotation }, { db, caller, attempt }) =>
    prepareCommentAddition(db, caller, annotation, commentData, { verify, attempt }),
});
