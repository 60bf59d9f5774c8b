import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/service/harness.ts';

test('fifty equal requests with one idempotency-key run once and get the same answer', async () => {
  const w = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 50 }, () =>
      w.post('/v2/agents/create', { name: 'one' }, { 'idempotency-key': 'k1' }),
    ),
  );
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
  expect(new Set(replies.map((reply) => reply.body.result.data.agentId)).size).toBe(1);
  expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === 'true')).toHaveLength(49);
  const { agents } = await w.must('/v2/agents/get', { filter: 'customOnly' });
  expect(agents).toHaveLength(1);
});

test('a key with another body or operation is refused as INVALID_ARGUMENT', async () => {
  const w = await newWorkspace();
  const headers = { 'idempotency-key': 'k2' };
  const { body } = await w.post('/v2/agents/create', { name: 'one' }, headers);
  const other = await w.post('/v2/agents/create', { name: 'two' }, headers);
  const elsewhere = await w.post('/v2/agents/delete', { agentId: body.result.data.agentId }, headers);
  expect([other.status, other.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect([elsewhere.status, elsewhere.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
});

test('a key whose request failed can be used again, and keys of two tenants are independent', async () => {
  const [one, two] = await Promise.all([newWorkspace(), newWorkspace()]);
  const headers = { 'idempotency-key': 'k3' };
  const missing = await one.post('/v2/agents/delete', { agentId: 'agent_none' }, headers);
  expect(missing.status).toBe(404);
  const mine = await one.post('/v2/agents/create', { name: 'mine' }, headers);
  const theirs = await two.post('/v2/agents/create', { name: 'theirs' }, headers);
  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(mine.body.result.data.agentId).not.toBe(theirs.body.result.data.agentId);
});
