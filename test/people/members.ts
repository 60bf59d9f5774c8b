import { send, type TestWorkspace } from '../service/harness.ts';
import { type ConsoleSession, signIn } from './console-session.ts';

export interface TestMember {
  memberId: string;
  session: ConsoleSession;
}

/** The code in the link of an invitation. */
export const codeIn = (url: string): string => url.split('#code=')[1]!;

/** Invites a person, who joins the workspace with a new account. */
export async function addMember(
  workspace: TestWorkspace,
  role: 'owner' | 'editor' | 'viewer',
  name = `The ${role}`,
  email = `${role}@example.com`,
): Promise<TestMember> {
  const invited = await send(
    '/v2/members/invite',
    { data: { email, role, name } },
    workspace.workspaceHeaders,
  );
  if (invited.status !== 200) throw new Error(JSON.stringify(invited.body));
  const session = await signIn(workspace, { code: codeIn(invited.body.result.data.url) });
  const { body } = await send('/v2/members/list', { data: {} }, workspace.workspaceHeaders);
  return { memberId: body.result.data.members.at(-1).memberId, session };
}
