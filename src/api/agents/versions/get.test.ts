import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('a version has its whole behavior, with secrets redacted', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'A',
    instructions: 'one',
    contextGathering: { strategies: ['none'] },
    execution: {
      executionStrategy: 'mcp-tools',
      mcpServers: [{ id: 'docs', url: 'https://mcp.example/', auth: { type: 'bearer', token: 'hush' } }],
    },
  });
  await w.must('/v2/agents/version/update', { agentId, instructions: 'two' });
  const first = await w.must('/v2/agents/versions/get', { agentId, version: 1 });
  expect(first.version).toEqual({
    id: 'v1',
    version: 1,
    createdAt: expect.any(Number),
    isCurrent: false,
    instructions: 'one',
    contextGathering: { strategies: ['none'] },
    execution: {
      executionStrategy: 'mcp-tools',
      mcpServers: [expect.objectContaining({ id: 'docs', auth: { type: 'bearer', token: '__redacted__' } })],
    },
  });
  const { version } = await w.must('/v2/agents/versions/get', { agentId });
  expect(version).toMatchObject({ version: 2, isCurrent: true, instructions: 'two' });
});

test('versions that do not exist, and those of built-in agents, are not found', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', instructions: 'one' });
  const errorOf = async (data: object) => (await w.post('/v2/agents/versions/get', data)).body.error;
  expect(await errorOf({ agentId, version: 2 })).toMatchObject({
    status: 'NOT_FOUND',
    message: `Version 2 of agent ${agentId} not found.`,
  });
  expect(await errorOf({ agentId: 'broken-links' })).toMatchObject({ status: 'NOT_FOUND' });
});
