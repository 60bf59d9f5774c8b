import { z } from 'zod';
import { requireScopes } from '../../access/member-roles.ts';
import { write } from '../../http/endpoint.ts';
import { DAY_MS } from '../../lib/day.ts';
import { personalToken, tokenName, tokenScope } from '../../shapes/identity/member.ts';
import { createPersonalToken } from '../../store/identity/personal-tokens.ts';

const MAX_DAYS = 3_650;

export default write({
  path: '/v2/tokens/create',
  auth: 'member',
  role: 'viewer',
  scope: 'none',
  summary: 'Create a personal token, with which a program acts as the member.',
  description:
    'For assistants and scripts: sent as `authorization: Bearer rp_…`, it opens operations of the API key within its scopes, and never more than the role of the member. `read` shows data; `comment` adds comments, reactions and attachments; `decide` decides on findings; `review` starts and cancels reviews. Leave out `decide` for an assistant that shall not decide by itself. The answer is the only one that contains the token.',
  data: z
    .object({
      name: tokenName.describe('What uses it, such as the name of an assistant.'),
      scopes: z.array(tokenScope).min(1).max(4),
      expiresInDays: z
        .int()
        .min(1)
        .max(MAX_DAYS)
        .optional()
        .describe('Without it, the token does not expire.'),
      isAssistant: z
        .boolean()
        .default(false)
        .describe(
          'True if an AI assistant uses the token: what it writes is marked, and its decisions do not count as those of a person.',
        ),
    })
    .meta({
      examples: [{ name: 'Assistant', scopes: ['read', 'comment'], expiresInDays: 90, isAssistant: true }],
    }),
  result: z.object({ token: z.string().describe('The token, beginning with `rp_`.'), personalToken }),
  message: 'Token created successfully.',
  onceOnly: ['token'],
  failures: {
    PERMISSION_DENIED: 'The role of the member does not allow a scope.',
    RESOURCE_EXHAUSTED: 'The member has too many tokens for the API key, or the rate limit is exceeded.',
  },
  audit: {
    action: 'personal_token.created',
    of: ({ name, scopes, expiresInDays, isAssistant }, { personalToken }) => ({
      id: personalToken.tokenId,
      after: { name, scopes, expiresInDays, isAssistant },
    }),
  },

  async handle({ name, scopes, expiresInDays, isAssistant }, { tx, caller }) {
    const { member } = caller;
    const wanted = [...new Set(scopes)];
    requireScopes(member.role, wanted);
    const expiresAt = expiresInDays === undefined ? null : Date.now() + expiresInDays * DAY_MS;
    const wish = { name, scopes: wanted, expiresAt, isAssistant };
    const { token, row } = await createPersonalToken(tx, caller, member, wish);
    const shown = { ...row, clientId: undefined, member: { memberId: member.memberId, name: member.name } };
    return { token, personalToken: shown };
  },
});
