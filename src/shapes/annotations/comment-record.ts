import { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { documentedAs, named } from '../named.ts';
import { type User, user } from '../user.ts';
import { commentDocumentation } from './documented.ts';
import { reactionSummaries } from './reaction.ts';

const parsed = z.looseObject({
  commentId: z.number().int(),
  type: z.string().optional().describe('`text` or `voice`.'),
  status: z.string().optional().describe('`added` or `updated`.'),
  sourceType: z.string().optional().describe('`agent` if an agent wrote it.'),
  commentText: z.string().optional(),
  commentHtml: z.string().optional(),
  from: user.optional(),
  to: z.array(user).optional().describe('The mentioned users.'),
  reactions: reactionSummaries,
  createdAt: z.number().describe('Epoch milliseconds.'),
  lastUpdated: z.string().describe('ISO 8601.'),
});

export const wholeComment = parsed.extend(commentDocumentation);
export const comment = named('Comment', documentedAs(wholeComment, parsed));
export type Comment = z.infer<typeof comment>;

/** The fields of a comment's record that have no column. Rows of earlier versions may lack any known field. */
export interface CommentBody extends Fields {
  type?: string;
  status?: string;
  sourceType?: string;
  commentText?: string;
  commentHtml?: string;
  from?: User;
  to?: User[];
  agent?: Fields;
}
