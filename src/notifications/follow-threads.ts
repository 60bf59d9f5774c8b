import { subscriber } from '../events/subscriber.ts';
import { type Access, accessFieldsOf } from '../shapes/notification.ts';
import {
  deleteOfComment,
  deleteOfThread,
  setReadersOfThread,
  setWordsOfComment,
} from '../store/notification-targets.ts';
import { wordsOf } from './comment-words.ts';

/**
 * Notifications hold words of comments: they change with the comment, go when it or its thread goes, and are
 * seen by those who may see the thread now.
 */
export const followThreads = subscriber({
  name: 'notifications/threads',
  events: ['comment_annotation.delete', 'comment_annotation.update', 'comment.update', 'comment.delete'],

  async handle(tx, { name, payload, workspaceId, apiKeyId }) {
    const scope = { workspaceId, apiKeyId };
    if (name === 'comment_annotation.delete') await deleteOfThread(tx, scope, payload);
    else if (name === 'comment_annotation.update') {
      await setReadersOfThread(tx, scope, payload, {
        visibility: payload.visibility ?? null,
        accessFields: accessFieldsOf(payload.commentAnnotation.context as { access?: Access } | undefined),
      });
    } else if (payload.targetComment) {
      const commentId = payload.targetComment.commentId as number;
      if (name === 'comment.delete') await deleteOfComment(tx, scope, payload, commentId);
      else await setWordsOfComment(tx, scope, payload, { commentId, words: wordsOf(payload.targetComment) });
    }
  },
});
