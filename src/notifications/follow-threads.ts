import { subscriber } from '../events/subscriber.ts';
import { deleteOfComment, deleteOfThread, setVisibilityOfThread } from '../store/notification-targets.ts';

/**
 * Notifications hold words of comments: they go when the comment or its thread goes, and are seen by those
 * who may see the thread now.
 */
export const followThreads = subscriber({
  name: 'notifications/threads',
  events: ['comment_annotation.delete', 'comment_annotation.update', 'comment.delete'],

  async handle(tx, { name, payload, workspaceId, apiKeyId }) {
    const scope = { workspaceId, apiKeyId };
    if (name === 'comment_annotation.delete') await deleteOfThread(tx, scope, payload);
    else if (name === 'comment_annotation.update') {
      await setVisibilityOfThread(tx, scope, payload, payload.visibility ?? null);
    } else if (payload.targetComment) {
      await deleteOfComment(tx, scope, payload, payload.targetComment.commentId as number);
    }
  },
});
