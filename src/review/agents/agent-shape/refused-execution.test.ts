import { expect, test } from 'vitest';
import {
  LINKS,
  linkReview,
  many,
  mcp,
  paths,
  STAGEHAND,
  server,
  stagehand,
} from '../../../../test/reviews/agent-problems.ts';

test.each<[string, Record<string, unknown>, string[]]>([
  [
    'blocks that are none',
    { contextGathering: 1, execution: [], response: 'x', postProcess: null, input: 1, scope: 1, setup: 1 },
    ['contextGathering', 'execution', 'response', 'postProcess', 'input', 'scope', 'setup'],
  ],
  [
    'unknown keys of an aiConfig',
    { contextGathering: { aiConfig: { a: 1, b: 2 } }, execution: { aiConfig: { temperature: 1 } } },
    ['contextGathering.aiConfig.a', 'contextGathering.aiConfig.b', 'execution.aiConfig.temperature'],
  ],
  [
    'bad values of an aiConfig',
    { execution: { aiConfig: { provider: 'acme', model: 1, responseMimeType: 1, maxToolTurns: 0 } } },
    [
      'execution.aiConfig.provider',
      'execution.aiConfig.model',
      'execution.aiConfig.responseMimeType',
      'execution.aiConfig.maxToolTurns',
    ],
  ],
  [
    'half a tool turn',
    { execution: { aiConfig: { maxToolTurns: 1.5 } } },
    ['execution.aiConfig.maxToolTurns'],
  ],
  [
    'an unknown execution strategy',
    { execution: { executionStrategy: 'magic' } },
    ['execution.executionStrategy'],
  ],
  ['service without serviceId', { execution: { executionStrategy: 'service' } }, ['execution.serviceId']],
  [
    'service+ai without serviceId',
    { execution: { executionStrategy: 'service+ai' } },
    ['execution.serviceId'],
  ],
  [
    'an unknown service',
    { execution: { executionStrategy: 'service', serviceId: 'x' } },
    ['execution.serviceId'],
  ],
  ...['spell-check', 'lorem-ipsum', 'pii-detection', 'sensitive-data', 'profanity-filter', 'lighthouse'].map(
    (serviceId): [string, Record<string, unknown>, string[]] => [
      `the service ${serviceId} of a built-in agent`,
      { execution: { executionStrategy: 'service', serviceId } },
      ['execution.serviceId'],
    ],
  ),
  [
    'mcp-tools with nothing',
    { execution: { executionStrategy: 'mcp-tools' } },
    ['instructions', 'execution.mcpServers'],
  ],
  [
    'mcp-tools with blanks',
    { instructions: ' \n', execution: { executionStrategy: 'mcp-tools', mcpServers: [] } },
    ['instructions', 'execution.mcpServers'],
  ],
  [
    'six servers',
    { execution: { mcpServers: many(6, (id) => ({ ...server, id: `${id}` })) } },
    ['execution.mcpServers'],
  ],
  ['a server id twice', { execution: { mcpServers: [server, server] } }, ['execution.mcpServers.1.id']],
  [
    'a server without anything',
    { execution: { mcpServers: [{}] } },
    ['execution.mcpServers.0.id', 'execution.mcpServers.0.url'],
  ],
  [
    'unknown keys of a server',
    mcp({ headers: {}, env: {} }),
    ['execution.mcpServers.0.headers', 'execution.mcpServers.0.env'],
  ],
  [
    'a server past its limits',
    mcp({ id: '', transport: 'stdio', timeoutMs: 120_001 }),
    ['execution.mcpServers.0.id', 'execution.mcpServers.0.transport', 'execution.mcpServers.0.timeoutMs'],
  ],
  [
    'several servers, each with a fault of its own',
    {
      execution: {
        mcpServers: [{ id: 'a', url: 'ftp://x' }, { ...server, url: 'http://10.0.0.1/' }, server],
      },
    },
    ['execution.mcpServers.0.url', 'execution.mcpServers.1.url', 'execution.mcpServers.2.id'],
  ],
  ['a server without scheme', mcp({ url: 'mcp.example.com' }), ['execution.mcpServers.0.url']],
  ...[
    'http://127.0.0.1/',
    'http://localhost:3000/',
    'https://[::1]/',
    'http://169.254.169.254/',
    'http://10.0.0.1/{{x}}',
    'http://192.168.1.1:{{port}}/',
    'https://metadata.google.internal/',
    'http://2130706433/',
    'http://u:p@example.com/',
    'http:///',
  ].map((url): [string, Record<string, unknown>, string[]] => [
    `a server at ${url}`,
    mcp({ url }),
    ['execution.mcpServers.0.url'],
  ]),
  [
    'stagehand without strategies',
    { execution: { executionStrategy: 'stagehand-agent' } },
    ['contextGathering.strategies'],
  ],
  [
    'stagehand with more strategies',
    {
      contextGathering: { strategies: ['none', 'web-page-text'] },
      execution: { executionStrategy: 'stagehand-agent' },
    },
    ['contextGathering.strategies'],
  ],
  [
    'bad stagehand options',
    stagehand({
      mode: 'x',
      maxSteps: 0,
      useStructuredOutput: 1,
      waitUntil: 'networkidle0',
      navigationTimeout: -1,
      model: 1,
      systemPrompt: 1,
    }),
    [
      'mode',
      'maxSteps',
      'model',
      'systemPrompt',
      'useStructuredOutput',
      'waitUntil',
      'navigationTimeout',
    ].map((name) => `${STAGEHAND}.${name}`),
  ],
  [
    'bad options of broken-links',
    linkReview({ internalOnly: 'yes', skip: ['', 'x'.repeat(201)], maxFindings: 0, ignore: [] }),
    ['internalOnly', 'skip.0', 'skip.1', 'maxFindings', 'ignore'].map((name) => `${LINKS}.${name}`),
  ],
  [
    'too many addresses that broken-links skips',
    linkReview({ skip: many(201, () => '/x') }),
    [`${LINKS}.skip`],
  ],
  [
    'unknown keys of knowledge',
    { execution: { knowledge: { sourceIds: [] } } },
    ['execution.knowledge.sourceIds'],
  ],
  [
    'knowledge past its limits',
    { execution: { knowledge: { useMemory: 1, maxChunks: 21, maxPatterns: 0, maxActivities: 50 } } },
    [
      'execution.knowledge.useMemory',
      'execution.knowledge.maxChunks',
      'execution.knowledge.maxPatterns',
      'execution.knowledge.maxActivities',
    ],
  ],
  [
    'responseDescriptions that are not strings',
    { execution: { responseDescriptions: { title: 1 } } },
    ['execution.responseDescriptions.title'],
  ],
])('%s is refused', (_name, agent, expected) => {
  expect(paths(agent).sort()).toEqual([...expected].sort());
});
