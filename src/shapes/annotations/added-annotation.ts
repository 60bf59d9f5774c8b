import { z } from 'zod';
import { named } from '../named.ts';

/** The result for one new annotation of a batch. */
export const addedAnnotation = named(
  'AddedAnnotation',
  z.object({
    success: z.boolean(),
    annotationId: z
      .string()
      .optional()
      .describe('Absent if the annotation was rejected before it got an id.'),
    commentIds: z.array(z.number().int()).optional(),
    message: z.string(),
    code: z
      .string()
      .optional()
      .describe('Machine-readable error code: `already-exists`, `permission-denied`.'),
    findingId: z.string().optional().describe("Copied from the agent's reason."),
  }),
);
export type AddedAnnotation = z.infer<typeof addedAnnotation>;
