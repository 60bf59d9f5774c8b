import { expect, test } from 'vitest';
import { newWorkspace } from '../../../../test/service/harness.ts';

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;
const newAgents = async (w: Workspace, count: number): Promise<string[]> =>
  (await Promise.all(Array.from({ length: count }, () => w.must('/v2/agents/create', { name: 'A' })))).map(
    ({ agentId }) => agentId,
  );
const group = (w: Workspace, path: string, data: object = {}) => w.post(`/v2/agents/groups/${path}`, data);

test('a group can be created, read, listed, changed and deleted', async () => {
  const w = await newWorkspace();
  const [one, two] = await newAgents(w, 2);
  const created = await group(w, 'create', {
    name: ' Quality ',
    description: ' Checks. ',
    agentIds: [one, 'spell-check', one],
    metadata: { a: 1, apiKey: 'forged' },
  });
  const shape = {
    id: expect.any(String),
    name: 'Quality',
    description: 'Checks.',
    agentIds: [one, 'spell-check'],
    metadata: { a: 1, apiKey: w.apiKeyId },
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  };
  expect(created.body.result.data).toEqual({ group: shape });
  const groupId = created.body.result.data.group.id;
  expect((await group(w, 'get', { groupId })).body.result).toEqual({
    status: 'success',
    message: 'Agent group fetched successfully',
    data: { group: shape },
  });
  const { agentIds, ...summary } = shape;
  expect((await group(w, 'list')).body.result).toEqual({
    status: 'success',
    message: 'Agent groups fetched successfully',
    data: { groups: [{ ...summary, agentCount: agentIds.length }] },
  });
  const renamed = await group(w, 'update', { groupId, name: 'QA' });
  expect(renamed.body.result.data).toMatchObject({ group: { name: 'QA', description: 'Checks.' } });
  const added = await group(w, 'add-agents', { groupId, agentIds: [two, one, two] });
  expect(added.body.result.data).toMatchObject({ group: { agentIds: [one, 'spell-check', two] } });
  const removed = await group(w, 'remove-agents', { groupId, agentIds: ['spell-check', 'never-there'] });
  expect(removed.body.result.data).toMatchObject({ group: { agentIds: [one, two] } });
  expect((await group(w, 'delete', { groupId })).body.result).toEqual({
    status: 'success',
    message: 'Agent group deleted successfully',
    data: { groupId },
  });
  expect((await group(w, 'get', { groupId })).body.error).toMatchObject({
    status: 'NOT_FOUND',
    message: `Agent group not found: ${groupId}`,
  });
  await w.must('/v2/agents/get', { agentId: one });
});

test('a group accepts built-in agents, and custom ones only if they exist, and an unknown group is not found', async () => {
  const w = await newWorkspace();
  const { group: mine } = await w.must('/v2/agents/groups/create', { name: 'G', agentIds: ['crawler'] });
  const refusal = { status: 'NOT_FOUND', message: 'Agent not found: agent_none' };
  const agentIds = ['crawler', 'agent_none'];
  expect((await group(w, 'create', { name: 'H', agentIds })).body.error).toMatchObject(refusal);
  expect((await group(w, 'add-agents', { groupId: mine.id, agentIds })).body.error).toMatchObject(refusal);
  for (const path of ['update', 'delete', 'add-agents', 'remove-agents']) {
    const more = path === 'update' ? { name: 'x' } : path.endsWith('agents') ? { agentIds } : {};
    expect((await group(w, path, { groupId: 'group_none', ...more })).status, path).toBe(404);
  }
  expect((await w.must('/v2/agents/groups/list')).groups).toHaveLength(1);
});

test('an API key has at most 50 groups, even with concurrent requests', async () => {
  const w = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 53 }, (_, index) => group(w, 'create', { name: `g${index}` })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(replies.filter(({ status }) => status === 429).map(({ body }) => body.error.status)).toEqual(
    Array(3).fill('RESOURCE_EXHAUSTED'),
  );
});

test('a group has at most 100 agents', async () => {
  const w = await newWorkspace();
  const agentIds = await newAgents(w, 101);
  const { group: full } = await w.must('/v2/agents/groups/create', {
    name: 'Full',
    agentIds: agentIds.slice(0, 100),
  });
  expect(full.agentIds).toHaveLength(100);
  expect(
    (await group(w, 'add-agents', { groupId: full.id, agentIds: agentIds.slice(90) })).body.error.status,
  ).toBe('RESOURCE_EXHAUSTED');
  expect((await group(w, 'add-agents', { groupId: full.id, agentIds: agentIds.slice(50, 100) })).status).toBe(
    200,
  );
  expect((await group(w, 'create', { name: 'Over', agentIds })).body.error.status).toBe('INVALID_ARGUMENT');
  const many = Array.from({ length: 20_000 }, (_, index) => `agent_${index}`);
  expect((await group(w, 'add-agents', { groupId: full.id, agentIds: many })).body.error.status).toBe(
    'RESOURCE_EXHAUSTED',
  );
  expect(
    (await group(w, 'remove-agents', { groupId: full.id, agentIds: [...many, ...agentIds.slice(1)] })).body
      .result.data.group.agentIds,
  ).toEqual([agentIds[0]]);
});

test('an update without a change is refused', async () => {
  const { status, body } = await group(await newWorkspace(), 'update', { groupId: 'g' });
  expect([status, body.error.details.issues]).toMatchObject([400, [{ path: [] }]]);
});

test('members added concurrently are all kept', async () => {
  const w = await newWorkspace();
  const agentIds = await newAgents(w, 10);
  const { group: empty } = await w.must('/v2/agents/groups/create', { name: 'G' });
  await Promise.all(
    agentIds.map((agentId) =>
      w.must('/v2/agents/groups/add-agents', { groupId: empty.id, agentIds: [agentId] }),
    ),
  );
  const { group: full } = await w.must('/v2/agents/groups/get', { groupId: empty.id });
  expect([...full.agentIds].sort()).toEqual([...agentIds].sort());
});

test('an agent that is deleted while it is added is in no group', async () => {
  const w = await newWorkspace();
  const agentIds = await newAgents(w, 8);
  const { group: mine } = await w.must('/v2/agents/groups/create', { name: 'G', agentIds: ['crawler'] });
  const replies = await Promise.all(
    agentIds.flatMap((agentId) => [
      group(w, 'add-agents', { groupId: mine.id, agentIds: [agentId] }),
      w.post('/v2/agents/delete', { agentId }),
    ]),
  );
  expect(replies.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  expect((await w.must('/v2/agents/groups/get', { groupId: mine.id })).group.agentIds).toEqual(['crawler']);
});
