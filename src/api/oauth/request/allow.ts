import { z } from 'zod';
import { requireScopes } from '../../../access/member-roles.ts';
import { checkRequest, refusalUrl } from '../../../access/oauth/authorization-request.ts';
import { answerUrl } from '../../../access/oauth/redirect-uri.ts';
import { call } from '../../../http/endpoint.ts';
import { BAD_CLIENT, REQUEST_LIMIT } from '../../../http/oauth/request-limit.ts';
import { invalidArgument } from '../../../lib/errors.ts';
import { tokenScope } from '../../../shapes/identity/member.ts';
import { authorizationRequest, EXAMPLE_REQUEST, redirection } from '../../../shapes/identity/oauth.ts';
import { recordAudit } from '../../../store/audit/record-audit.ts';
import { createCode } from '../../../store/identity/oauth-codes.ts';
import { requireRoomForToken } from '../../../store/identity/personal-tokens.ts';

export default call({
  path: '/v2/oauth/request/allow',
  auth: 'member',
  role: 'viewer',
  scope: 'none',
  isConsole: true,
  summary: 'Allow a client of OAuth to act as the member, within scopes.',
  description:
    'Takes the same request as `/v2/oauth/request/get`, and the scopes that the person has chosen, which may be other than those that the client asks for. The grant is for the API key of the request, and becomes one of the personal tokens of the member, which `/v2/tokens/revoke` ends. The address in the answer has a code, with which the client gets its tokens at `/oauth/token` within two minutes. For a request that has a `refusal`, it has the error instead, and nothing is granted.',
  data: authorizationRequest
    .extend({ scopes: z.array(tokenScope).min(1).max(4).describe('Those that the person has chosen.') })
    .meta({ examples: [{ ...EXAMPLE_REQUEST, scopes: ['read', 'comment'] }] }),
  result: redirection,
  message: 'Request allowed successfully.',
  rateLimit: REQUEST_LIMIT,
  failures: {
    INVALID_ARGUMENT: BAD_CLIENT,
    PERMISSION_DENIED: 'The role of the member does not allow a scope.',
    RESOURCE_EXHAUSTED: 'The member has too many tokens for the API key, or the rate limit is exceeded.',
  },

  audit: { action: 'oauth.allowed', recordsItself: true },

  async handle({ scopes, ...request }, { outside, caller, origin, transaction, auditSource }) {
    const { member } = caller;
    const wanted = [...new Set(scopes)];
    requireScopes(member.role, wanted);
    const checked = await checkRequest(request, outside.clients, origin());
    const { client, redirectUri, challenge, resource, allowedScopes, state, refusal } = checked;
    if (refusal) return { redirectUrl: refusalUrl(checked, refusal, origin()) };
    const beyond = wanted.find((scope) => !allowedScopes.includes(scope));
    if (beyond !== undefined) {
      throw invalidArgument(`The scope ${beyond} is of no use for the resource that the client asks for.`);
    }
    const code = await transaction(async (tx) => {
      await requireRoomForToken(tx, caller, member);
      await recordAudit(tx, caller, auditSource, [
        { action: 'oauth.allowed', id: client.clientId, after: { name: client.name, scopes: wanted } },
      ]);
      return await createCode(tx, caller, member, {
        clientId: client.clientId,
        clientName: client.name,
        redirectUri,
        challenge,
        scopes: wanted,
        resource: resource ?? null,
      });
    });
    return { redirectUrl: answerUrl(redirectUri, { code, state, iss: origin() }) };
  },
});
