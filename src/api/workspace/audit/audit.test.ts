import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../../test/harness.ts';
import { chainAudit } from '../../../store/audit/chain-audit.ts';

const entriesOf = async (w: Awaited<ReturnType<typeof newWorkspace>>, data: object = {}) =>
  (await w.postAsWorkspace('/v2/workspace/audit/get', data)).body.result.data.entries;
const verify = async (w: Awaited<ReturnType<typeof newWorkspace>>, data: object = {}) =>
  (await w.postAsWorkspace('/v2/workspace/audit/verify', data)).body.result;

/** Changes rows as somebody with the rights of the owner of the tables can. */
async function tamper(statement: RawBuilder<unknown>): Promise<void> {
  const { deps } = await testApp();
  await deps.db.transaction().execute(async (tx) => {
    await sql`alter table audit_log disable trigger user`.execute(tx);
    await statement.execute(tx);
    await sql`alter table audit_log enable trigger user`.execute(tx);
  });
}

test('a reset of a token is recorded with who did it, from where, and without the token', async () => {
  const w = await newWorkspace();
  const reply = await w.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: w.apiKeyId });
  const [entry] = await entriesOf(w, { actions: ['token.reset'] });
  expect(entry).toMatchObject({
    action: 'token.reset',
    actor: { kind: 'workspace', id: w.workspaceId, name: null, assistant: null },
    via: '/v2/workspace/authtoken/reset',
    address: '127.0.0.1',
    requestId: reply.headers['x-request-id'],
    apiKeyId: w.apiKeyId,
    target: { type: 'apiKey', id: w.apiKeyId, organizationId: null, documentId: null },
    isErased: false,
  });
  expect(JSON.stringify(entry)).not.toContain(reply.body.result.data.newAuthToken.token);
});

test('an act that fails leaves no entry, and neither does a repeated request', async () => {
  const w = await newWorkspace();
  await w.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: 'unknown' });
  expect(await entriesOf(w, { actions: ['token.reset'] })).toEqual([]);
});

test('the chain is whole until a row is changed, also one in the middle', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  for (let count = 0; count < 3; count++)
    await w.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: w.apiKeyId });
  await chainAudit(deps.db);
  const whole = (await verify(w)).data;
  expect(whole).toMatchObject({ isWhole: true, brokenAt: null, unchained: 0, anchor: { seq: 0 } });
  expect(whole.checked).toBe(whole.head.seq);
  await tamper(
    sql`update audit_log set actor_id = 'somebody' where workspace_id = ${w.workspaceId} and seq = 2`,
  );
  const { data } = await verify(w);
  expect(data).toMatchObject({
    isWhole: false,
    checked: 1,
    brokenAt: { seq: 2, reason: 'The actor was changed.' },
  });
});
