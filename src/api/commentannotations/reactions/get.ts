import { z } from 'zod';
import { authorize } from '../../../access/authorize.ts';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { commentId, onAnnotation } from '../../../shapes/annotations/comment.ts';
import { reactionId, reactionRecord } from '../../../shapes/annotations/reaction.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { loadReader } from '../../../store/access/visibility-sql.ts';
import { requireAnnotation } from '../../../store/annotations/list-comments.ts';
import { listReactions } from '../../../store/reactions/reaction-rows.ts';

export default read({
  path: '/v2/commentannotations/reactions/get',
  auth: 'apiKeyOrUser',
  summary: 'List the reactions to an annotation and its comments, newest first.',
  description:
    'Returns one entry for each user and reaction, with the current names of the users. Comments and annotations have summaries of the same reactions in `reactions`.',
  data: z
    .object({
      ...onAnnotation,
      commentId: commentId.optional().describe('Returns only reactions to this comment.'),
      reactionId: reactionId.optional(),
      pageSize: pageSize(1_000, 100),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', annotationId: 'headline' }] }),
  result: z.array(reactionRecord),
  message: 'Reactions retrieved successfully.',
  page: 'nextPageToken',
  failures: { NOT_FOUND: 'The document or annotation does not exist.' },

  async handle({ commentId, reactionId, pageSize, pageToken, ...annotation }, { db, caller, keyring }) {
    await authorize(db, caller, annotation, 'viewer');
    const reader = await loadReader(db, caller, annotation.organizationId);
    await requireAnnotation(db, caller, annotation, reader);
    const filter = { commentId, reactionId };
    const list = ['reactions', caller.apiKeyId, JSON.stringify([annotation, filter])];
    const position = pageToken === undefined ? [] : openCursor(keyring, list, pageToken);
    const { records, next } = await listReactions(db, caller, annotation, filter, {
      position,
      size: pageSize,
    });
    return { data: records, next: next && sealCursor(keyring, list, next) };
  },
});
