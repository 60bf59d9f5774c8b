import { z } from 'zod';
import { userId } from '../id-fields.ts';
import { named } from '../named.ts';
import { user } from '../user.ts';
import { commentId, onAnnotation } from './comment.ts';

/** Users whom a record names for each reaction. */
export const MAX_NAMED_USERS = 20;
/** Different reactions on one annotation or comment. */
export const MAX_KINDS = 50;
/** Reactions of one user on one annotation or comment. */
export const MAX_OF_USER = 20;
/** Reactions on an annotation and its comments. */
export const MAX_REACTIONS = 1_000;

export const reactionId = z
  .string()
  .max(64)
  .regex(/^[^\p{Cc}]*$/u, { error: 'must not contain control characters' })
  .regex(/\S/, { error: 'must not be empty' })
  .transform((text) => text.normalize('NFC'))
  .describe('An emoji, or a name that the caller gives to a reaction, such as `agree`.');

/** The reactions of one kind in a record. */
export const reactionSummary = named(
  'ReactionSummary',
  z
    .object({
      reactionId: z.string(),
      count: z.number().int(),
      users: z.array(user).describe(`The first ${MAX_NAMED_USERS} users.`),
      isOwn: z.boolean().optional().describe('Present for users: true if the user is one of them.'),
    })
    .describe('The reactions of one kind on an annotation or comment.'),
);
export type ReactionSummary = z.infer<typeof reactionSummary>;

export const reactionSummaries = z
  .array(reactionSummary)
  .optional()
  .describe('Reactions by kind, in the order of their first use. Absent without any.');

/** One reaction of one user. */
export const reactionRecord = named(
  'Reaction',
  z.object({
    reactionId: z.string(),
    commentId: z.number().int().optional().describe('Absent for a reaction on the annotation itself.'),
    from: user,
    createdAt: z.number().describe('Epoch milliseconds.'),
  }),
);
export type ReactionRecord = z.infer<typeof reactionRecord>;

/** A reaction of a user, as requests to add and delete it name it. */
export const reactionOfUser = z
  .object({
    ...onAnnotation,
    commentId: commentId.optional().describe('Without it, the reaction is to the annotation itself.'),
    reactionId,
    from: user
      .extend({ userId })
      .optional()
      .describe('The user who reacts. Required unless the caller is a user or `userId` is sent.'),
    userId: userId.optional().describe('Id of the user who reacts, instead of `from`.'),
  })
  .meta({
    examples: [
      {
        organizationId: 'acme',
        documentId: 'website',
        annotationId: 'headline',
        commentId: 778_115,
        reactionId: '👍',
        from: { userId: 'eve', name: 'Eve' },
      },
    ],
  });
