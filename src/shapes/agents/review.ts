import { z } from 'zod';
import { named } from '../named.ts';
import { severity } from './execution.ts';
import { execution, verdict } from './execution-record.ts';
import { screenshotChoices } from './run.ts';

export const reviewPresets = ['launch', 'content', 'accessibility', 'privacy'] as const;
export type ReviewPreset = (typeof reviewPresets)[number];

/** Fields of a request that are returned if they were sent. */
export const sentChoices = {
  pages: z.array(z.string()).optional().describe('Globs of the pages that are reviewed, if they were sent.'),
  sitemap: z.boolean().optional(),
  screenshots: z.enum(screenshotChoices).optional(),
  severities: z.record(z.string(), z.union([severity, z.literal('off')])).optional(),
};
export type SentChoices = z.infer<z.ZodObject<typeof sentChoices>>;

/** Numbers of the findings of a review, each counted once even if several agents report it. */
export const reviewCounts = named(
  'ReviewCounts',
  z.object({
    findings: z.number(),
    open: z.number().describe('Number of findings that no person has rejected or resolved.'),
    bySeverity: z.partialRecord(severity, z.number()).describe('Numbers of the open findings by severity.'),
    new: z.number().optional().describe('Number of findings that the previous runs did not have.'),
    fixed: z.number().optional().describe('Number of findings of the previous runs that are gone.'),
    pages: z.number().describe('Number of pages that at least one agent reviewed.'),
  }),
);

const progress = z.object({ urlsPlanned: z.number(), urlsProcessed: z.number(), findings: z.number() });

/** One run of a review. */
export const reviewExecution = named(
  'ReviewExecution',
  z.object({
    executionId: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    url: z.string().describe('The URL at which it starts.'),
    status: execution.shape.status,
    verdict: verdict.optional(),
    progress: progress.describe('Pages that are planned and done so far, and their findings.'),
    error: execution.shape.error,
  }),
);

export const review = named(
  'Review',
  z.object({
    id: z.string(),
    status: z.enum(['running', 'ended']),
    verdict: verdict.optional().describe('The gravest of its executions; present once the review has ended.'),
    urls: z.array(z.string()),
    agents: z.array(z.object({ agentId: z.string(), name: z.string() })),
    preset: z.string().optional(),
    groupId: z.string().optional(),
    config: z.object({
      crossPageExecute: z.boolean(),
      maxUrlsToProcess: z.number(),
      deviceType: z.enum(['mobile', 'desktop']),
      ...sentChoices,
    }),
    metadata: z.object({ organizationId: z.string(), documentId: z.string() }),
    startedAt: z.number().describe('Epoch milliseconds.'),
    completedAt: z.number().nullable().describe('Epoch milliseconds; null while the review is running.'),
    durationMs: z.number().nullable().describe('Null while the review is running.'),
    progress: progress.describe(
      'Sums over its executions: a page counts for each agent that reviews it, and so does a finding.',
    ),
    counts: reviewCounts.optional().describe('Present once the review has ended.'),
    executions: z.array(reviewExecution).describe('One for each agent and URL.'),
    revision: z
      .string()
      .describe('Changes with everything above. Send it as `seen` to wait for the next change.'),
  }),
);
