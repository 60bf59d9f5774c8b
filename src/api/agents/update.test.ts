import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/service/harness.ts';

test('update changes only the sent fields and creates no version', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'Before',
    description: 'Stays.',
    instructions: 'Stay.',
  });
  expect(await w.must('/v2/agents/update', { agentId, name: 'After' })).toEqual({ agentId });
  await w.must('/v2/agents/update', { agentId, enabled: false });
  expect((await w.must('/v2/agents/get', { agentId })).agent).toMatchObject({
    name: 'After',
    description: 'Stays.',
    instructions: 'Stay.',
    enabled: false,
    version: 1,
  });
  await w.must('/v2/agents/update', { agentId, enabled: true, description: '' });
  expect((await w.must('/v2/agents/get', { agentId })).agent).toMatchObject({
    description: '',
    enabled: true,
  });
});

test('a built-in agent can be disabled for one API key, and not changed otherwise', async () => {
  const [w, other] = [await newWorkspace(), await newWorkspace()];
  const enabledOf = async (of: typeof w) =>
    (await of.must('/v2/agents/get', { agentId: 'lighthouse' })).agent.enabled;
  await w.must('/v2/agents/update', { agentId: 'lighthouse', enabled: false });
  expect([await enabledOf(w), await enabledOf(other)]).toEqual([false, true]);
  const refused = await w.post('/v2/agents/update', {
    agentId: 'lighthouse',
    name: 'Mine',
    description: '',
    enabled: true,
  });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message:
      'name of a built-in agent cannot be changed.\ndescription of a built-in agent cannot be changed.',
  });
  expect(await enabledOf(w)).toBe(false);
  await w.must('/v2/agents/update', { agentId: 'lighthouse', enabled: true });
  expect(await enabledOf(w)).toBe(true);
});

test.each([
  [{ agentId: 'x', other: 1 }, ['At least one of name, description and enabled is required.']],
  [
    { agentId: 'x', name: '', managedBy: 'me', version: 2, metadata: { internal: true } },
    [
      'name must not be empty.',
      'managedBy is a server-managed field and cannot be set via the API.',
      'version is a server-managed field and cannot be set via the API.',
      'metadata.internal is a server-managed field and cannot be set via the API.',
    ],
  ],
])('update refuses %j with all problems', async (data, sentences) => {
  const w = await newWorkspace();
  const { status, body } = await w.post('/v2/agents/update', data);
  expect(status).toBe(400);
  expect(body.error.message.split('\n').sort()).toEqual([...sentences].sort());
});
