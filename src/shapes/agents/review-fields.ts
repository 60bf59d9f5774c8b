import { z } from 'zod';
import { withOtherProblems } from '../all-problems.ts';
import { agentId, documentId, groupId, organizationId } from '../id-fields.ts';
import { named } from '../named.ts';
import { reviewPresets } from './review.ts';
import { authField, runFields } from './run-fields.ts';

const reviewData = z
  .strictObject({
    urls: z
      .array(z.url({ protocol: /^https?$/ }).max(2000))
      .min(1)
      .max(100),
    agents: z.array(agentId).min(1).max(100).optional().describe('Ids of agents.'),
    preset: z
      .enum(reviewPresets)
      .optional()
      .describe('Built-in agents for a purpose. They come after those of `agents`, and need no model.'),
    groupId: groupId.optional().describe('A group of agents, which come last.'),
    organizationId: organizationId.optional(),
    documentId: documentId.optional().describe('Document on which findings become comment annotations.'),
    ...runFields,
  })
  .refine(
    ({ agents, preset, groupId }) => agents !== undefined || preset !== undefined || groupId !== undefined,
    { ...withOtherProblems, error: 'Give agents, preset or groupId.', path: ['agents'] },
  )
  .refine((data) => (data.organizationId === undefined) === (data.documentId === undefined), {
    ...withOtherProblems,
    error: 'organizationId and documentId go together.',
    path: ['documentId'],
  });
export type ReviewData = z.output<typeof reviewData>;

/** The data of a review that a schedule starts. */
export const scheduledReviewData = named('ScheduledReview', reviewData.describe('The data of reviews/run.'));

/** The data of reviews/run. */
export const reviewRunData = reviewData.safeExtend(authField);
