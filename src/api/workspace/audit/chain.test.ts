import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { auditOf, checkAudit, tamper } from '../../../../test/people/audit.ts';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { sha256 } from '../../../lib/crypto.ts';
import { chainAudit } from '../../../store/audit/chain-audit.ts';
import { pruneChain } from '../../../store/audit/prune-audit.ts';
import { runDeletion } from '../../../store/privacy/data-deletions.ts';

const reset = (w: TestWorkspace) =>
  w.postAsWorkspace('/v2/workspace/authtoken/reset', { apiKey: w.apiKeyId });

async function withEntries(count: number): Promise<TestWorkspace> {
  const w = await newWorkspace();
  for (let done = 1; done < count; done++) await reset(w);
  return w;
}

test('entries that are written and chained at the same time form one chain without a gap', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const chaining = Array.from({ length: 10 }, () => chainAudit(deps.db));
  await Promise.all([...Array.from({ length: 20 }, () => reset(w)), ...chaining]);
  await Promise.all([chainAudit(deps.db), chainAudit(deps.db)]);
  expect(await checkAudit(w)).toMatchObject({ isWhole: true, checked: 21, head: { seq: 21 }, unchained: 0 });
  const seqs = (await auditOf(w)).map(({ seq }) => seq);
  expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
});

test.each([
  ['an actor', 'The actor was changed.', sql`actor_id = 'somebody'`],
  ['an erased actor that is put back', 'The actor was changed.', sql`address = '192.0.2.1'`],
  ['a target', 'The target was changed.', sql`target_id = 'other'`],
  ['an action', 'The entry was changed.', sql`action = 'key.created'`],
  ['a time', 'The entry was changed.', sql`at = at + 1`],
  ['a digest', 'The entry was changed.', sql`actor_digest = ${sha256('other')}`],
  ['a number', 'The entry is missing.', sql`seq = 17`],
])('a change of %s is found, with its place', async (_, reason, change) => {
  const w = await withEntries(4);
  expect(await checkAudit(w)).toMatchObject({ isWhole: true, checked: 4, brokenAt: null });
  await tamper(sql`update audit_log set ${change} where workspace_id = ${w.workspaceId} and seq = 2`);
  expect(await checkAudit(w)).toMatchObject({ isWhole: false, checked: 1, brokenAt: { seq: 2, reason } });
});

test.each([
  [2, { seq: 2, reason: 'The entry is missing.' }],
  [4, { seq: 4, reason: 'The entry is missing.' }],
])('the loss of entry %i of 4 is found', async (seq, brokenAt) => {
  const w = await withEntries(4);
  await checkAudit(w);
  await tamper(sql`delete from audit_log where workspace_id = ${w.workspaceId} and seq = ${seq}`);
  expect(await checkAudit(w)).toMatchObject({ isWhole: false, brokenAt });
});

test('a chain is checked in pages, and the place of a break does not depend on them', async () => {
  const w = await withEntries(5);
  const first = await checkAudit(w, { pageSize: 2 });
  const second = await checkAudit(w, { pageSize: 2, pageToken: first.nextPageToken });
  const third = await checkAudit(w, { pageSize: 2, pageToken: second.nextPageToken });
  expect([first.checked, second.checked, third.checked, third.nextPageToken]).toEqual([2, 2, 1, undefined]);
  await tamper(sql`update audit_log set via = 'x' where workspace_id = ${w.workspaceId} and seq = 3`);
  expect(await checkAudit(w, { pageSize: 2, pageToken: first.nextPageToken })).toMatchObject({
    isWhole: false,
    brokenAt: { seq: 3 },
  });
});

test('the database refuses that the log is changed, chained anew, deleted or emptied', async () => {
  const { deps } = await testApp();
  const w = await withEntries(2);
  const { workspaceId: id } = w;
  await checkAudit(w);
  await reset(w);
  for (const statement of [
    sql`update audit_log set action = 'x' where workspace_id = ${id}`,
    sql`update audit_log set hash = 'x' where workspace_id = ${id}`,
    sql`update audit_log set actor_id = 'x' where workspace_id = ${id}`,
    sql`delete from audit_log where workspace_id = ${id}`,
    sql`truncate audit_log`,
    sql`update audit_heads set seq = 0 where workspace_id = ${id}`,
    sql`delete from audit_heads where workspace_id = ${id}`,
  ])
    await expect(statement.execute(deps.db)).rejects.toThrow(/audit/);
  expect(await checkAudit(w)).toMatchObject({ isWhole: true, checked: 3 });
});

test('retention removes the oldest entries, and the rest can still be verified', async () => {
  const { deps } = await testApp();
  const w = await withEntries(6);
  await checkAudit(w);
  const [, , , middle, second] = await auditOf(w);
  const cut = Date.now() + 1;
  // The third entry is newer than the cut, so that it keeps those after it.
  await tamper(sql`update audit_log set at = at + 10000 where workspace_id = ${w.workspaceId} and seq = 3`);
  await pruneChain(deps.db, w.workspaceId, cut);
  expect(await auditOf(w)).toHaveLength(4);
  const after = await checkAudit(w);
  expect(after.anchor).toEqual({ seq: 2, hash: second.hash });
  // Only the times were moved, by the test.
  expect(after.brokenAt).toMatchObject({ seq: middle.seq, reason: 'The entry was changed.' });
  await tamper(sql`update audit_log set at = at - 10000 where workspace_id = ${w.workspaceId} and seq = 3`);
  expect(await checkAudit(w)).toMatchObject({ isWhole: true, checked: 4, head: { seq: 6 } });
});

test('retention removes all entries, and the next one follows the last', async () => {
  const { deps } = await testApp();
  const w = await withEntries(3);
  const { head } = await checkAudit(w);
  await pruneChain(deps.db, w.workspaceId, Date.now() + 1);
  expect(await auditOf(w)).toEqual([]);
  expect(await checkAudit(w)).toMatchObject({ isWhole: true, checked: 0, anchor: head });
  await reset(w);
  await checkAudit(w);
  expect(await auditOf(w)).toMatchObject([{ seq: 4, previousHash: head.hash }]);
});

test('the erasure of a user blanks their name, address and id, and the chain stays whole', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await w.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  const suggestion = { annotationId: 'a1', type: 'suggestion', suggestion: { newValue: 'b' } };
  await w.must('/v2/commentannotations/add', {
    organizationId: 'acme',
    documentId: 'home',
    commentAnnotations: [
      { ...suggestion, commentData: [{ commentText: 'Better', from: { userId: 'bob' } }] },
    ],
  });
  await w.must('/v2/users/add', {
    organizationId: 'acme',
    users: [{ userId: 'eve@example.com' }, { userId: 'bob' }],
  });
  const eve = await newUserToken(w, {
    userId: 'eve@example.com',
    name: 'Eve Adams',
    resources: [{ type: 'organization', id: 'acme' }],
  });
  const decided = await eve.post('/v2/commentannotations/update', {
    organizationId: 'acme',
    documentId: 'home',
    annotationIds: ['a1'],
    updatedData: { suggestion: { status: 'accepted' } },
  });
  expect(decided.body).toMatchObject({ result: { data: { a1: { success: true } } } });
  expect((await auditOf(w, { actorId: 'eve@example.com' }))[0]).toMatchObject({
    action: 'suggestion.decided',
    actor: { kind: 'user', name: 'Eve Adams' },
    before: { suggestion: 'pending' },
    after: { suggestion: 'accepted' },
  });
  await checkAudit(w);
  const { jobId } = (await w.post('/v2/users/data/delete', { userIds: ['eve@example.com'] })).body.data;
  const { workspaceId, apiKeyId } = w;
  await runDeletion(deps.db, deps.jobs, { workspaceId, apiKeyId, jobId }, new AbortController().signal);
  const entries = await auditOf(w);
  expect(JSON.stringify(entries)).not.toMatch(/eve@example|Eve Adams/);
  expect(entries.find(({ action }) => action === 'suggestion.decided')).toMatchObject({
    actor: { kind: 'user', id: null, name: null },
    address: null,
    target: { id: 'a1' },
    isErased: true,
  });
  expect(
    entries.filter(({ action, target }) => action === 'access.granted' && target.id === 'bob'),
  ).toHaveLength(1);
  expect(await checkAudit(w)).toMatchObject({ isWhole: true, erased: 3 });
});
