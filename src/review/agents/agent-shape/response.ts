import { z } from 'zod';
import { responseAdapterNames } from '../../respond/index.ts';

/** How the answer of a run is shaped. */
export const response = z.looseObject({
  useAiFormatting: z
    .boolean()
    .optional()
    .describe('Has a model put what a run came to into words: `response.formatted` of the execution.'),
  formattingPrompt: z.string().optional().describe('How it is to do that.'),
  responseAdapter: z.enum(responseAdapterNames).optional(),
});

const stage = z.looseObject({ enabled: z.boolean().optional().describe('On unless it is false.') });

/** What happens to the findings of a page, stage by stage. */
export const postProcess = z.looseObject({
  guardrails: stage.optional().describe('Drops findings below a confidence of 50 and exact repeats.'),
  deletePreviousSuggestions: stage
    .optional()
    .describe(
      "Clears the last run's pending suggestions for the page, but for those that are found again, which stay.",
    ),
  pinResolution: stage.optional().describe('Looks up where on the page a finding lies.'),
  annotations: stage
    .extend({ strategy: z.enum(['findings', 'word-level', 'page-level', 'none']).optional() })
    .optional(),
  analytics: stage.optional(),
  matchAndMerge: stage.optional().describe('Accepted, without effect.'),
  customProcessors: z.array(z.string()).optional(),
});
