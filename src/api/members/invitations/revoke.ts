import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { invitationId } from '../../../shapes/identity/member.ts';
import { revokeInvitation } from '../../../store/identity/invitations.ts';

export default write({
  path: '/v2/members/invitations/revoke',
  auth: 'workspace',
  availableWhenFull: true,
  summary: 'Take an invitation back.',
  description: 'Its links work no more. A person who has joined stays a member.',
  data: z.object({ invitationId }).meta({ examples: [{ invitationId: 'invitation_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.undefined(),
  message: 'Invitation revoked successfully.',
  failures: { NOT_FOUND: 'The workspace has no such open invitation.' },
  audit: { action: 'member.invitation_revoked', of: ({ invitationId }) => ({ id: invitationId }) },

  async handle({ invitationId }, { tx, caller: { workspaceId } }) {
    await revokeInvitation(tx, workspaceId, invitationId);
    return undefined;
  },
});
