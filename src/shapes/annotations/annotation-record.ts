import { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { documentedAs, named } from '../named.ts';
import { type User, user } from '../user.ts';
import type { Status, Visibility } from './annotation.ts';
import { comment } from './comment-record.ts';
import { annotationDocumentation, type DecidedByAssistant } from './documented.ts';
import { reactionSummaries } from './reaction.ts';

// A loose object, since a record parses each of its keys.
const fields = z.looseObject({});

const parsed = z.looseObject({
  annotationId: z.string(),
  annotationNumber: z
    .number()
    .int()
    .describe('Sequential number within the document. Numbers are never reused.'),
  type: z.string().optional().describe('`comment` or `suggestion`.'),
  sourceType: z.string().optional().describe('`agent` if an agent created it.'),
  from: user.optional(),
  status: fields.optional(),
  suggestion: fields.optional(),
  agent: fields.optional(),
  visibilityConfig: fields.optional(),
  metadata: fields.optional(),
  pageInfo: fields.optional(),
  targetElement: fields.optional(),
  reactions: reactionSummaries,
  comments: z.array(comment).describe('Oldest first.'),
  createdAt: z.number().describe('Epoch milliseconds.'),
  lastUpdated: z.number().describe('Epoch milliseconds.'),
});
export const annotation = named('Annotation', documentedAs(parsed.extend(annotationDocumentation), parsed));
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
  decidedByAssistant?: DecidedByAssistant;
  agent?: Fields;
}
