import { z } from 'zod';
import { judgmentRecord, memoryScopes } from '../memory/judgment.ts';
import { named } from '../named.ts';

/** A recommendation from earlier decisions. */
export const suggestion = named(
  'Recommendation',
  z.object({
    recommendation: z.enum(['approve', 'reject']),
    confidence: z
      .number()
      .describe(
        'Estimated probability, from 0 to 1, that the next decision on a similar item follows the recommendation.',
      ),
    basedOn: z.number().describe('Number of judgments that support the recommendation.'),
    scope: z.enum(memoryScopes).describe('Scope of the judgments: the narrowest one with enough of them.'),
    scopeLabel: z.string().describe('`This document`, `This organization` or `All content`.'),
    topReasons: z.array(z.string()).describe('Reasons of the supporting judgments, by weight.'),
    uniqueReviewers: z.number(),
    caveats: z.array(z.string()).describe('Reasons for caution, as sentences.'),
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
          .extend({ similarity: z.number().describe('Cosine similarity to the item, from -1 to 1.') }),
      )
      .describe('Supporting judgments with the highest weight, at most 10.'),
  }),
);
export type Suggestion = z.infer<typeof suggestion>;
