import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { pageOf } from '../../lib/cursor.ts';
import { personalToken } from '../../shapes/identity/member.ts';
import { pageSize, pageToken } from '../../shapes/page-fields.ts';
import { pagePersonalTokens } from '../../store/identity/personal-tokens.ts';

export default read({
  path: '/v2/tokens/list',
  auth: 'member',
  scope: 'none',
  summary: 'List the personal tokens for the API key, the newest first.',
  description:
    'A member sees their own tokens, and an owner those of all members. Grants of OAuth are listed among them, with their `clientId`. Expired tokens are listed for 30 days. The tokens themselves are not included.',
  data: z
    .object({ pageSize: pageSize(100, 100), pageToken: pageToken.optional() })
    .meta({ examples: [{ pageSize: 20 }] }),
  dataOptional: true,
  result: z.object({ tokens: z.array(personalToken) }),
  message: 'Tokens retrieved successfully.',
  page: 'nextPageToken',

  async handle({ pageSize, pageToken }, { db, caller, keyring }) {
    const { role, accountId } = caller.member;
    const whose = role === 'owner' ? undefined : accountId;
    const { rows, next } = await pageOf(
      { keyring, list: ['personal tokens', caller.apiKeyId, whose ?? ''], pageToken, pageSize },
      ({ after, limit }) =>
        pagePersonalTokens(db, caller, {
          accountId: whose,
          after: after && { createdAt: Number(after[0]), tokenId: String(after[1]) },
          limit,
        }),
      (row) => [row.createdAt, row.tokenId],
    );
    const tokens = rows.map(({ memberId, memberName, clientId, ...row }) => ({
      ...row,
      clientId: clientId ?? undefined,
      member: { memberId, name: memberName },
    }));
    return { data: { tokens }, next };
  },
});
