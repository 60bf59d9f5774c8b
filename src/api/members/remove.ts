import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { memberId } from '../../shapes/identity/member.ts';
import { getMember, removeMember } from '../../store/identity/members.ts';

export default write({
  path: '/v2/members/remove',
  auth: 'workspace',
  availableWhenFull: true,
  summary: 'Remove a member from the workspace.',
  description:
    'Takes effect at once, and deletes the personal tokens of the member for this workspace and open invitations to their address. An account that is in no other workspace is deleted with its sessions. What the member has written stays. Secrets that an owner could read still work: replace the token of the workspace (workspace/token/reset), the tokens of its API keys (workspace/authtoken/reset) and the secrets of its webhook endpoints (workspace/advancedwebhook/endpoints/secret/rotate).',
  data: z.object({ memberId }).meta({ examples: [{ memberId: 'member_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.undefined(),
  message: 'Member removed successfully.',
  failures: {
    NOT_FOUND: 'The workspace has no such member.',
    FAILED_PRECONDITION: 'It is the last owner of the workspace.',
  },
  audit: {
    action: 'member.removed',
    before: async ({ memberId }, { db, caller }) => {
      const { name, email, role } = await getMember(db, caller.workspaceId, memberId);
      return { name, email, role };
    },
    of: ({ memberId }) => ({ id: memberId }),
  },

  async handle({ memberId }, { tx, caller: { workspaceId }, revoke }) {
    revoke(await removeMember(tx, workspaceId, memberId));
    return undefined;
  },
});
