import { z } from 'zod';
import { writingUser } from '../../../access/acting-member.ts';
import { authorize } from '../../../access/authorize.ts';
import { updateWithFiles } from '../../../access/writing/attached-files.ts';
import { loadKnownPeople } from '../../../access/writing/known-people.ts';
import { statement } from '../../../http/endpoint.ts';
import { invalidRequest } from '../../../lib/errors.ts';
import {
  commentChanges,
  commentId,
  commentResult,
  onAnnotation,
} from '../../../shapes/annotations/comment.ts';
import { MAX_BATCH } from '../../../shapes/batch.ts';
import type { UpdatedComment } from '../../../store/annotations/change-comments.ts';

export default statement({
  path: ['/v2/commentannotations/comments/update', '/v1/commentannotations/comments/update'],
  auth: 'apiKeyOrUser',
  summary: 'Change comments of an annotation.',
  description:
    'Users may change their own comments, and admins also those of others. The author of a comment does not change.',
  data: z
    .object({
      ...onAnnotation,
      commentIds: z.array(commentId).min(1).max(MAX_BATCH),
      updatedData: commentChanges.describe('Fields that are not sent keep their values.'),
    })
    .meta({
      examples: [
        {
          organizationId: 'acme',
          documentId: 'website',
          annotationId: 'headline',
          commentIds: [778115],
          updatedData: {
            commentText: 'Much shorter, please.',
            from: { userId: 'eve', name: 'Eve', email: 'eve@example.com' },
          },
        },
      ],
    }),
  result: z.record(z.string(), commentResult).describe('Keyed by commentId.'),
  message: 'Comment updated successfully.',
  failures: {
    NOT_FOUND: 'A stored attachment does not exist on the document.',
    FAILED_PRECONDITION: 'A stored attachment is not uploaded yet, or belongs to another comment.',
    ABORTED: 'A stored attachment was used or deleted at the same time; nothing was written.',
    PERMISSION_DENIED: 'The user may not write on the document, or is not the author of the comment.',
  },

  async handle({ commentIds, updatedData, ...annotation }, { db, caller }) {
    await authorize(db, caller, annotation, 'editor');
    const from = writingUser(caller, updatedData.from);
    if (!from) {
      const message = 'updatedData.from is required.';
      throw invalidRequest([{ path: ['updatedData', 'from'], code: 'custom', message }]);
    }
    const known = await loadKnownPeople(db, caller, { mentioning: [updatedData] });
    const changes = { ...known.mentions(updatedData), from: { ...from } };
    return {
      statement: await updateWithFiles(db, caller, { annotation, commentIds, changes }),
      result(rows: UpdatedComment[]) {
        const updated = new Set(rows.map(({ commentId }) => commentId));
        return Object.fromEntries(
          commentIds.map((id) => [
            id,
            updated.has(id)
              ? { success: true, id, message: 'Updated successfully' }
              : { success: false, id, message: 'Not found' },
          ]),
        );
      },
    };
  },
});
