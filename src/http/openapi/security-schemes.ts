import type { Auth } from '../endpoint.ts';

type Scheme = Record<string, unknown>;

/** Credentials of each level of operations: one entry of the list suffices, with all of its parts. */
export const SECURITY: Record<Auth, Scheme[]> = {
  public: [],
  workspace: [{ workspaceId: [], workspaceAuthToken: [] }],
  apiKey: [{ apiKey: [], authToken: [] }],
  apiKeyOrUser: [{ apiKey: [], authToken: [] }, { userToken: [] }],
};

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** In the order of the boxes that Swagger UI shows: the two that nearly every operation takes come first. */
export const securitySchemes: Record<string, Scheme> = {
  apiKey: header(
    'x-service-api-key',
    '**Fill in this box and the next: nearly every operation takes these two.** Id of an API key, such as `key_…`: the name of the entry in the `apiKeyList` that `workspace/create` answers.',
  ),
  authToken: header(
    'x-service-auth-token',
    '**The second of the two.** Token of that API key: `workspace/authtokens/get` answers it.',
  ),
  workspaceId: header(
    'x-service-workspace-id',
    'Only for what manages a workspace and its API keys, such as `workspace/authtokens/get`. Id of the workspace, such as `ws_…`, as `workspace/create` answers it.',
  ),
  workspaceAuthToken: header(
    'x-service-workspace-auth-token',
    'Goes with the id of the workspace. The `authToken` that `workspace/create` answers.',
  ),
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Instead of API key and token, to act as an end user, where an operation allows that. The `token` that `auth/generate_token` answers.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description:
      'Only for `GET /v2/events`, from pages that cannot send headers (RFC 6750, section 2.3). The same token of an end user as in the box before.',
  },
};
