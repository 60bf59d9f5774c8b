import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { memberId, workspaceMember } from '../../shapes/identity/member.ts';
import { memberRole } from '../../shapes/identity/session.ts';
import { changeRole, getMember } from '../../store/identity/members.ts';

export default write({
  path: '/v2/members/update',
  auth: 'workspace',
  summary: 'Change the role of a member.',
  description:
    'Takes effect at once, for the sessions and the personal tokens of the member. An owner who gets another role may have read secrets, which still work: replace them as after members/remove.',
  data: z
    .object({ memberId, role: memberRole })
    .meta({ examples: [{ memberId: 'member_1a2B3cD4eF5gH6jK7mN8', role: 'owner' }] }),
  result: z.object({ member: workspaceMember }),
  message: 'Member updated successfully.',
  failures: {
    NOT_FOUND: 'The workspace has no such member.',
    FAILED_PRECONDITION: 'It is the last owner of the workspace.',
  },
  audit: {
    action: 'member.role_changed',
    before: async ({ memberId }, { db, caller }) => ({
      role: (await getMember(db, caller.workspaceId, memberId)).role,
    }),
    of: ({ memberId, role }) => ({ id: memberId, after: { role } }),
  },

  async handle({ memberId, role }, { tx, caller: { workspaceId }, revoke }) {
    revoke(await changeRole(tx, workspaceId, memberId, role));
    return { member: await getMember(tx, workspaceId, memberId) };
  },
});
