import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { builtinAgents } from '../../review/agents/builtin/index.ts';
import { bumpExecutionCount } from '../../review/agents/load-agent.ts';
import { BUILTIN_AGENT_IDS } from '../../shapes/agents/builtin-agents.ts';

const BUILTIN = [
  'spell-check',
  'grammar-check',
  'broken-links',
  'pii-detection',
  'profanity-filter',
  'sensitive-data',
  'lighthouse',
  'accessibility-checker',
  'og-image-checker',
  'lorem-ipsum',
];
const idsOf = (data: { agents: { id: string }[] }) => data.agents.map(({ id }) => id);

test('a built-in agent shows its required inputs, and no internals', async () => {
  const w = await newWorkspace();
  for (const agentId of [...BUILTIN, 'crawler', 'screenshot', 'docs-code-comparison']) {
    const { agent } = await w.must('/v2/agents/get', { agentId });
    expect(Object.keys(agent).sort()).toEqual([
      'description',
      'enabled',
      'executionCount',
      'id',
      'inputRequirements',
      'lastExecutedAt',
      'managedBy',
      'metadata',
      'name',
      'system',
      'userContextFields',
    ]);
    expect(agent).toMatchObject({
      id: agentId,
      enabled: true,
      managedBy: 'redpen',
      system: true,
      inputRequirements: { requires: ['url'] },
      userContextFields: [],
      executionCount: 0,
      lastExecutedAt: null,
    });
  }
});

test('the list has built-in agents without the internal ones, then custom agents, newest first', async () => {
  const w = await newWorkspace();
  const { agentId: first } = await w.must('/v2/agents/create', {
    name: 'First',
    description: 'One.',
    instructions: 'hidden',
  });
  const { deps } = await testApp();
  await deps.db
    .updateTable('agents')
    .set((eb) => ({ createdAt: eb('createdAt', '-', 1_000) }))
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  const { agentId: second } = await w.must('/v2/agents/create', {
    name: 'Second',
    enabled: false,
    metadata: { a: 1 },
  });
  const { status, body } = await w.post('/v2/agents/get');
  expect(status).toBe(200);
  expect(body.result.message).toBe('Agents fetched successfully');
  expect(idsOf(body.result.data)).toEqual([...BUILTIN, second, first]);
  const rows = body.result.data.agents;
  expect(rows[0]).toEqual({
    id: 'spell-check',
    name: 'Spell check',
    description: expect.any(String),
    enabled: true,
    managedBy: 'redpen',
    metadata: { type: 'system', category: 'quality' },
    system: true,
    executionCount: 0,
    lastExecutedAt: null,
  });
  expect(rows.at(-1)).toEqual({
    id: first,
    name: 'First',
    description: 'One.',
    enabled: true,
    managedBy: 'customer',
    metadata: {},
    version: 1,
    executionCount: 0,
    lastExecutedAt: null,
  });
  expect(rows.at(-2)).toMatchObject({ enabled: false, metadata: { a: 1 } });
  expect(idsOf(await w.must('/v2/agents/get', { filter: 'defaultOnly' }))).toEqual(BUILTIN);
  expect(idsOf(await w.must('/v2/agents/get', { filter: 'customOnly' }))).toEqual([second, first]);
});

test('pages together contain the whole list, of a filter or group, too', async () => {
  const w = await newWorkspace();
  const custom: string[] = [];
  for (const name of ['One', 'Two', 'Three'])
    custom.unshift((await w.must('/v2/agents/create', { name, instructions: 'x' })).agentId);
  const { groupId } = await w.must('/v2/agents/groups/create', {
    name: 'Some',
    agentIds: [custom[2], 'broken-links', custom[0]],
  });
  for (const selection of [{}, { filter: 'customOnly' }, { filter: 'defaultOnly' }, { groupId }]) {
    const all = idsOf(await w.must('/v2/agents/get', selection));
    for (const pageSize of [1, 2, BUILTIN.length, 1_000]) {
      const listed: string[] = [];
      let pageToken: string | undefined;
      do {
        const page = await w.must('/v2/agents/get', { ...selection, pageSize, pageToken });
        expect(page.agents.length).toBeLessThanOrEqual(pageSize);
        listed.push(...idsOf(page));
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined);
      expect(listed).toEqual(all);
    }
  }
});

test('the members of a group are listed in its order, also with a filter', async () => {
  const w = await newWorkspace();
  const { agentId: one } = await w.must('/v2/agents/create', { name: 'One' });
  const { agentId: two } = await w.must('/v2/agents/create', { name: 'Two' });
  const { group } = await w.must('/v2/agents/groups/create', {
    name: 'Mixed',
    agentIds: [one, 'lorem-ipsum', 'crawler', two, 'spell-check'],
  });
  const list = async (filter?: string) =>
    idsOf(await w.must('/v2/agents/get', { groupId: group.id, filter }));
  expect(await list()).toEqual([one, 'lorem-ipsum', two, 'spell-check']);
  expect(await list('defaultOnly')).toEqual(['lorem-ipsum', 'spell-check']);
  expect(await list('customOnly')).toEqual([one, two]);
});

test('an invalid filter is only refused without agentId, and unknown ids are NOT_FOUND', async () => {
  const w = await newWorkspace();
  for (const filter of ['all', null]) {
    const reply = await w.post('/v2/agents/get', { filter });
    expect(reply.body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'filter must be defaultOnly or customOnly.',
    });
    expect((await w.post('/v2/agents/get', { filter, agentId: 'crawler' })).status).toBe(200);
  }
  const agent = await w.post('/v2/agents/get', { agentId: 'agent_none' });
  expect(agent).toMatchObject({
    status: 404,
    body: { error: { status: 'NOT_FOUND', message: 'Agent not found: agent_none' } },
  });
  expect((await w.post('/v2/agents/get', { groupId: 'group_none' })).status).toBe(404);
});

test('an id that is nearly that of a built-in agent is refused with a suggestion', async () => {
  const w = await newWorkspace();
  for (const agentId of ['spellcheck', 'Spell_Check', 'spel-check']) {
    const refusal = {
      status: 'NOT_FOUND',
      message: `Agent not found: ${agentId}`,
      details: { hint: 'Did you mean the built-in agent spell-check?' },
    };
    expect((await w.post('/v2/agents/get', { agentId })).body.error).toEqual(refusal);
    const run = { agentId, url: 'http://127.0.0.1/' };
    expect((await w.post('/v2/agents/execution/run', run)).body.error).toEqual(refusal);
  }
});

test('every built-in agent can be suggested', () => {
  expect(builtinAgents.map(({ agentId }) => agentId).toSorted()).toEqual(BUILTIN_AGENT_IDS.toSorted());
});

test('executions are counted for custom and built-in agents', async () => {
  const w = await newWorkspace();
  const { deps } = await testApp();
  const { agentId } = await w.must('/v2/agents/create', { name: 'Busy' });
  for (const at of [1_700_000_000_000, 1_600_000_000_000]) {
    await deps.db.transaction().execute(async (tx) => {
      await bumpExecutionCount(tx, w, agentId, at);
      await bumpExecutionCount(tx, w, 'broken-links', at);
    });
  }
  for (const id of [agentId, 'broken-links']) {
    const counted = { executionCount: 2, lastExecutedAt: 1_700_000_000_000 };
    expect((await w.must('/v2/agents/get', { agentId: id })).agent).toMatchObject(counted);
    const { agents } = await w.must('/v2/agents/get');
    expect(agents.find((agent: { id: string }) => agent.id === id)).toMatchObject(counted);
  }
});
