import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { openSession } from '../../shapes/identity/member.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { expiryOf, pageSessions } from '../../store/identity/sessions.ts';

export default read({
  path: '/v2/session/list',
  auth: 'account',
  isConsole: true,
  summary: "List the person's sessions of the console, the newest first.",
  description: 'Sessions that have ended are left out.',
  data: z
    .object({ pageSize: pageSize(100, 50), pageToken: pageToken.optional() })
    .meta({ examples: [{ pageSize: 20 }] }),
  dataOptional: true,
  result: z.object({ sessions: z.array(openSession) }),
  message: 'Sessions retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken }, { db, caller, keyring }) {
    const { accountId, sessionId } = caller.session;
    const { rows, next } = await pageOf(
      { keyring, list: ['sessions', accountId], pageToken, pageSize },
      ({ after, limit }) =>
        pageSessions(db, accountId, {
          after: after && { createdAt: Number(after[0]), sessionId: String(after[1]) },
          limit,
        }),
      (row) => [row.createdAt, row.sessionId],
    );
    const sessions = rows.map((row) => ({
      sessionId: row.sessionId,
      createdAt: row.createdAt,
      lastUsedAt: row.lastUsedAt,
      expiresAt: expiryOf(row),
      address: row.address,
      userAgent: row.userAgent,
      isCurrent: row.sessionId === sessionId,
    }));
    return { data: { sessions }, next };
  },
});
