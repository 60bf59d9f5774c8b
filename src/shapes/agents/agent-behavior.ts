import { z } from 'zod';
import { placeholders } from '../../lib/text/template.ts';
import { named } from '../named.ts';
import { auth } from './auth.ts';
import { pageAuth } from './page-auth.ts';
import { type ModelProvider, screenshotChoices } from './run.ts';
import { globs, linkOptions, spellCheckOptions } from './service-options.ts';

/** Choice of the model. Unknown keys are rejected, because a misspelled key would silently select a paid default. */
export const aiConfig = named(
  'AiConfig',
  z.strictObject({
    provider: z
      .enum(['gemini', 'claude', 'openai'] satisfies ModelProvider[])
      .optional()
      .describe('Defaults to the provider of the installation.'),
    model: z.string().min(1).optional().describe('Model name, as the provider defines it.'),
    responseMimeType: z.string().min(1).optional(),
    maxToolTurns: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Maximum number of tool-call turns with mcp-tools. Capped at run time.'),
  }),
);

/** A remote server whose tools the model may call. */
export const mcpServer = named(
  'McpServer',
  z.strictObject({
    id: z.string().min(1),
    url: z
      .string()
      .refine((url) => /^https?:\/\//i.test(url) || placeholders(url).length > 0, {
        error: 'must begin with http:// or https://, or contain a {{template}}',
      })
      .describe('Internal, loopback and link-local hosts are rejected.'),
    name: z.string().optional(),
    description: z.string().optional(),
    transport: z.literal('http').default('http'),
    auth: auth.optional(),
    allowedTools: z
      .array(z.string().min(1))
      .optional()
      .describe('Only these tools are offered to the model.'),
    timeoutMs: z.number().int().min(1).max(120_000).default(30_000).describe('Time limit of a request.'),
  }),
);

/** Options of an agent that navigates a site on its own. */
export const stagehandOptions = named(
  'BrowserAgentOptions',
  z.looseObject({
    mode: z.enum(['dom', 'hybrid', 'cua']).default('hybrid'),
    maxSteps: z.number().int().min(1).default(25).describe('Maximum number of actions in the browser.'),
    model: z.string().min(1).optional(),
    systemPrompt: z.string().optional(),
    useStructuredOutput: z.boolean().default(true),
    waitUntil: z.enum(['domcontentloaded', 'load', 'networkidle2']).default('networkidle2'),
    navigationTimeout: z.number().int().min(1).default(30_000).describe('In milliseconds.'),
  }),
);

const upTo20 = z.number().int().min(1).max(20).optional().describe('Maximum number of entries to include.');

const knowledge = named(
  'AgentKnowledge',
  z.strictObject({
    useMemory: z
      .boolean()
      .optional()
      .describe('Fills {{memoryContext}} with what the memory knows about the page.'),
    maxChunks: upTo20,
    maxPatterns: upTo20,
    maxActivities: upTo20,
  }),
);

const sentence = z.string().optional();

/** Descriptions of a finding's fields that replace the default ones in the prompt. */
const responseDescriptions = named(
  'ResponseDescriptions',
  z.looseObject({
    summary: sentence,
    title: sentence,
    description: sentence,
    severity: sentence,
    targetText: sentence,
    suggestion: sentence,
    isPageLevel: sentence,
    issueType: sentence,
    confidence: sentence,
    htmlSelector: sentence,
    findingType: sentence,
  }),
);

/** Settings of the execute phase, which reviews the gathered data. */
const execution = z.looseObject({
  executionStrategy: z
    .enum(['ai', 'service', 'service+ai', 'stagehand-agent', 'mcp-tools'])
    .optional()
    .describe('Defaults to ai.'),
  serviceId: z.string().optional().describe('Required with service and service+ai.'),
  aiConfig: aiConfig.optional(),
  mcpServers: z.array(mcpServer).max(5).optional().describe('At least one is required with mcp-tools.'),
  responseDescriptions: responseDescriptions.optional(),
  strategyOptions: z
    .looseObject({
      'stagehand-agent': stagehandOptions.optional(),
      'broken-links': linkOptions.optional(),
      'spell-check': spellCheckOptions.optional(),
    })
    .optional(),
  knowledge: knowledge.optional(),
});

/** Settings of the gather phase, which collects data of a page. */
const contextGathering = z.looseObject({
  strategies: z.array(z.string()).min(1).optional().describe('Defaults to none.'),
  strategyOptions: z.looseObject({}).optional().describe('Keyed by strategy name.'),
  aiConfig: aiConfig.optional(),
});

/** Settings of the summary of a run. */
const response = z.looseObject({
  useAiFormatting: z
    .boolean()
    .optional()
    .describe(
      'If true, a model summarizes the results in words, returned as `response.formatted` of the execution.',
    ),
  formattingPrompt: z.string().optional().describe('Instructions for that summary.'),
  responseAdapter: z.string().optional(),
});

const stage = z.looseObject({ enabled: z.boolean().optional().describe('Defaults to true.') });

export const annotationStrategies = ['findings', 'word-level', 'page-level', 'causes', 'none'] as const;
export type AnnotationStrategy = (typeof annotationStrategies)[number];

/** Settings of post-processing, which filters and writes the findings of a page. */
const postProcess = named(
  'AgentPostProcess',
  z.looseObject({
    guardrails: stage.optional().describe('Drops exact duplicates and findings with a confidence below 50.'),
    deletePreviousSuggestions: stage
      .optional()
      .describe(
        'Resolves the pending suggestions of earlier runs on the page, except those that are found again. If disabled, each run adds its suggestions anew.',
      ),
    pinResolution: stage.optional().describe('Determines the position of each finding on the page.'),
    annotations: stage
      .extend({
        strategy: z
          .enum(annotationStrategies)
          .optional()
          .describe(
            'An annotation for each finding, each finding that quotes words, each page, each cause across all pages, or none. Defaults to `causes` for built-in agents that review several pages, and otherwise to `findings`.',
          ),
      })
      .optional(),
    screenshots: z
      .enum(screenshotChoices)
      .optional()
      .describe(
        'Keeps a screenshot of no page, of pages with findings (the default), or of all pages that are loaded in a browser. A run may choose otherwise.',
      ),
    analytics: stage.optional(),
    matchAndMerge: stage.optional().describe('Accepted without effect.'),
    customProcessors: z.array(z.string()).optional().describe('Accepted without effect.'),
  }),
);

const names = z.array(z.string());

/** Inputs that a run needs from its caller. */
const input = named(
  'AgentRequirements',
  z.looseObject({
    variableKeys: names.optional().describe('Variables that the caller of a run must provide.'),
    userContextFields: z
      .array(
        named(
          'UserContextField',
          z.looseObject({
            id: z.string().min(1),
            title: z.string().min(1),
            type: z.enum(['string', 'number', 'boolean']),
            required: z.boolean().optional(),
            example: z.string().optional(),
            defaultValue: z.union([z.string(), z.number(), z.boolean()]).optional(),
          }),
        ),
      )
      .optional(),
    inputRequirements: z
      .looseObject({ requires: names.optional(), requiresOneOf: names.optional() })
      .optional(),
    supportedVariables: names.optional().describe('Template variables that the agent may use.'),
  }),
);

/** The pages that the agent looks at. */
const scope = named(
  'AgentScope',
  z.looseObject({
    pageScope: globs.optional().describe('URL globs of the pages to review.'),
    pageScopeExclude: globs.optional().describe('URL globs of the pages to exclude.'),
    contentTypes: names
      .optional()
      .describe(
        'Media types of the pages to review, such as `text/html` or `text/*`. Other values have no effect.',
      ),
    crossPage: named(
      'CrossPage',
      z.looseObject({
        enabled: z.boolean(),
        targetProperty: z.string().describe('Property that must be the same on all pages.'),
        pageDiscovery: z
          .enum(['auto', 'manual'])
          .describe(
            '`auto`: pages of the site that can be reached from the URL; `manual`: those in `pages`.',
          ),
        pages: names
          .optional()
          .describe('Pages to compare if pageDiscovery is `manual`; resolved against the URL of the run.'),
        sourceOfTruthKnowledgeSourceId: z
          .string()
          .optional()
          .describe('Knowledge source that the pages are compared with, in addition to each other.'),
      }),
    ).optional(),
  }),
);

const setupSample = named(
  'SetupSample',
  z.looseObject({
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
  }),
);

const checklistOrigin = named(
  'ChecklistOrigin',
  z.looseObject({
    checklistId: z.string(),
    checklistVersion: z.number().int().min(0),
    sectionRefs: z.array(z.string()),
    memoryRuleIds: z.array(z.string()),
    deduplicatedFrom: z.number().int().min(0).optional(),
  }),
);

/** Notes of the tools that created the agent. Runs do not read them. */
const setup = named(
  'AgentSetup',
  z.looseObject({
    setupSamples: z.array(setupSample).optional(),
    checklistOrigin: checklistOrigin.optional(),
  }),
);

/**
 * The behavior of an agent, built-in or custom. The schema of custom agents restricts it to the gather strategies,
 * services and response adapters that they may name. Unknown fields pass through.
 */
export const agentBehavior = z.looseObject({
  rawInstructions: z.string().optional().describe('Instructions as their author wrote them.'),
  instructions: z.string().optional().describe('Instructions that the agent follows.'),
  auth: pageAuth
    .optional()
    .describe('Credentials for the pages that the agent reviews. Those of a run replace them.'),
  contextGathering: contextGathering.optional(),
  execution: execution.optional(),
  response: response.optional(),
  postProcess: postProcess.optional(),
  input: input.optional(),
  scope: scope.optional(),
  setup: setup.optional(),
  phaseTimeoutMs: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Time limit of each phase of a run, in milliseconds.'),
});

/** A behavior as it was sent and is stored, without defaults. Defaults apply when it is used. */
export type AgentBehavior = z.input<typeof agentBehavior>;
