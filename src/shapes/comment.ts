import { z } from 'zod';
import { user } from './user.ts';

export const comment = z.looseObject({
  commentId: z.number().int(),
  type: z.string().optional().describe('`text` or `voice`.'),
  status: z.string().optional().describe('`added` or `updated`.'),
  sourceType: z.string().optional().describe('`agent` where an agent wrote it.'),
  commentText: z.string().optional(),
  commentHtml: z.string().optional(),
  from: user.optional(),
  createdAt: z.number().describe('Epoch milliseconds.'),
  lastUpdated: z.string().describe('ISO 8601.'),
});
export type Comment = z.infer<typeof comment>;
