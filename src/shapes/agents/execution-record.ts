import { z } from 'zod';
import { documentedAs, named } from '../named.ts';
import { cause, finding, heldBack, severity } from './execution.ts';
import { pageAuthSummary } from './page-auth.ts';

export const executionStatus = named(
  'ExecutionStatus',
  z.enum(['running', 'passed', 'failed', 'partial', 'error', 'skipped']),
);

export const verdict = named(
  'Verdict',
  z
    .enum(['clean', 'findings', 'incomplete', 'broken'])
    .describe(
      '`findings`: some are open; `incomplete`: none is, but pages failed, were skipped or left out; `broken`: the run failed.',
    ),
);

const parsedSummary = z.looseObject({
  totalFindings: z.number(),
  totalAnnotationsCreated: z.number(),
  urlsProcessed: z.number(),
  urlsWithFindings: z.number(),
  urlsErrored: z.number().optional(),
  urlsSkipped: z
    .number()
    .optional()
    .describe(
      'Pages that the agent cannot review, for example in a language without a dictionary. Not part of `urlsProcessed`.',
    ),
  skippedUrls: z
    .array(z.object({ url: z.string(), message: z.string() }))
    .optional()
    .describe('Up to 50 of the skipped pages, with the reason.'),
  urlsLeftOut: z
    .number()
    .optional()
    .describe('Further pages of the site that the crawl knew of when `maxUrlsToProcess` was reached.'),
  urlsRendered: z
    .number()
    .optional()
    .describe('Pages that were read in a browser, for agents that need one only where scripts change links.'),
  open: z.number().optional().describe('Number of findings that no person has rejected or resolved.'),
  decided: z.number().optional().describe('Number of findings that a person has rejected or resolved.'),
  new: z.number().optional().describe('Number of findings that the previous run did not have.'),
  fixed: z.number().optional().describe('Number of findings of the previous run that are gone.'),
  severityCounts: z.partialRecord(severity, z.number()).optional(),
  heldBack: z
    .number()
    .optional()
    .describe('Number of findings that are not reported because reviewers keep rejecting similar ones.'),
  summary: z.string().nullable().optional(),
});

/** Lists that the engine writes, which are returned as they are. */
export const resultsSummary = named(
  'ResultsSummary',
  documentedAs(
    parsedSummary.extend({
      erroredUrls: z
        .array(z.looseObject({ url: z.string(), message: z.string() }))
        .optional()
        .describe('Up to 50 of the pages that failed, with the reason.'),
      issuesCreated: z.number().optional().describe('Same as totalFindings.'),
      findings: z
        .array(
          named(
            'SummarizedFinding',
            z.looseObject({
              title: z.string(),
              description: z.string(),
              severity,
              sourceUrl: z.string(),
              issueType: z.string(),
              url: z.string().optional(),
            }),
          ),
        )
        .optional()
        .describe('The gravest findings, shortened.'),
    }),
    parsedSummary,
  ),
);

export const ranBy = z.object({ userId: z.string(), name: z.string(), email: z.string() });

/** Changes since the agent's last run on the document, or from the same address. */
export const comparison = named(
  'Comparison',
  z.object({
    previousExecutionId: z.string().describe('The run that this run is compared with.'),
    new: z.number().describe('Number of findings that the previous run did not have.'),
    stillThere: z.number().describe('Number of findings that the previous run had too.'),
    fixed: z
      .number()
      .describe('Number of findings of the previous run that are gone, on pages that both runs reviewed.'),
    fixedFindings: z
      .array(
        named(
          'FixedFinding',
          z.object({
            title: z.string(),
            issueType: z.string(),
            severity,
            sourceUrl: z.string(),
            url: z.string().optional(),
          }),
        ),
      )
      .describe('Up to 50 of the fixed findings.'),
  }),
);

/** One run of an agent. */
export const execution = named(
  'Execution',
  z.object({
    id: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    agentVersion: z.number(),
    metadata: z.object({ organizationId: z.string(), documentId: z.string() }),
    config: named(
      'ExecutionConfig',
      z.object({
        seedUrl: z.string(),
        crossPageExecute: z.boolean(),
        maxUrlsToProcess: z.number(),
        deviceType: z.enum(['mobile', 'desktop']),
        auth: pageAuthSummary.optional().describe('Credentials for the reviewed pages, by name.'),
      }),
    ),
    status: executionStatus,
    verdict: verdict.optional().describe('Present once the run has ended.'),
    queuePosition: z
      .number()
      .optional()
      .describe(
        'Present while the execution waits to start: its position in the queue, from 1. API keys take turns. Positions above 1,001 are reported as 1,001.',
      ),
    startedAt: z.number().describe('Epoch milliseconds.'),
    completedAt: z.number().nullable().describe('Epoch milliseconds; null while the execution is running.'),
    durationMs: z.number().nullable().describe('Null while the execution is running.'),
    error: named(
      'ExecutionError',
      z.object({
        code: z.string(),
        message: z.string(),
        retryable: z.boolean(),
        occurredAt: z.number().describe('Epoch milliseconds.'),
      }),
    ).optional(),
    trigger: z.enum(['standalone', 'workflow']),
    workflowExecutionId: z.string().nullable(),
    previousExecutionId: z.string().nullable(),
    ranBy: ranBy.nullable(),
    resultsSummary,
    progress: z
      .object({ urlsPlanned: z.number(), urlsProcessed: z.number(), findings: z.number() })
      .optional()
      .describe('Progress of a running execution.'),
    causes: z
      .array(cause)
      .optional()
      .describe(
        'What the findings come from, the gravest first, once the run has ended. agents/execution/causes returns those after the first.',
      ),
    causesTotal: z.number().optional().describe('Number of causes.'),
    comparison: comparison.optional().describe('Comparison with the previous run; absent if there was none.'),
    crawlerResults: z.record(z.string(), z.unknown()).optional(),
    response: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Output of the agent's response adapter."),
    llmModel: z.string().optional(),
    tokenUsage: named(
      'TokenUsage',
      z.object({
        promptTokens: z.number(),
        completionTokens: z.number(),
        thoughtsTokens: z.number().default(0).describe('Completion tokens that the model used for thinking.'),
        totalTokens: z.number(),
        requestCount: z.number().default(0).describe('Number of requests that a model answered.'),
      }),
    ),
  }),
);

/** Includes the reviewer, unless the judgment has been revoked. */
const heldBackShown = named(
  'HeldBackFinding',
  heldBack.extend({
    precedent: heldBack.shape.precedent.extend({
      judgments: z.array(
        heldBack.shape.precedent.shape.judgments.element.extend({
          reviewer: z
            .looseObject({ userId: z.string(), name: z.string() })
            .nullable()
            .describe('Author of the decision; null if the judgment has been revoked.'),
          reasoning: z.string().optional(),
        }),
      ),
    }),
  }),
);

const signedLink = z
  .string()
  .optional()
  .describe(
    'In answers to a user token: a link to the file that an `<img>` can load, for at least 45 minutes.',
  );

const px = (what: string) => z.number().describe(`${what}, in CSS pixels.`);

/** A picture of a page, of the load in which the positions of its findings were determined. */
export const pageScreenshot = named(
  'PageScreenshot',
  z.object({
    deviceType: z.enum(['mobile', 'desktop']),
    mimeType: z.literal('image/webp'),
    viewport: z.object({ width: z.number(), height: z.number() }).describe('In CSS pixels.'),
    scale: z.number().describe('Pixels of the picture for each CSS pixel.'),
    width: px('Width of the captured part of the page'),
    height: px('Height of the captured part of the page'),
    truncated: z.boolean().describe('True if the page goes on below the captured part.'),
    tiles: z
      .array(
        named(
          'ScreenshotTile',
          z.object({
            artifactId: z.string(),
            url: signedLink,
            x: px('Offset of the tile from the left of the document'),
            y: px('Offset of the tile from the top of the document'),
            width: z.number(),
            height: z.number(),
          }),
        ),
      )
      .describe('The pictures, from top to bottom.'),
  }),
);
export type PageScreenshot = z.infer<typeof pageScreenshot>;

/** The result of one page of a run. */
export const pageResult = named(
  'PageResult',
  z.object({
    id: z.string(),
    url: z.string(),
    urlHash: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    status: z
      .enum(['completed', 'failed', 'skipped'])
      .describe('`skipped`: the agent cannot review the page; `summary` contains the reason.'),
    summary: z.string().optional(),
    error: named(
      'PageError',
      z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }),
    ).nullable(),
    findings: z
      .array(finding)
      .describe(
        'Up to 500 in all pages of an answer. agents/execution/findings returns those of a page in parts.',
      ),
    findingCount: z.number().describe('Number of findings of the page.'),
    heldBack: z
      .array(heldBackShown)
      .optional()
      .describe('Findings that are not reported, with the decisions that are the reason.'),
    annotationsCreated: z.number().describe('Number of annotations created for the findings.'),
    screenshot: pageScreenshot
      .optional()
      .describe('Picture of the page, in whose coordinates the positions of the findings are.'),
    data: z.unknown().optional().describe('Data of the service about the page.'),
    processedAt: z.number().describe('Epoch milliseconds.'),
  }),
);

export const logLine = named(
  'LogLine',
  z.object({
    at: z.number().describe('Epoch milliseconds.'),
    level: z.enum(['info', 'warn', 'error']),
    kind: z.enum(['note', 'phase', 'page', 'fetch', 'model', 'tool', 'step', 'result']),
    message: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
);

/** A line of a run's log with its id, for clients that follow the log. */
export const logEvent = named('LogEvent', logLine.extend({ id: z.string() }));

export const artifact = named(
  'Artifact',
  z.object({
    artifactId: z.string().describe('GET /v2/blobs/{artifactId} with the same headers returns the content.'),
    name: z.string(),
    mimeType: z.string(),
    sizeBytes: z.number(),
    url: signedLink,
  }),
);
