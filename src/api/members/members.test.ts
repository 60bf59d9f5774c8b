import { expect, test } from 'vitest';
import { signIn } from '../../../test/people/console-session.ts';
import { addMember, codeIn } from '../../../test/people/members.ts';
import { newWorkspace, type Reply, send, testApp } from '../../../test/service/harness.ts';
import { accountOfEmail } from '../../store/identity/accounts.ts';
import { addMember as join } from '../../store/identity/members.ts';

const refusalOf = ({ status, body }: Reply) => [status, body.error?.status];
const membersOf = async (w: Awaited<ReturnType<typeof newWorkspace>>) =>
  (await w.postAsWorkspace('/v2/members/list')).body.result.data.members;

test('an invitation opens a workspace once, with its role, also without mail', async () => {
  const w = await newWorkspace();
  const { status, body } = await w.postAsWorkspace('/v2/members/invite', {
    email: 'Bob@example.com',
    role: 'editor',
    name: 'Bob',
  });
  expect(status).toBe(200);
  const { invitation, url } = body.result.data;
  expect(url).toMatch(/^http:\/\/localhost:80\/console#code=rpi_[\w-]{43}$/);
  expect(invitation).toMatchObject({ email: 'Bob@example.com', role: 'editor', invitedBy: null });
  expect(invitation.expiresAt - invitation.createdAt).toBe(7 * 86_400_000);
  const list = await w.postAsWorkspace('/v2/members/invitations/list');
  expect(list.body.result.data.invitations).toEqual([invitation]);
  expect(JSON.stringify(list.body)).not.toContain(codeIn(url));

  const bob = await signIn(w, { code: codeIn(url) });
  expect(bob.data).toMatchObject({
    account: { name: 'Bob', email: 'Bob@example.com' },
    workspaces: [{ workspaceId: w.workspaceId, role: 'editor' }],
  });
  expect((await membersOf(w)).map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
    ['Bob', 'editor'],
  ]);
  const again = await send('/v2/session/start', { data: { code: codeIn(url) } });
  expect(refusalOf(again)).toEqual([401, 'UNAUTHENTICATED']);
  expect((await w.postAsWorkspace('/v2/members/invitations/list')).body.result.data.invitations).toEqual([]);
});

test('the link that the inviting owner sees never opens the account of a stranger', async () => {
  const { deps } = await testApp();
  const [victims, attackers] = [await newWorkspace(), await newWorkspace()];
  const email = victims.email;
  const victim = await deps.db.transaction().execute(async (tx) => {
    const account = await accountOfEmail(tx, email);
    await join(tx, { workspaceId: victims.workspaceId, accountId: account.accountId, role: 'owner' });
    return account;
  });
  const { body } = await attackers.postAsWorkspace('/v2/members/invite', { email, role: 'owner' });
  const { data } = await signIn(attackers, { code: codeIn(body.result.data.url) });
  expect(data.account.accountId).not.toBe(victim.accountId);
  expect(data.workspaces.map(({ workspaceId }: { workspaceId: string }) => workspaceId)).toEqual([
    attackers.workspaceId,
  ]);
});

test('an invitation adds its workspace to the account that is signed in, and ends the old session', async () => {
  const [home, other] = [await newWorkspace(), await newWorkspace()];
  const session = await signIn(home);
  const { body } = await other.postAsWorkspace('/v2/members/invite', {
    email: 'x@example.com',
    role: 'viewer',
  });
  const code = codeIn(body.result.data.url);
  const joined = await send('/v2/session/start', { data: { code } }, session.headers);
  expect(joined.body.result.data.account).toEqual(session.data.account);
  expect(joined.body.result.data.workspaces.map((one: { role: string }) => one.role)).toEqual([
    'owner',
    'viewer',
  ]);
  expect((await session.post('/v2/agents/get')).status).toBe(401);
});

test('a new invitation to an address replaces the earlier one, and a revoked one opens nothing', async () => {
  const w = await newWorkspace();
  const invite = async (email: string) =>
    (await w.postAsWorkspace('/v2/members/invite', { email, role: 'viewer' })).body.result.data;
  const first = await invite('ann@example.com');
  const second = await invite('ANN@example.com');
  const { invitationId } = second.invitation;
  expect(refusalOf(await send('/v2/session/start', { data: { code: codeIn(first.url) } }))).toEqual([
    401,
    'UNAUTHENTICATED',
  ]);
  expect((await w.postAsWorkspace('/v2/members/invitations/revoke', { invitationId })).status).toBe(200);
  expect(refusalOf(await send('/v2/session/start', { data: { code: codeIn(second.url) } }))).toEqual([
    401,
    'UNAUTHENTICATED',
  ]);
  expect(refusalOf(await w.postAsWorkspace('/v2/members/invitations/revoke', { invitationId }))).toEqual([
    404,
    'NOT_FOUND',
  ]);
});

test('an expired invitation opens nothing and is not listed', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { body } = await w.postAsWorkspace('/v2/members/invite', { email: 'a@example.com', role: 'viewer' });
  await deps.db
    .updateTable('invitations')
    .set({ expiresAt: Date.now() - 1 })
    .where('workspaceId', '=', w.workspaceId)
    .execute();
  const { url } = body.result.data;
  expect((await send('/v2/session/start', { data: { code: codeIn(url) } })).status).toBe(401);
  expect((await w.postAsWorkspace('/v2/members/invitations/list')).body.result.data.invitations).toEqual([]);
});

test('a change of the role takes effect at once', async () => {
  const w = await newWorkspace();
  const { memberId, session } = await addMember(w, 'viewer');
  const create = async () => (await session.post('/v2/agents/create', { name: 'A' })).status;
  expect(await create()).toBe(403);
  const { body } = await w.postAsWorkspace('/v2/members/update', { memberId, role: 'editor' });
  expect(body.result.data.member).toMatchObject({ memberId, role: 'editor' });
  expect(await create()).toBe(200);
});

test('the last owner can neither be demoted nor removed', async () => {
  const w = await newWorkspace();
  await signIn(w);
  const [{ memberId }] = await membersOf(w);
  for (const [path, data] of [
    ['/v2/members/update', { memberId, role: 'editor' }],
    ['/v2/members/remove', { memberId }],
  ] as const) {
    expect(refusalOf(await w.postAsWorkspace(path, data))).toEqual([400, 'FAILED_PRECONDITION']);
  }
  expect((await w.postAsWorkspace('/v2/members/update', { memberId, role: 'owner' })).status).toBe(200);
  await addMember(w, 'owner');
  expect((await w.postAsWorkspace('/v2/members/remove', { memberId })).status).toBe(200);
});

test('two owners who remove each other at the same time leave one', async () => {
  const w = await newWorkspace();
  const [a, b] = [await addMember(w, 'owner'), await addMember(w, 'owner')];
  const replies = await Promise.all([
    a.session.postAsWorkspace('/v2/members/remove', { memberId: b.memberId }),
    b.session.postAsWorkspace('/v2/members/remove', { memberId: a.memberId }),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await membersOf(w)).toHaveLength(1);
});

test('a removed member does not come back by an invitation that is still open', async () => {
  const w = await newWorkspace();
  const { memberId } = await addMember(w, 'editor', 'Eve', 'Eve@example.com');
  const invite = async (email: string) => {
    const { body } = await w.postAsWorkspace('/v2/members/invite', { email, role: 'owner' });
    return codeIn(body.result.data.url);
  };
  const [own, other] = [await invite('eve@example.com'), await invite('ann@example.com')];
  expect((await w.postAsWorkspace('/v2/members/remove', { memberId })).status).toBe(200);
  const statusOf = async (code: string) => (await send('/v2/session/start', { data: { code } })).status;
  expect([await statusOf(own), await statusOf(other)]).toEqual([401, 200]);
});

test('a removed member is out at once, with tokens and, if nowhere else a member, with the account', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { memberId, session } = await addMember(w, 'editor');
  const created = await session.post('/v2/tokens/create', { name: 'T', scopes: ['read'] });
  const authorization = `Bearer ${created.body.result.data.token}`;
  const byToken = async () => (await send('/v2/agents/get', { data: {} }, { authorization })).status;
  expect([(await session.post('/v2/agents/get')).status, await byToken()]).toEqual([200, 200]);
  expect((await w.postAsWorkspace('/v2/members/remove', { memberId })).status).toBe(200);
  expect([(await session.post('/v2/agents/get')).status, await byToken()]).toEqual([401, 401]);
  const { accountId } = session.data.account;
  for (const table of ['accounts', 'sessions', 'personalTokens'] as const) {
    expect(await deps.db.selectFrom(table).selectAll().where('accountId', '=', accountId).execute()).toEqual(
      [],
    );
  }
});
