import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { allowHostHint } from '../../../lib/allow-host-hint.ts';
import { invalidRequest } from '../../../lib/errors.ts';
import { dispatchRun } from '../../../review/run/dispatch-run.ts';
import { screenshotChoices } from '../../../shapes/agents/run.ts';
import { runOptions } from '../../../shapes/agents/service-options.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { ignoringOthers } from '../../../shapes/field-use.ts';
import { agentId, documentId, organizationId } from '../../../shapes/id-fields.ts';

const aiConfig = z
  .strictObject({
    provider: z.enum(['gemini', 'claude', 'openai']).optional(),
    model: z.string().min(1).optional(),
    defaultModels: z.partialRecord(z.enum(['gemini', 'claude', 'openai']), z.string().min(1)).optional(),
    maxToolTurns: z.number().int().min(1).max(16).optional(),
  })
  .refine((config) => Object.keys(config).length > 0, { error: 'must have at least one field' });

export default write({
  path: '/v2/agents/execution/run',
  auth: 'apiKey',
  summary: 'Run an agent on a page or on the pages of a site.',
  description: 'Returns immediately. Poll agents/execution/get until the status is no longer `running`.',
  // Loose, because earlier clients send further fields.
  data: ignoringOthers(
    z.looseObject({
      agentId,
      url: z.url({ protocol: /^https?$/ }).max(2000),
      organizationId: organizationId.optional(),
      documentId: documentId.optional().describe('Document on which findings become comment annotations.'),
      crossPageExecute: z
        .boolean()
        .default(false)
        .describe('If true, also reviews pages of the same site that can be reached from the URL.'),
      maxUrlsToProcess: z.number().int().min(1).max(10_000).default(50),
      deviceType: z.enum(['mobile', 'desktop']).default('desktop'),
      screenshots: z
        .enum(screenshotChoices)
        .optional()
        .describe(
          'Keeps a screenshot of no page, of pages with findings, or of all pages that are loaded in a browser. Defaults to the setting of the agent, and otherwise to `findings`.',
        ),
      strategyOptions: runOptions
        .optional()
        .describe('Options of the service of the agent, each in place of that of the agent.'),
      annotationVisibility: z.enum(['public', 'private']).default('private'),
      trigger: z.enum(['standalone', 'workflow']).default('standalone'),
      workflowExecutionId: z.string().min(1).optional(),
      ranBy: z
        .object({ userId: z.string().min(1), name: z.string().default(''), email: z.string().default('') })
        .optional(),
      userContext: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
      variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
      aiConfig: aiConfig.optional(),
    }),
  )
    .refine((data) => (data.organizationId === undefined) === (data.documentId === undefined), {
      ...withOtherProblems,
      error: 'organizationId and documentId go together.',
      path: ['documentId'],
    })
    .meta({
      examples: [
        {
          agentId: 'broken-links',
          url: 'https://example.com/',
          organizationId: 'acme',
          documentId: 'website',
          crossPageExecute: true,
        },
      ],
    }),
  result: z.object({ executionId: z.string() }),
  message: 'Agent execution created successfully',
  failures: {
    NOT_FOUND: 'The agent or the document does not exist.',
    RESOURCE_EXHAUSTED:
      'Too many executions of the API key are waiting to start, or the rate limit is exceeded.',
    FAILED_PRECONDITION: 'The agent is disabled, or is already running on this document and URL.',
  },

  async handle(data, { caller, tx, jobs, settings }) {
    requireUrl(data.url, settings.checkUrl(data.url));
    requireModel(data.aiConfig && settings.checkModel(data.aiConfig));
    const { crossPageExecute, maxUrlsToProcess, deviceType, annotationVisibility, userContext, variables } =
      data;
    const { screenshots, strategyOptions } = data;
    const request = {
      crossPageExecute,
      maxUrlsToProcess,
      deviceType,
      annotationVisibility,
      userContext,
      variables,
      ...(screenshots && { screenshots }),
      ...(strategyOptions && { strategyOptions }),
      aiConfig: data.aiConfig,
      workflowExecutionId: data.workflowExecutionId,
    };
    return { executionId: await dispatchRun(tx, jobs, caller, { ...data, request }) };
  },
});

function requireUrl(url: string, refusal: unknown): void {
  if (refusal === undefined) return;
  const message =
    refusal === 'userinfo'
      ? 'url must not contain a user name or password.'
      : `url leads to an address that is not allowed: internal, loopback and link-local hosts are refused. ${allowHostHint(url)}`;
  throw invalidRequest([{ path: ['url'], code: 'refused_url', message }]);
}

function requireModel(message: string | undefined): void {
  if (message !== undefined) throw invalidRequest([{ path: ['aiConfig'], code: 'refused_model', message }]);
}
