import type { Auth } from '../endpoint.ts';

type Scheme = Record<string, unknown>;

/** Credentials by `Auth`: the entries of a list are alternatives, and all parts of one are required. */
export const SECURITY: Record<Auth, Scheme[]> = {
  public: [],
  workspace: [{ workspaceId: [], workspaceAuthToken: [] }],
  apiKey: [{ apiKey: [], authToken: [] }],
  apiKeyOrUser: [{ apiKey: [], authToken: [] }, { userToken: [] }],
  account: [{ session: [] }],
  member: [{ session: [], sessionKey: [] }],
};

/** The words by which programs learn what an operation takes, in place of the parts of each scheme. */
export const CREDENTIALS: Record<Auth, readonly string[]> = {
  public: ['public'],
  workspace: ['workspace'],
  apiKey: ['apiKey'],
  apiKeyOrUser: ['apiKey', 'userToken'],
  account: ['session'],
  member: ['session'],
};

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** The two that nearly every operation needs come first. */
export const securitySchemes: Record<string, Scheme> = {
  apiKey: header(
    'x-service-api-key',
    'Id of an API key, sent together with its token by nearly every operation, such as `key_…`: the name of the entry in the `apiKeyList` that `workspace/create` returns.',
  ),
  authToken: header('x-service-auth-token', 'Token of that API key, returned by `workspace/authtokens/get`.'),
  workspaceId: header(
    'x-service-workspace-id',
    'Only for operations that manage a workspace and its API keys, such as `workspace/authtokens/get`. Id of the workspace, such as `ws_…`, returned by `workspace/create`.',
  ),
  workspaceAuthToken: header(
    'x-service-workspace-auth-token',
    'Sent together with the workspace id. The `authToken` that `workspace/create` returns.',
  ),
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Replaces API key and token to act as an end user, in operations that allow it. The `token` that `auth/generate_token` returns. A personal token of a member (`rp_…`, from `tokens/create`) is sent in the same way, and opens the operations of the API key that its scopes name.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description:
      'Only for `GET /v2/events`, from pages that cannot send headers (RFC 6750, section 2.3). The same end-user token as above.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'redpen',
    description:
      'The session of a person in the console, which `session/start` sets; over TLS its name is `__Host-redpen`. Only pages of the service itself may send it. Within the role of the person, a session opens also the operations of API keys and workspaces: the header `x-redpen-key` then names the API key, or `x-redpen-workspace` the workspace, and `key` in the query of a GET.',
  },
  sessionKey: header('x-redpen-key', 'Id of the API key that a request of the console concerns.'),
};
