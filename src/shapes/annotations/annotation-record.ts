import { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { type User, user } from '../user.ts';
import type { Status, Visibility } from './annotation.ts';
import { comment } from './comment.ts';
import { reactionSummaries } from './reaction.ts';

// A loose object, since a record parses each of its keys.
const fields = z.looseObject({});

export const annotation = z.looseObject({
  annotationId: z.string(),
  annotationNumber: z
    .number()
    .int()
    .describe('Sequential number within the document. Numbers are never reused.'),
  type: z.string().optional().describe('`comment` or `suggestion`.'),
  sourceType: z.string().optional().describe('`agent` if an agent created it.'),
  from: user.optional(),
  status: fields
    .optional()
    .describe('`id`, `name`, `type` (default, ongoing, terminal), `color`, `lightColor`.'),
  suggestion: fields.optional().describe('`status` is `pending`, `accepted` or `rejected`.'),
  agent: fields.optional().describe('The agent that created it, with the page and the reason.'),
  visibilityConfig: fields.optional(),
  metadata: fields.optional().describe('Ids of its API key, organization and document.'),
  pageInfo: fields.optional(),
  targetElement: fields.optional().describe('The text that the annotation is about.'),
  reactions: reactionSummaries,
  comments: z.array(comment).describe('Oldest first.'),
  createdAt: z.number().describe('Epoch milliseconds.'),
  lastUpdated: z.number().describe('Epoch milliseconds.'),
});
export type Annotation = z.infer<typeof annotation>;

/**
 * The fields of an annotation's record that have no column. Additional fields of the caller are stored unchanged. Rows
 * of earlier versions may lack any known field.
 */
export interface AnnotationBody extends Fields {
  type?: string;
  sourceType?: string;
  from?: User;
  status?: Partial<Status>;
  visibilityConfig?: Visibility;
  metadata?: Fields;
  pageInfo?: Fields;
  targetElement?: Fields;
  suggestion?: Fields;
  agent?: Fields;
}
