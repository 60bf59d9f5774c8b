import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { workspaceMember } from '../../shapes/identity/member.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { pageMembers } from '../../store/identity/members.ts';

export default read({
  path: '/v2/members/list',
  auth: 'workspace',
  role: 'viewer',
  summary: 'List the members of the workspace, in the order in which they joined.',
  description: 'Members are people who use the console. They are no users of an API key.',
  data: z
    .object({ pageSize: pageSize(100, 100), pageToken: pageToken.optional() })
    .meta({ examples: [{ pageSize: 20 }] }),
  dataOptional: true,
  result: z.object({ members: z.array(workspaceMember) }),
  message: 'Members retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken }, { db, caller: { workspaceId }, keyring }) {
    const { rows, next } = await pageOf(
      { keyring, list: ['members', workspaceId], pageToken, pageSize },
      ({ after, limit }) =>
        pageMembers(db, workspaceId, {
          after: after && { joinedAt: Number(after[0]), memberId: String(after[1]) },
          limit,
        }),
      (row) => [row.joinedAt, row.memberId],
    );
    return { data: { members: rows }, next };
  },
});
