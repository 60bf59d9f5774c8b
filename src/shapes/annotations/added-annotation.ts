import { z } from 'zod';

/** The answer about one new annotation, under its id. */
export const addedAnnotation = z.object({
  success: z.boolean(),
  annotationId: z.string().optional().describe('Absent of one that was refused and had no id yet.'),
  commentIds: z.array(z.number().int()).optional(),
  message: z.string(),
  code: z.string().optional().describe('Why it failed, for programs: `already-exists`, `permission-denied`.'),
  findingId: z.string().optional().describe("As the agent's reason has it."),
});
export type AddedAnnotation = z.infer<typeof addedAnnotation>;
