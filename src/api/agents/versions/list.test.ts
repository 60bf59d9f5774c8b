import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('versions are listed newest first, each with its own fields and without those of the agent', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'A',
    description: 'd',
    metadata: { a: 1 },
    instructions: 'one',
  });
  await w.must('/v2/agents/version/update', { agentId, instructions: 'two', custom: { id: 'x' } });
  const { body } = await w.post('/v2/agents/versions/list', { agentId });
  expect(body.result.data.versions).toEqual([
    { id: 'v2', version: 2, createdAt: expect.any(Number), instructions: 'two', custom: { id: 'x' } },
    { id: 'v1', version: 1, createdAt: expect.any(Number), instructions: 'one' },
  ]);
});

test('versions of an unknown or built-in agent are not found', async () => {
  const w = await newWorkspace();
  for (const agentId of ['agent_none', 'broken-links']) {
    expect((await w.post('/v2/agents/versions/list', { agentId })).body.error).toMatchObject({
      status: 'NOT_FOUND',
      message: `Agent not found: ${agentId}`,
    });
  }
});
