import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { notFound } from '../../lib/errors.ts';
import { tokenId } from '../../shapes/identity/member.ts';
import { revokePersonalToken } from '../../store/identity/personal-tokens.ts';

export default write({
  path: '/v2/tokens/revoke',
  auth: 'member',
  role: 'viewer',
  scope: 'none',
  availableWhenFull: true,
  summary: 'Revoke a personal token, or a grant of OAuth.',
  description:
    'Takes effect at once, in all processes of the service. A member revokes their own tokens, and an owner those of all members.',
  data: z.object({ tokenId }).meta({ examples: [{ tokenId: 'token_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.undefined(),
  message: 'Token revoked successfully.',
  failures: { NOT_FOUND: 'There is no such token for the API key, or it is that of another member.' },
  audit: { action: 'personal_token.revoked', of: ({ tokenId }) => ({ id: tokenId }) },

  async handle({ tokenId }, { tx, caller, revoke }) {
    const { role, accountId } = caller.member;
    const whose = role === 'owner' ? undefined : accountId;
    if (!(await revokePersonalToken(tx, caller, tokenId, whose))) throw notFound('Token not found.');
    revoke(tokenId);
    return undefined;
  },
});
