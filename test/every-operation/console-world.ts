import { MEMBER_ROLES, TOKEN_SCOPES } from '../../src/lib/scope.ts';
import { addMember as joinWorkspace } from '../../src/store/identity/members.ts';
import { type ConsoleSession, signIn } from '../people/console-session.ts';
import { addMember, codeIn } from '../people/members.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';
import type { World } from './world.ts';

/** Signs in as the owner, with a second session, two personal tokens, two invitations and another member. */
export async function fillConsole(
  workspace: TestWorkspace,
  own: World['own'],
  secrets: string[],
  mark: string,
): Promise<ConsoleSession> {
  const session = await signIn(workspace);
  const another = await signIn(workspace);
  own.session = another.data.session.sessionId;
  const { memberId, session: guest } = await addMember(workspace, 'viewer', mark);
  own.member = memberId;
  // An account in no workspace would be deleted with its member, and not be restored.
  const elsewhere = await newWorkspace();
  const { deps } = await testApp();
  await deps.db.transaction().execute((tx) =>
    joinWorkspace(tx, {
      workspaceId: elsewhere.workspaceId,
      accountId: guest.data.account.accountId,
      role: 'viewer',
    }),
  );
  for (const name of ['first', 'second']) {
    const invited = await session.postAsWorkspace('/v2/members/invite', {
      email: `${name}@example.com`,
      role: 'editor',
      name: mark,
    });
    own.invitation = invited.body.result.data.invitation.invitationId;
    const created = await session.post('/v2/tokens/create', { name: mark, scopes: ['read'] });
    own.personalToken = created.body.result.data.personalToken.tokenId;
    secrets.push(codeIn(invited.body.result.data.url), created.body.result.data.token);
  }
  secrets.push(...[session, another, guest].map(({ cookie }) => cookie.split('=')[1]!));
  return session;
}

/** Adds a member of each role, and a personal token of the owner for each scope. */
export async function addByRole(workspace: TestWorkspace): Promise<Pick<World, 'members' | 'tokens'>> {
  const members: Partial<World['members']> = {};
  for (const role of MEMBER_ROLES) members[role] = (await addMember(workspace, role)).session;
  const { owner } = members as World['members'];
  const tokens: Partial<World['tokens']> = {};
  for (const scope of TOKEN_SCOPES) {
    const { body } = await owner.post('/v2/tokens/create', { name: scope, scopes: [scope] });
    tokens[scope] = body.result.data.token;
  }
  return { members: members as World['members'], tokens: tokens as World['tokens'] };
}
