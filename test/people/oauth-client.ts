import { createHash, randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { fakeSite } from '../fakes/site.ts';
import { type Reply, testApp } from '../service/harness.ts';
import type { ConsoleSession } from './console-session.ts';

/** The issuer as which the shared service answers requests without a port. */
export const ISSUER = 'http://localhost:80';

export interface OAuthClient {
  clientId: string;
  redirectUri: string;
}

/** Serves the document of a client on loopback until the test ends. */
export async function startClient(changes: object = {}): Promise<OAuthClient> {
  const pages: Parameters<typeof fakeSite>[0] = {};
  const site = await fakeSite(pages);
  onTestFinished(() => site.close());
  const clientId = `${site.url}/client.json`;
  const redirectUri = 'https://assistant.example.com/callback';
  const document = {
    client_id: clientId,
    client_name: 'Example Assistant',
    redirect_uris: [redirectUri, 'http://127.0.0.1:3000/callback'],
    token_endpoint_auth_method: 'none',
    ...changes,
  };
  pages['/client.json'] = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  };
  return { clientId, redirectUri };
}

/** A code verifier and its challenge. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The query of an authorization request. */
export const requestOf = (client: OAuthClient, challenge: string, more: object = {}) => ({
  ...client,
  responseType: 'code',
  codeChallenge: challenge,
  codeChallengeMethod: 'S256',
  state: 'a state',
  resource: `${ISSUER}/mcp`,
  ...more,
});

/** The parameters of the address to which an answer sends the browser. */
export const answerIn = ({ body }: Reply): Record<string, string> =>
  Object.fromEntries(new URL(body.result.data.redirectUrl).searchParams);

/** Sends a form to a route of OAuth. */
export async function sendForm(
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { app } = await testApp();
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body) };
}

/** Lets a member allow a client, and returns the form with which the client redeems its code. */
export async function allowed(
  session: ConsoleSession,
  client: OAuthClient,
  { scopes = ['read', 'comment'], ...more }: { scopes?: string[]; resource?: string } = {},
): Promise<Record<string, string>> {
  const { verifier, challenge } = newPkce();
  const reply = await session.post('/v2/oauth/request/allow', {
    ...requestOf(client, challenge, more),
    scopes,
  });
  return {
    grant_type: 'authorization_code',
    code: answerIn(reply).code!,
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  };
}

/** The tokens of a new grant. */
export async function newGrant(
  session: ConsoleSession,
  client: OAuthClient,
  options?: Parameters<typeof allowed>[2],
): Promise<{ access: string; refresh: string }> {
  const { status, body } = await sendForm('/oauth/token', await allowed(session, client, options));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { access: body.access_token, refresh: body.refresh_token };
}

/** The form of a refresh. */
export const refreshOf = ({ clientId }: OAuthClient, refresh: string): Record<string, string> => ({
  grant_type: 'refresh_token',
  refresh_token: refresh,
  client_id: clientId,
});
