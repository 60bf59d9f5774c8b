import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/harness.ts';

test('create stores an agent that get answers with its fields, defaults and version 1', async () => {
  const w = await newWorkspace();
  const before = Date.now();
  const { status, body } = await w.post('/v2/agents/create', {
    name: 'Tone',
    instructions: 'Be kind.',
    metadata: { team: 'web' },
    contextGathering: { strategies: ['web-page-text'], own: { kept: [1, null] } },
    anythingElse: { passes: true },
  });
  expect(status).toBe(200);
  expect(body.result).toMatchObject({ status: 'success', message: 'Agent created successfully' });
  const { agentId } = body.result.data;

  const got = await w.post('/v2/agents/get', { agentId });
  expect(got.body.result.message).toBe('Agent fetched successfully');
  const { createdAt, updatedAt, ...agent } = got.body.result.data.agent;
  expect(agent).toEqual({
    id: agentId,
    name: 'Tone',
    enabled: true,
    version: 1,
    managedBy: 'customer',
    metadata: { team: 'web' },
    executionCount: 0,
    lastExecutedAt: null,
    instructions: 'Be kind.',
    contextGathering: { strategies: ['web-page-text'], own: { kept: [1, null] } },
    anythingElse: { passes: true },
  });
  expect(createdAt).toBeGreaterThanOrEqual(before);
  expect(updatedAt).toBe(createdAt);
});
