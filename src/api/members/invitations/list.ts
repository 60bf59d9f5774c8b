import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { invitation } from '../../../shapes/identity/member.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { pageInvitations } from '../../../store/identity/invitations.ts';

export default read({
  path: '/v2/members/invitations/list',
  auth: 'workspace',
  summary: 'List the open invitations of the workspace, the newest first.',
  description: 'Links are not included: members/invite returns them once.',
  data: z
    .object({ pageSize: pageSize(100, 100), pageToken: pageToken.optional() })
    .meta({ examples: [{ pageSize: 20 }] }),
  dataOptional: true,
  result: z.object({ invitations: z.array(invitation) }),
  message: 'Invitations retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken }, { db, caller: { workspaceId }, keyring }) {
    const { rows, next } = await pageOf(
      { keyring, list: ['invitations', workspaceId], pageToken, pageSize },
      ({ after, limit }) =>
        pageInvitations(db, workspaceId, {
          after: after && { createdAt: Number(after[0]), invitationId: String(after[1]) },
          limit,
        }),
      (row) => [row.createdAt, row.invitationId],
    );
    return { data: { invitations: rows }, next };
  },
});
