import { z } from 'zod';
import { named } from '../named.ts';
import { tokenScope } from './member.ts';

const address = z.string().min(1).max(2_048);

/** The query of an authorization request (RFC 6749, section 4.1.1). */
const requestFields = {
  clientId: address.describe('`client_id`: the address of the document that describes the client.'),
  redirectUri: address.describe('`redirect_uri`: one of those in the document of the client.'),
  responseType: z.string().max(200).optional().describe('`response_type`, which must be `code`.'),
  codeChallenge: z.string().max(200).optional().describe('`code_challenge` of PKCE, by the method S256.'),
  codeChallengeMethod: z
    .string()
    .max(200)
    .optional()
    .describe('`code_challenge_method`, which must be `S256`.'),
  scope: z.string().max(2_000).optional().describe('The scopes that the client asks for, between spaces.'),
  state: z.string().max(4_096).optional().describe('Returned to the client unchanged.'),
  resource: z
    .string()
    .max(2_048)
    .optional()
    .describe(
      'The address of the MCP server that the client wants to use, such as `https://redpen.example.com/mcp`.',
    ),
};

export const authorizationRequest = z.object(requestFields);
export type AuthorizationRequest = z.output<typeof authorizationRequest>;

export const EXAMPLE_REQUEST = {
  clientId: 'https://assistant.example.com/oauth/client.json',
  redirectUri: 'https://assistant.example.com/oauth/callback',
  responseType: 'code',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeChallengeMethod: 'S256',
  scope: 'read comment review',
  state: 'af0ifjsldkj',
};

const oauthClient = named(
  'OAuthClient',
  z.object({
    clientId: z.string(),
    name: z.string().describe('As the client calls itself; anyone can choose any name.'),
    host: z.string().describe('The host of its document, which it controls.'),
    uri: z.string().optional().describe('Its page, on the same host.'),
  }),
);

/** The request of a client, as a person is asked to allow it. */
export const consentRequest = named(
  'ConsentRequest',
  z.object({
    client: oauthClient,
    redirectHost: z.string().describe('The host that gets the answer.'),
    isLoopback: z
      .boolean()
      .describe(
        'True if the answer goes to a program on the computer of the person. Any program there could pretend to be the client.',
      ),
    scopes: z
      .array(tokenScope)
      .describe('The scopes that the client asks for. Without any, `read`, `comment` and `review`.'),
    allowedScopes: z.array(tokenScope).describe('The scopes that may be given for the resource.'),
    refusal: z
      .object({
        error: z.string().describe('The code of RFC 6749, section 4.1.2.1, or RFC 8707, section 2.'),
        message: z.string(),
        redirectUrl: z.string().describe('The address that tells the client about it.'),
      })
      .optional()
      .describe('Present if the request cannot be allowed, because the client has made a mistake.'),
  }),
);

export const redirection = z.object({
  redirectUrl: z
    .string()
    .describe('The address to which the page sends the browser, with the answer for the client.'),
});
