import { z } from 'zod';
import { reactionContext } from '../../../access/writing/reacting-user.ts';
import { write } from '../../../http/endpoint.ts';
import {
  MAX_KINDS,
  MAX_OF_USER,
  MAX_REACTIONS,
  reactionOfUser,
} from '../../../shapes/annotations/reaction.ts';
import { addReaction } from '../../../store/reactions/reaction-rows.ts';

export default write({
  path: '/v2/commentannotations/reactions/add',
  auth: 'apiKeyOrUser',
  scope: 'comment',
  summary: 'Add a reaction of a user to an annotation or to one of its comments.',
  description: `A user has each reaction at most once, so a repeated request changes nothing. An annotation or comment has at most ${MAX_KINDS} different reactions and ${MAX_OF_USER} of each user, and an annotation with its comments at most ${MAX_REACTIONS}. Reactions do not change \`lastUpdated\` and do not make an annotation unread.`,
  data: reactionOfUser,
  result: z.object({
    reactionId: z.string(),
    added: z.boolean().describe('False if the user had the reaction already.'),
    count: z.number().int().describe('Number of users who have the reaction now.'),
  }),
  message: 'Reaction added successfully.',
  failures: {
    NOT_FOUND: 'The document, annotation or comment does not exist.',
    FAILED_PRECONDITION: 'There are too many reactions.',
    PERMISSION_DENIED: 'The user may not write on the document, or names another user.',
  },

  async handle({ from, userId, ...reaction }, { tx, caller }) {
    const context = await reactionContext(tx, caller, reaction, { from, userId });
    const { changed, count } = await addReaction(
      tx,
      caller,
      { ...reaction, commentId: reaction.commentId },
      context,
    );
    return { reactionId: reaction.reactionId, added: changed, count };
  },
});
