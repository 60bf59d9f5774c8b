import { expect, test } from 'vitest';
import {
  crossPage,
  endpoint,
  gather,
  linkReview,
  many,
  mcp,
  problems,
  restApi,
  server,
  stagehand,
} from '../../../../test/reviews/agent-problems.ts';

test.each<[string, Record<string, unknown>]>([
  ['a name alone', {}],
  [
    'unknown fields',
    { custom: { deep: [1] }, response: { own: 1 }, execution: { own: 1 }, scope: { own: 1 } },
  ],
  [
    'every strategy',
    {
      contextGathering: {
        strategies: [
          'web-page-text',
          'web-page-screenshot',
          'web-page-html',
          'web-page-css',
          'web-page-links',
          'web-page-accessibility',
          'computed-styles',
          'robots-txt',
          'sitemap-data',
          'lighthouse',
          'rest-api',
          'none',
        ],
        strategyOptions: {
          'web-page-text': { deviceType: 'mobile', excludeIframes: true },
          'web-page-screenshot': {
            scrollBeforeCapture: false,
            maxPageHeightPx: 9000,
            waitUntil: 'load',
            deviceType: 'desktop',
          },
          'web-page-html': {
            includeHead: false,
            includeBody: true,
            excludeIframes: false,
            waitUntil: 'networkidle2',
          },
          'web-page-css': { includeInlineStyles: true },
          'computed-styles': { selectors: ['h1'], properties: ['color'] },
          'sitemap-data': { maxEntries: 10 },
          lighthouse: { categories: ['seo'], formFactor: 'mobile' },
          'rest-api': { endpoints: [endpoint], maxResponseBytes: 5_000_000 },
        },
        aiConfig: { provider: 'claude', model: 'm', responseMimeType: 'application/json', maxToolTurns: 3 },
      },
    },
  ],
  ['ten endpoints', gather('rest-api', { endpoints: many(10, () => endpoint) })],
  [
    'an endpoint at its limits',
    restApi({ cacheTtlSeconds: 86_400, timeoutMs: 30_000, method: 'DELETE', body: { a: [1] } }),
  ],
  [
    'an endpoint on an internal host, which is checked when it is called',
    restApi({ url: 'http://127.0.0.1/' }),
  ],
  [
    'each kind of auth',
    gather('rest-api', {
      endpoints: [
        { type: 'none' },
        { type: 'bearer', token: 't' },
        { type: 'basic', username: 'u', password: 'p' },
        { type: 'header', headers: { 'x-key': 'k' } },
      ].map((auth) => ({ ...endpoint, auth })),
    }),
  ],
  [
    'five servers',
    {
      instructions: 'x',
      execution: {
        executionStrategy: 'mcp-tools',
        mcpServers: many(5, (id) => ({ ...server, id: `${id}` })),
      },
    },
  ],
  [
    'a server at its limits',
    mcp({ timeoutMs: 120_000, transport: 'http', allowedTools: ['a'], name: 'n', description: 'd' }),
  ],
  ['a server named by a template', mcp({ url: '{{server}}' })],
  ['a server whose host is a template', mcp({ url: 'https://{{region}}.example.com/' })],
  ['a server on a host that the operator allows', mcp({ url: 'http://mcp.allowed.internal/{{path}}' })],
  ['service with serviceId', { execution: { executionStrategy: 'service', serviceId: 'broken-links' } }],
  ...['accessibility-checker', 'og-image-checker'].map((serviceId): [string, Record<string, unknown>] => [
    `the service ${serviceId} and its response`,
    {
      execution: { executionStrategy: 'service', serviceId },
      response: { responseAdapter: `${serviceId}-response` },
    },
  ]),
  [
    'stagehand with all its options',
    stagehand({
      mode: 'cua',
      maxSteps: 1,
      model: 'm',
      systemPrompt: 's',
      useStructuredOutput: false,
      waitUntil: 'load',
      navigationTimeout: 1,
    }),
  ],
  [
    'broken-links with all its options',
    linkReview({ internalOnly: true, skip: ['/private/**', '*.example.com'], maxFindings: 100 }),
  ],
  [
    'knowledge',
    { execution: { knowledge: { useMemory: true, maxChunks: 20, maxPatterns: 1, maxActivities: 20 } } },
  ],
  [
    'responses and stages',
    {
      response: { useAiFormatting: true, formattingPrompt: 'p', responseAdapter: 'crawler-response' },
      postProcess: {
        guardrails: { enabled: false },
        deletePreviousSuggestions: {},
        pinResolution: { enabled: true },
        annotations: { enabled: true, strategy: 'word-level' },
        analytics: {},
        matchAndMerge: { enabled: true },
        customProcessors: ['mine'],
      },
      execution: { responseDescriptions: { title: 'Short.', findingType: 'pin' } },
    },
  ],
  [
    'inputs',
    {
      input: {
        variableKeys: ['a'],
        inputRequirements: { requires: ['url'], requiresOneOf: ['a', 'b'] },
        supportedVariables: ['{{restApiData}}'],
        userContextFields: [
          { id: 'f', title: 'F', type: 'boolean', required: true, example: 'yes', defaultValue: false },
        ],
      },
    },
  ],
  [
    'scope at its limits',
    {
      scope: {
        pageScope: many(200, () => 'x'.repeat(200)),
        pageScopeExclude: [],
        contentTypes: ['text/html'],
      },
    },
  ],
  [
    'crossPage',
    crossPage({
      pageDiscovery: 'manual',
      pages: ['https://a.example/'],
      sourceOfTruthKnowledgeSourceId: 's',
    }),
  ],
  [
    'setup',
    {
      setup: {
        setupSamples: [
          { content: 'c', source: 'synthetic', findings: [{ message: 'm' }], pmVerdict: 'correct' },
        ],
        checklistOrigin: {
          checklistId: 'c',
          checklistVersion: 0,
          sectionRefs: [],
          memoryRuleIds: [],
          deduplicatedFrom: 1,
        },
      },
    },
  ],
  ['phaseTimeoutMs of any size', { phaseTimeoutMs: 10 ** 9 }],
])('%s is accepted', (_name, agent) => {
  expect(problems({ name: 'A', ...agent })).toEqual([]);
});
