import { z } from 'zod';
import { MAX_BATCH } from '../batch.ts';
import { annotationId } from '../id-fields.ts';
import { annotationFields, underOneName } from './annotation.ts';
import { newComments } from './comment.ts';

/** Keys of its own that the caller gives an annotation must not get into the way of how others name it. */
const newAnnotationId = annotationId.regex(/^[^:]*$/, { error: 'must not contain a colon' });

/** New annotations; a caller's own fields are kept and returned. */
export const newAnnotations = z
  .array(
    underOneName(
      z.looseObject({
        annotationId: newAnnotationId.optional().describe('By default a new one.'),
        ...annotationFields,
        commentData: newComments.describe('The author of the first is that of the annotation.'),
      }),
    ),
  )
  .min(1)
  .max(MAX_BATCH)
  .describe('Further fields of each are kept with the annotation.');
export type NewAnnotation = z.infer<typeof newAnnotations>[number];
