import { z } from 'zod';
import { reactionContext } from '../../../access/writing/reacting-user.ts';
import { write } from '../../../http/endpoint.ts';
import { reactionOfUser } from '../../../shapes/annotations/reaction.ts';
import { deleteReaction } from '../../../store/reactions/reaction-rows.ts';

export default write({
  path: '/v2/commentannotations/reactions/delete',
  auth: 'apiKeyOrUser',
  scope: 'comment',
  availableWhenFull: true,
  summary: 'Remove a reaction of a user from an annotation or from one of its comments.',
  description:
    'Removing a reaction that the user does not have changes nothing. Users can remove their own reactions only.',
  data: reactionOfUser,
  result: z.object({
    reactionId: z.string(),
    removed: z.boolean().describe('False if the user did not have the reaction.'),
    count: z.number().int().describe('Number of users who still have the reaction.'),
  }),
  message: 'Reaction deleted successfully.',
  failures: {
    NOT_FOUND: 'The document or annotation does not exist.',
    PERMISSION_DENIED: 'The user may not write on the document, or names another user.',
  },

  async handle({ from, userId, ...reaction }, { tx, caller }) {
    const context = await reactionContext(tx, caller, reaction, { from, userId });
    const { changed, count } = await deleteReaction(
      tx,
      caller,
      { ...reaction, commentId: reaction.commentId },
      context,
    );
    return { reactionId: reaction.reactionId, removed: changed, count };
  },
});
