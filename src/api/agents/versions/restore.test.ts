import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

test('restore creates a new version from the previous one and keeps the history', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', instructions: 'one' });
  const first = await w.post('/v2/agents/versions/restore', { agentId });
  expect(first).toMatchObject({ status: 400, body: { error: { status: 'FAILED_PRECONDITION' } } });

  await w.must('/v2/agents/version/update', { agentId, instructions: 'two', custom: 1 });
  await w.must('/v2/agents/update', { agentId, name: 'B' });
  expect(await w.must('/v2/agents/versions/restore', { agentId })).toEqual({ version: 3 });
  const { agent } = await w.must('/v2/agents/get', { agentId });
  expect(agent).toMatchObject({ name: 'B', version: 3, instructions: 'one' });
  expect(agent).not.toHaveProperty('custom');
  const { versions } = await w.must('/v2/agents/versions/list', { agentId });
  expect(versions.map(({ id, instructions }: Record<string, string>) => [id, instructions])).toEqual([
    ['v3', 'one'],
    ['v2', 'two'],
    ['v1', 'one'],
  ]);
});

test('restore does not find unknown or built-in agents', async () => {
  const w = await newWorkspace();
  for (const agentId of ['agent_none', 'crawler']) {
    expect((await w.post('/v2/agents/versions/restore', { agentId })).body.error).toMatchObject({
      status: 'NOT_FOUND',
      message: `Agent not found: ${agentId}`,
    });
  }
});

test('any version is restored by its number, but neither the current nor a missing one', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', instructions: 'one' });
  await w.must('/v2/agents/version/update', { agentId, instructions: 'two' });
  await w.must('/v2/agents/version/update', { agentId, instructions: 'three' });
  expect(await w.must('/v2/agents/versions/restore', { agentId, version: 1 })).toEqual({ version: 4 });
  expect((await w.must('/v2/agents/get', { agentId })).agent).toMatchObject({
    version: 4,
    instructions: 'one',
  });
  expect((await w.post('/v2/agents/versions/restore', { agentId, version: 4 })).body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: `Version 4 of agent ${agentId} is the current one.`,
  });
  expect((await w.post('/v2/agents/versions/restore', { agentId, version: 9 })).body.error).toMatchObject({
    status: 'NOT_FOUND',
    message: `Version 9 of agent ${agentId} not found.`,
  });
});
