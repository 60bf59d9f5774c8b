import { z } from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { withLinks } from '../../../annotations/attachment-record.ts';
import { attachmentLinks } from '../../../files/attachments.ts';
import { read } from '../../../http/endpoint.ts';
import { commentId, onAnnotation } from '../../../shapes/annotations/comment.ts';
import { comment } from '../../../shapes/annotations/comment-record.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { loadReader } from '../../../store/access/visibility-sql.ts';
import { hasAnnotation, listComments } from '../../../store/annotations/list-comments.ts';
import { withReactions } from '../../../store/reactions/reaction-summaries.ts';

export default read({
  path: '/v2/commentannotations/comments/get',
  auth: 'apiKeyOrUser',
  summary: 'Get the comments of an annotation, oldest first.',
  description:
    'All comments are returned at once. An annotation that does not exist, or that the user may not see, has none.',
  data: z
    .object({
      ...onAnnotation,
      commentIds: z
        .array(commentId)
        .min(1)
        .max(MAX_BATCH)
        .optional()
        .describe('Returns these entries in this order, with `null` for those that do not exist.'),
      userIds: z
        .array(userId)
        .min(1)
        .max(MAX_BATCH)
        .optional()
        .describe('Returns only comments of these authors.'),
    })
    .meta({
      examples: [{ organizationId: 'acme', documentId: 'website', annotationId: 'headline' }],
    }),
  result: z.array(comment.nullable()),
  message: 'Comments retrieved successfully.',

  async handle({ commentIds, userIds, ...annotation }, { db, caller, keyring, origin }) {
    await authorize(db, caller, annotation, 'viewer');
    const reader = await loadReader(db, caller, annotation.organizationId);
    const shown = reader === undefined || (await hasAnnotation(db, caller, annotation, reader));
    const found = shown ? await listComments(db, caller, annotation, { commentIds, userIds }) : [];
    const link = attachmentLinks(keyring, origin(), caller.apiKeyId);
    const comments =
      found.length > 0
        ? (await withReactions(db, caller, annotation, reader, found)).map((one) => withLinks(one, link))
        : found;
    if (!commentIds) return comments;
    const byId = new Map(comments.map((found) => [found.commentId, found]));
    return [...new Set(commentIds)].map((id) => byId.get(id) ?? null);
  },
});
