import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { expectLog } from '../../../test/run/log-watch.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';

test('create stores an agent, which get returns with its fields, defaults and version 1', async () => {
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
  const { agentId } = body.result.data;

  const got = await w.post('/v2/agents/get', { agentId });
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

test('an agent whose event cannot be written is not created', async () => {
  expectLog(/request fails.*no_doom/);
  const w = await newWorkspace();
  const { deps } = await testApp();
  const name = `doomed ${w.apiKeyId}`;
  // This constraint is only violated by the event, so the whole statement must fail.
  await sql`alter table events add constraint no_doom check (payload->>'name' <> ${sql.lit(name)}) not valid`.execute(
    deps.db,
  );
  try {
    expect((await w.post('/v2/agents/create', { name })).status).toBe(500);
  } finally {
    await sql`alter table events drop constraint no_doom`.execute(deps.db);
  }
  expect((await w.must('/v2/agents/get', { filter: 'customOnly' })).agents).toEqual([]);
  const versions = await deps.db
    .selectFrom('agentVersions')
    .select('version')
    .where('apiKeyId', '=', w.apiKeyId)
    .execute();
  expect(versions).toEqual([]);
});
