import { z } from 'zod';

const sample = z.looseObject({
  content: z.string(),
  source: z.enum(['synthetic', 'user-provided']),
  findings: z.array(
    z.looseObject({
      message: z.string(),
      elementSelector: z.string().optional(),
      isCorrect: z.boolean().optional(),
    }),
  ),
  pmVerdict: z.enum(['correct', 'incorrect']).optional(),
  pmNotes: z.string().optional(),
});

const origin = z.looseObject({
  checklistId: z.string(),
  checklistVersion: z.number().int().min(0),
  sectionRefs: z.array(z.string()),
  memoryRuleIds: z.array(z.string()),
  deduplicatedFrom: z.number().int().min(0).optional(),
});

/** Notes of the tools that made the agent; no run reads them. */
export const setup = z.looseObject({
  setupSamples: z.array(sample).optional(),
  checklistOrigin: origin.optional(),
});
