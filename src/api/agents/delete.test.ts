import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';

test('delete removes the agent, its versions and its place in every group, and keeps the groups', async () => {
  const w = await newWorkspace();
  const { agentId } = await w.must('/v2/agents/create', { name: 'Gone' });
  const { agentId: stays } = await w.must('/v2/agents/create', { name: 'Stays' });
  await w.must('/v2/agents/version/update', { agentId, instructions: 'x' });
  const { group: alone } = await w.must('/v2/agents/groups/create', { name: 'Alone', agentIds: [agentId] });
  const { group: both } = await w.must('/v2/agents/groups/create', {
    name: 'Both',
    agentIds: ['crawler', agentId, stays],
  });

  expect(await w.must('/v2/agents/delete', { agentId })).toEqual({ agentId });
  expect((await w.must('/v2/agents/groups/get', { groupId: alone.id })).group.agentIds).toEqual([]);
  expect((await w.must('/v2/agents/groups/get', { groupId: both.id })).group.agentIds).toEqual([
    'crawler',
    stays,
  ]);
  const { deps } = await testApp();
  const versions = await deps.db
    .selectFrom('agentVersions')
    .select('agentId')
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  expect(versions).toEqual([{ agentId: stays }]);
  const events = await deps.db
    .selectFrom('events')
    .select(['name', 'payload'])
    .where('apiKeyId', '=', w.apiKeyId)
    .where('name', '=', 'agent.delete')
    .execute();
  expect(events).toEqual([{ name: 'agent.delete', payload: { agentId } }]);
  const again = await w.post('/v2/agents/delete', { agentId });
  expect(again).toMatchObject({
    status: 404,
    body: { error: { status: 'NOT_FOUND', message: `Agent not found: ${agentId}` } },
  });
});

test('a built-in agent cannot be deleted', async () => {
  const w = await newWorkspace();
  const reply = await w.post('/v2/agents/delete', { agentId: 'broken-links' });
  expect(reply.body.error).toMatchObject({ status: 'NOT_FOUND', message: 'Agent not found: broken-links' });
  await w.must('/v2/agents/get', { agentId: 'broken-links' });
});

test('if the groups cannot be updated the agent stays intact, and a second attempt succeeds', async () => {
  expectLog(/request fails/);
  const w = await newWorkspace();
  const { deps } = await testApp();
  const { agentId } = await w.must('/v2/agents/create', { name: 'Tough' });
  const { group } = await w.must('/v2/agents/groups/create', { name: 'Group', agentIds: [agentId] });
  await sql`create function refuse_cleanup() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
    deps.db,
  );
  await sql`create trigger refuse_cleanup before update on agent_groups for each row
    when (old.api_key_id = ${sql.lit(w.apiKeyId)}) execute function refuse_cleanup()`.execute(deps.db);
  try {
    const failed = await w.post('/v2/agents/delete', { agentId });
    expect(failed).toMatchObject({ status: 500, body: { error: { status: 'INTERNAL' } } });
  } finally {
    await sql`drop trigger refuse_cleanup on agent_groups`.execute(deps.db);
    await sql`drop function refuse_cleanup`.execute(deps.db);
  }
  expect((await w.must('/v2/agents/get', { agentId })).agent).toMatchObject({ name: 'Tough', version: 1 });
  expect((await w.must('/v2/agents/groups/get', { groupId: group.id })).group.agentIds).toEqual([agentId]);
  await w.must('/v2/agents/delete', { agentId });
  expect((await w.must('/v2/agents/groups/get', { groupId: group.id })).group.agentIds).toEqual([]);
});
