import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

const original = {
  name: 'Reader',
  instructions: 'Read.',
  metadata: { team: 'web', nested: { a: 1, b: [1, 2] } },
  contextGathering: {
    strategies: ['web-page-text', 'sitemap-data'],
    strategyOptions: {
      'web-page-text': { deviceType: 'mobile', excludeIframes: true },
      'sitemap-data': { maxEntries: 5 },
    },
  },
  execution: { knowledge: { useMemory: true, maxChunks: 3 } },
  custom: { deep: { kept: 1, list: [1, 2, 3] } },
};

test('a version merges objects deeply and replaces lists and single values', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', original);
  expect(
    await w.must('/v2/agents/version/update', {
      agentId,
      instructions: 'Read closely.',
      metadata: { nested: { b: [3] } },
      contextGathering: {
        strategies: ['web-page-text'],
        strategyOptions: { 'web-page-text': { deviceType: 'desktop' } },
      },
      custom: { deep: { list: [9] } },
      phaseTimeoutMs: 1000,
    }),
  ).toEqual({ version: 2 });
  expect((await w.must('/v2/agents/get', { agentId })).agent).toMatchObject({
    name: 'Reader',
    version: 2,
    instructions: 'Read closely.',
    metadata: { team: 'web', nested: { a: 1, b: [3] } },
    contextGathering: {
      strategies: ['web-page-text'],
      strategyOptions: {
        'web-page-text': { deviceType: 'desktop', excludeIframes: true },
        'sitemap-data': { maxEntries: 5 },
      },
    },
    execution: { knowledge: { useMemory: true, maxChunks: 3 } },
    custom: { deep: { kept: 1, list: [9] } },
    phaseTimeoutMs: 1000,
  });
});

test('the merged configuration must be valid, and a refused change leaves the agent unchanged', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', original);
  const refused = await w.post('/v2/agents/version/update', {
    agentId,
    managedBy: 'me',
    metadata: { internal: true },
    instructions: ' ',
    execution: {
      executionStrategy: 'mcp-tools',
      knowledge: { sourceIds: [] },
      mcpServers: [{ id: 'x', url: 'http://10.0.0.1/' }],
    },
    contextGathering: { strategies: ['rest-api'] },
  });
  expect(refused.status).toBe(400);
  expect(
    refused.body.error.details.issues.map((issue: { path: string[] }) => issue.path.join('.')).sort(),
  ).toEqual([
    'contextGathering.strategyOptions.rest-api',
    'execution.knowledge.sourceIds',
    'execution.mcpServers.0.url',
    'instructions',
    'managedBy',
    'metadata.internal',
  ]);
  const { agent } = await w.must('/v2/agents/get', { agentId });
  expect(agent).toMatchObject({ version: 1, instructions: 'Read.', metadata: original.metadata });
});

test('a version requires a change and a custom agent, and has no identity fields', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A' });
  const refusal = async (data: object) => (await w.post('/v2/agents/version/update', data)).body.error;
  expect(await refusal({ agentId })).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: 'At least one field to change is required.',
  });
  expect((await refusal({ instructions: 'x' })).message).toBe('agentId is required.');
  expect((await refusal({ agentId, name: 'B' })).message).toBe(
    'name is not part of a version and cannot be set here.',
  );
  expect(await refusal({ agentId: 'broken-links', instructions: 'x' })).toMatchObject({
    status: 'NOT_FOUND',
    message: 'Agent not found: broken-links',
  });
});

test('concurrent changes create one version each, and none is lost', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A' });
  const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
  const created = await Promise.all(
    keys.map((key) => w.must('/v2/agents/version/update', { agentId, custom: { [key]: true } })),
  );
  expect(created.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
    keys.map((_, index) => index + 2),
  );
  const { agent } = await w.must('/v2/agents/get', { agentId });
  expect(agent.version).toBe(13);
  expect(Object.keys(agent.custom).sort()).toEqual([...keys].sort());
});
