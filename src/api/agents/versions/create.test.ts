import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

const original = {
  name: 'Reader',
  description: 'Reads.',
  instructions: 'Read.',
  metadata: { team: 'web' },
  auth: { headers: { 'x-preview': 'secret-one' } },
  contextGathering: {
    strategies: ['web-page-text', 'rest-api'],
    strategyOptions: {
      'rest-api': {
        endpoints: [
          {
            id: 'prices',
            description: 'Prices.',
            url: 'https://example.com/prices.json',
            auth: { type: 'bearer', token: 'secret-two' },
          },
        ],
      },
    },
  },
  custom: { deep: { kept: 1 } },
};

const IDENTITY = [
  'id',
  'name',
  'description',
  'enabled',
  'managedBy',
  'version',
  'executionCount',
  'lastExecutedAt',
  'createdAt',
  'updatedAt',
];

test('a version takes the place of the behavior as a whole', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', original);
  expect(
    await w.must('/v2/agents/versions/create', {
      agentId,
      instructions: 'Read closely.',
      scope: { pageScope: ['/docs/**'] },
    }),
  ).toEqual({ version: 2 });
  const { agent } = await w.must('/v2/agents/get', { agentId });
  const behavior = Object.entries(agent as object).filter(([key]) => !IDENTITY.includes(key));
  expect(Object.fromEntries(behavior)).toEqual({
    instructions: 'Read closely.',
    scope: { pageScope: ['/docs/**'] },
    metadata: { team: 'web' },
  });
  expect(agent).toMatchObject({ name: 'Reader', description: 'Reads.', version: 2 });
});

test('metadata that is sent takes the place of the earlier', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', original);
  await w.must('/v2/agents/versions/create', { agentId, metadata: { owner: 'eva' } });
  expect((await w.must('/v2/agents/get', { agentId })).agent.metadata).toEqual({ owner: 'eva' });
});

test('what agents/get returns can be sent back, and its secrets stay', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', original);
  const { agent } = await w.must('/v2/agents/get', { agentId });
  expect(JSON.stringify(agent)).not.toContain('secret-');
  const behavior = Object.fromEntries(
    Object.entries(agent as object).filter(([key]) => !IDENTITY.includes(key)),
  );
  await w.must('/v2/agents/versions/create', { agentId, ...behavior });
  const again = (await w.must('/v2/agents/get', { agentId })).agent;
  expect(again).toEqual({ ...agent, version: 2, updatedAt: again.updatedAt });
  // Without a stored secret, the redacted form would be refused.
  await w.must('/v2/agents/versions/create', { agentId, instructions: 'No secrets.' });
  const refused = await w.post('/v2/agents/versions/create', { agentId, ...behavior });
  expect(refused).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } });
});

test('a refused version names all problems and leaves the agent unchanged', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', original);
  const before = (await w.must('/v2/agents/get', { agentId })).agent;
  const { status, body } = await w.post('/v2/agents/versions/create', {
    agentId,
    name: 'Other',
    phaseTimeoutMs: 0,
    execution: { executionStrategy: 'magic' },
  });
  expect(status).toBe(400);
  const paths = body.error.details.issues.map(({ path }: { path: string[] }) => path.join('.'));
  expect(paths.sort()).toEqual(['execution.executionStrategy', 'name', 'phaseTimeoutMs']);
  expect((await w.must('/v2/agents/get', { agentId })).agent).toEqual(before);
});

test.each(['broken-links', 'agent_unknown'])('%s has no versions to create', async (agentId) => {
  const w = await newWorkspace();
  const { status, body } = await w.post('/v2/agents/versions/create', { agentId, instructions: 'Read.' });
  expect({ status, error: body.error.status }).toEqual({ status: 404, error: 'NOT_FOUND' });
});
