import { checkRequest, refusalUrl } from '../../../access/oauth/authorization-request.ts';
import { call } from '../../../http/endpoint.ts';
import { BAD_CLIENT, REQUEST_LIMIT } from '../../../http/oauth/request-limit.ts';
import { authorizationRequest, consentRequest, EXAMPLE_REQUEST } from '../../../shapes/identity/oauth.ts';

export default call({
  path: '/v2/oauth/request/get',
  auth: 'account',
  isConsole: true,
  availableWhenFull: true,
  summary: 'Check what a client of OAuth asks for, before a person is asked to allow it.',
  description:
    'Takes the query of an authorization request, and reads the document of the client at its `clientId`. If the client or its redirect URI is wrong, the request fails, and the person must not be sent on. Other mistakes are returned as `refusal`: the page names them, and offers to go back to the client.',
  data: authorizationRequest.meta({ examples: [EXAMPLE_REQUEST] }),
  result: consentRequest,
  message: 'Request checked successfully.',
  rateLimit: REQUEST_LIMIT,
  failures: { INVALID_ARGUMENT: BAD_CLIENT },

  async handle(request, { outside, origin }) {
    const checked = await checkRequest(request, outside.clients, origin());
    const { client, redirectHost, isLoopback, scopes, allowedScopes, refusal } = checked;
    const { clientId, name, uri } = client;
    return {
      client: { clientId, name, host: new URL(clientId).host, uri },
      redirectHost,
      isLoopback,
      scopes,
      allowedScopes,
      refusal: refusal && { ...refusal, redirectUrl: refusalUrl(checked, refusal, origin()) },
    };
  },
});
