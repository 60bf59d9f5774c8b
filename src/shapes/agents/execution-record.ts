import { z } from 'zod';
import { finding, heldBack, severity } from './execution.ts';

export const executionStatus = z.enum(['running', 'passed', 'failed', 'partial', 'error', 'skipped']);

export const resultsSummary = z.looseObject({
  totalFindings: z.number(),
  totalAnnotationsCreated: z.number(),
  urlsProcessed: z.number(),
  urlsWithFindings: z.number(),
  urlsErrored: z.number().optional(),
  urlsSkipped: z
    .number()
    .optional()
    .describe(
      'Pages that the agent can make nothing of, such as a language without a dictionary; not in `urlsProcessed`.',
    ),
  skippedUrls: z
    .array(z.object({ url: z.string(), message: z.string() }))
    .optional()
    .describe('Up to 50 of those that were skipped, and why.'),
  severityCounts: z.partialRecord(severity, z.number()).optional(),
  heldBack: z
    .number()
    .optional()
    .describe('Findings that are not reported, since reviewers keep rejecting such.'),
  summary: z.string().nullable().optional(),
});

export const ranBy = z.object({ userId: z.string(), name: z.string(), email: z.string() });

/** Changes since the agent's last run on the document, or from the same address. */
export const comparison = z.object({
  previousExecutionId: z.string().describe('The run that this one is compared with.'),
  new: z.number(),
  stillThere: z.number(),
  fixed: z.number().describe('Findings of the last run that are gone, on pages that both runs looked at.'),
  fixedFindings: z
    .array(
      z.object({
        title: z.string(),
        issueType: z.string(),
        severity,
        sourceUrl: z.string(),
        url: z.string().optional(),
      }),
    )
    .describe('Up to 50 of those that are fixed.'),
});

/** One run of an agent. */
export const execution = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  agentVersion: z.number(),
  metadata: z.object({ organizationId: z.string(), documentId: z.string() }),
  config: z.object({
    seedUrl: z.string(),
    crossPageExecute: z.boolean(),
    maxUrlsToProcess: z.number(),
    deviceType: z.enum(['mobile', 'desktop']),
  }),
  status: executionStatus,
  queuePosition: z
    .number()
    .optional()
    .describe(
      'Only while it waits to be begun: its place in the queue, 1 being the next. API keys take turns. Behind 1,001, every place is given as 1,001.',
    ),
  startedAt: z.number(),
  completedAt: z.number().nullable(),
  durationMs: z.number().nullable(),
  error: z
    .object({ code: z.string(), message: z.string(), retryable: z.boolean(), occurredAt: z.number() })
    .optional(),
  trigger: z.enum(['standalone', 'workflow']),
  workflowExecutionId: z.string().nullable(),
  previousExecutionId: z.string().nullable(),
  ranBy: ranBy.nullable(),
  resultsSummary,
  progress: z
    .object({ urlsPlanned: z.number(), urlsProcessed: z.number(), findings: z.number() })
    .optional()
    .describe('How far a running execution has come.'),
  comparison: comparison.optional().describe('How it stands to the last run; missing where there was none.'),
  crawlerResults: z.record(z.string(), z.unknown()).optional(),
  response: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("What the agent's response adapter made of the run."),
  llmModel: z.string().optional(),
  tokenUsage: z.object({
    promptTokens: z.number(),
    completionTokens: z.number(),
    thoughtsTokens: z.number().default(0),
    totalTokens: z.number(),
    requestCount: z.number().default(0).describe('Answers of a model.'),
  }),
});

/** With who decided, for as long as the judgment stands. */
const heldBackShown = heldBack.extend({
  precedent: heldBack.shape.precedent.extend({
    judgments: z.array(
      heldBack.shape.precedent.shape.judgments.element.extend({
        reviewer: z
          .looseObject({ userId: z.string(), name: z.string() })
          .nullable()
          .describe('Who decided; null where the judgment was revoked since.'),
        reasoning: z.string().optional(),
      }),
    ),
  }),
});

/** The result of one page of a run. */
export const pageResult = z.object({
  id: z.string(),
  url: z.string(),
  urlHash: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  status: z
    .enum(['completed', 'failed', 'skipped'])
    .describe('`skipped`: the agent can make nothing of the page, and `summary` says why.'),
  summary: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
  findings: z.array(finding),
  findingCount: z.number(),
  heldBack: z
    .array(heldBackShown)
    .optional()
    .describe('Findings that are not reported, and the decisions on such that are the reason.'),
  annotationsCreated: z.number(),
  data: z.unknown().optional().describe("The service's own account of the page."),
  processedAt: z.number(),
});

export const logLine = z.object({
  at: z.number(),
  level: z.enum(['info', 'warn', 'error']),
  kind: z.enum(['note', 'phase', 'page', 'fetch', 'model', 'tool', 'step', 'result']),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** A line of a run's log, as those who follow it get it. */
export const logEvent = logLine.extend({ id: z.string() });

export const artifact = z.object({
  artifactId: z.string().describe('Fetch its bytes with GET /v2/blobs/{artifactId} and the same headers.'),
  name: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number(),
});
