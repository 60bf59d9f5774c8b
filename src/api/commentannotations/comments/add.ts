import { z } from 'zod';
import { actingUser, admit, rolesOnDocument } from '../../../access/admit.ts';
import { write } from '../../../http/endpoint.ts';
import { identifyAgents } from '../../../review/identify-agents.ts';
import { commentId, newComments, onAnnotation } from '../../../shapes/comment.ts';
import { addComments } from '../../../store/comment-additions.ts';
import { requireAnnotation } from '../../../store/comment-lists.ts';
import { authorsDenied } from '../../../store/comments.ts';
import { prepareComments } from '../../../store/prepare-comment.ts';
import { loadReader } from '../../../store/readers.ts';

export default write({
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
          documentId: 'home',
          annotationId: 'headline',
          commentData: [
            { commentText: 'Shorter, please.', from: { userId: 'u1', name: 'Ann', email: 'ann@acme.com' } },
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
  },
  singleStatement: true,

  async handle({ commentData, verifyUserPermissions, ...annotation }, { tx, caller }) {
    await admit(tx, caller, annotation, 'editor');
    const byUser = caller.user !== undefined;
    const drafts = commentData.map((comment) => ({ ...comment, from: actingUser(caller, comment.from) }));
    const comments = prepareComments(await identifyAgents(tx, caller, drafts), {
      now: Date.now(),
      byUser,
      path: ['commentData'],
    });
    if (byUser) {
      const reader = await loadReader(tx, caller, annotation.organizationId);
      await requireAnnotation(tx, caller, annotation, reader);
    }
    if (!verifyUserPermissions) return await addComments(tx, caller, annotation, comments, { byUser });
    await requireAnnotation(tx, caller, annotation, undefined);
    const people = comments.filter(({ body }) => !body.agent).map(({ from }) => from.userId);
    const roles = await rolesOnDocument(tx, caller, annotation, [...new Set(people)]);
    const denied = comments.map(({ from, body }) => !body.agent && roles.get(from.userId) !== 'editor');
    const allowed = comments.filter((_, index) => !denied[index]);
    const commentIds = await addComments(tx, caller, annotation, allowed, { byUser });
    if (allowed.length < comments.length) throw authorsDenied(comments, denied, commentIds);
    return commentIds;
  },
});
