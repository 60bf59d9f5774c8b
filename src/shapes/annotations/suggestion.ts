import { z } from 'zod';
import { judgmentRecord, memoryScopes } from '../memory/judgment.ts';

/** A recommendation from earlier decisions. */
export const suggestion = z.object({
  recommendation: z.enum(['approve', 'reject']),
  confidence: z
    .number()
    .describe('0 to 1: how likely the next decision on the like is the recommended one, as far as is known.'),
  basedOn: z.number().describe('How many judgments support it.'),
  scope: z.enum(memoryScopes).describe('Where they were found; the narrowest place that has enough.'),
  scopeLabel: z.string().describe('`This document`, `This organization` or `All content`.'),
  topReasons: z.array(z.string()).describe('What those who decided so said, the weightiest first.'),
  uniqueReviewers: z.number(),
  caveats: z.array(z.string()).describe('What speaks for care, each in words.'),
  precedents: z
    .array(
      judgmentRecord
        .pick({
          recordId: true,
          decision: true,
          actionUser: true,
          agent: true,
          createdAt: true,
          origin: true,
          organizationId: true,
          documentId: true,
          annotationId: true,
        })
        .extend({ similarity: z.number().describe('Cosine with what was asked, -1 to 1.') }),
    )
    .describe('The weightiest of the judgments that support it, at most 10.'),
});
export type Suggestion = z.infer<typeof suggestion>;
