import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { invitation, personName } from '../../shapes/identity/member.ts';
import { memberRole } from '../../shapes/identity/session.ts';
import { createInvitation, INVITATION_DAYS } from '../../store/identity/invitations.ts';
import {
  countInvitationMail,
  INVITATIONS_PER_HOUR,
  MAILS_PER_HOUR,
} from '../../store/identity/mail-limits.ts';
import { consoleLink } from '../../store/identity/sign-in-links.ts';

export default write({
  path: '/v2/members/invite',
  auth: 'workspace',
  summary: 'Invite a person into the workspace.',
  description: `Returns a link for the person, which is valid for ${INVITATION_DAYS} days and once; the service also mails one if it has a mail server, at most ${MAILS_PER_HOUR} an hour to an address and ${INVITATIONS_PER_HOUR} for a workspace. The person joins with the account to which they are signed in. Otherwise a new account is made; the returned link is no proof of its address. A person who has proved the address before, by a mailed link, signs in first. A new invitation to an address replaces the earlier one.`,
  data: z
    .object({
      email: z.email().max(320),
      role: memberRole,
      name: personName.optional().describe('The name of a new account. Defaults to the address.'),
    })
    .meta({ examples: [{ email: 'bob@example.com', role: 'editor', name: 'Bob' }] }),
  result: z.object({ invitation, url: z.string().describe('The link. Anyone with it may join.') }),
  message: 'Invitation created successfully.',
  onceOnly: ['url'],
  // The link would lead nowhere, and mail would carry it out of the service.
  closed: ({ console }) =>
    console ? undefined : 'The console of this service is turned off, so that an invitation leads nowhere.',
  failures: {
    PERMISSION_DENIED: 'The console is turned off.',
    ALREADY_EXISTS: 'A member of the workspace has this address.',
    RESOURCE_EXHAUSTED: 'The workspace has too many open invitations, or the rate limit is exceeded.',
  },
  audit: {
    action: 'member.invited',
    of: ({ email, role }, { invitation }) => ({ id: invitation.invitationId, after: { email, role } }),
  },

  async handle(guest, { tx, jobs, caller: { workspaceId, member }, settings, origin }) {
    const { email, role, name } = guest;
    const { invitation, code } = await createInvitation(tx, workspaceId, {
      email,
      role,
      name,
      invitedBy: member?.name,
    });
    if (settings.sendsMail && (await countInvitationMail(tx, workspaceId, email))) {
      const { invitationId } = invitation;
      await jobs.enqueue(tx, 'member.invitation', { workspaceId, invitationId, origin: origin() });
    }
    return { invitation, url: consoleLink(origin(), code) };
  },
});
