import { checkRequest, refusalUrl } from '../../../access/oauth/authorization-request.ts';
import { call } from '../../../http/endpoint.ts';
import { BAD_CLIENT, REQUEST_LIMIT } from '../../../http/oauth/request-limit.ts';
import { authorizationRequest, EXAMPLE_REQUEST, redirection } from '../../../shapes/identity/oauth.ts';

const DENIED = { error: 'access_denied', message: 'The person has not allowed the request.' };

export default call({
  path: '/v2/oauth/request/deny',
  auth: 'account',
  isConsole: true,
  availableWhenFull: true,
  summary: 'Refuse what a client of OAuth asks for.',
  description:
    'Takes the same request as `/v2/oauth/request/get`. The address in the answer tells the client that the person has refused, or has the error of a request that has a `refusal`.',
  data: authorizationRequest.meta({ examples: [EXAMPLE_REQUEST] }),
  result: redirection,
  message: 'Request refused successfully.',
  rateLimit: REQUEST_LIMIT,
  failures: { INVALID_ARGUMENT: BAD_CLIENT },

  async handle(request, { outside, origin }) {
    const checked = await checkRequest(request, outside.clients, origin());
    return { redirectUrl: refusalUrl(checked, checked.refusal ?? DENIED, origin()) };
  },
});
