import { createHash } from 'node:crypto';
import { resourcePathOf } from '../../access/oauth/resources.ts';
import type { Tx } from '../../db/tables.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../lib/scope.ts';
import {
  type GrantOutcome,
  type GrantTokens,
  redeemCode,
  refreshGrant,
  revokeGrant,
} from '../../store/identity/oauth-grants.ts';
import { type Form, OAuthRefusal, required } from './form.ts';

/** The outcome of a request. The transaction commits also with a refusal, which may have ended a grant. */
export interface Issued {
  answer?: object;
  refusal?: OAuthRefusal;
  /** The grant whose cached credentials must be dropped. */
  changed?: string | undefined;
  /** The API key and account of a grant that was ended. */
  ended?: GrantOutcome['ended'];
}

export type Issue = (tx: Tx, form: Form, issuer: string) => Promise<Issued>;

/** A code verifier (RFC 7636, section 4.1). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

const answerOf = ({ accessToken, refreshToken, scopes, seconds }: GrantTokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: seconds,
  refresh_token: refreshToken,
  scope: scopes.join(' '),
});

const issued = ({ tokens, changed, ended }: GrantOutcome, refusal: OAuthRefusal): Issued =>
  tokens ? { answer: answerOf(tokens), changed } : { refusal, changed, ended };

function requireOwnResource({ resource }: Form, issuer: string): void {
  if (resource !== undefined && resourcePathOf(resource, issuer) === undefined) {
    throw new OAuthRefusal('invalid_target', 'The resource is none of this service.');
  }
}

const challengeOfVerifier = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** The first tokens of a grant (RFC 6749, section 4.1.3; RFC 7636, section 4.6). */
async function redeem(tx: Tx, form: Form, issuer: string): Promise<Issued> {
  const [code, clientId] = [required(form, 'code'), required(form, 'client_id')];
  const verifier = required(form, 'code_verifier');
  if (!VERIFIER.test(verifier)) {
    throw new OAuthRefusal('invalid_request', 'The code_verifier must be 43 to 128 unreserved characters.');
  }
  requireOwnResource(form, issuer);
  let refusal = new OAuthRefusal('invalid_grant', 'The code is unknown, was used before or has expired.');
  const outcome = await redeemCode(tx, code, (row) => {
    const problem = problemOfUse(row, { form, clientId, verifier });
    if (problem) refusal = problem;
    return problem === undefined;
  });
  return issued(outcome, refusal);
}

interface GivenCode {
  clientId: string;
  redirectUri: string;
  challenge: string;
  resource: string | null;
}

function problemOfUse(
  given: GivenCode,
  { form, clientId, verifier }: { form: Form; clientId: string; verifier: string },
): OAuthRefusal | undefined {
  if (given.clientId !== clientId) {
    return new OAuthRefusal('invalid_grant', 'The code was given to another client.');
  }
  if (form.redirect_uri !== undefined && form.redirect_uri !== given.redirectUri) {
    return new OAuthRefusal('invalid_grant', 'The redirect_uri is not that of the authorization request.');
  }
  if (challengeOfVerifier(verifier) !== given.challenge) {
    return new OAuthRefusal('invalid_grant', 'The code_verifier does not fit the code_challenge.');
  }
  const { resource } = form;
  if (resource !== undefined && given.resource !== null && !isSame(resource, given.resource)) {
    return new OAuthRefusal('invalid_target', 'The resource is not that of the authorization request.');
  }
  return undefined;
}

const isSame = (one: string, other: string): boolean =>
  URL.parse(one)?.href.replace(/\/$/, '') === URL.parse(other)?.href.replace(/\/$/, '');

/** The next tokens of a grant (RFC 6749, section 6). They have all of its scopes. */
async function refresh(tx: Tx, form: Form, issuer: string): Promise<Issued> {
  const [token, clientId] = [required(form, 'refresh_token'), required(form, 'client_id')];
  requireOwnResource(form, issuer);
  const asked = (form.scope ?? '').split(' ');
  let refusal = new OAuthRefusal(
    'invalid_grant',
    'The refresh_token is unknown, was used before or has expired: the person must allow the client again.',
  );
  const outcome = await refreshGrant(tx, token, (row) => {
    if (row.clientId !== clientId) {
      refusal = new OAuthRefusal('invalid_grant', 'The refresh_token was given to another client.');
      return false;
    }
    const beyond = TOKEN_SCOPES.find((scope) => asked.includes(scope) && !row.scopes.includes(scope));
    if (beyond !== undefined) refusal = beyondGrant(beyond);
    return beyond === undefined;
  });
  return issued(outcome, refusal);
}

const beyondGrant = (scope: TokenScope): OAuthRefusal =>
  new OAuthRefusal('invalid_scope', `The grant does not have the scope ${scope}: ask the person for it.`);

/** Answers a request to the token endpoint. Throws `OAuthRefusal` before anything is changed. */
export const issueTokens: Issue = async (tx, form, issuer) => {
  const type = required(form, 'grant_type');
  if (type === 'authorization_code') return await redeem(tx, form, issuer);
  if (type === 'refresh_token') return await refresh(tx, form, issuer);
  throw new OAuthRefusal(
    'unsupported_grant_type',
    'The grant_type must be authorization_code or refresh_token.',
  );
};

/** Ends the grant of a token. A token that is unknown is no error (RFC 7009, section 2.2). */
export const revokeTokens: Issue = async (tx, form) => {
  const outcome = await revokeGrant(tx, required(form, 'token'), form.client_id);
  if (outcome) return { answer: {}, changed: outcome.changed, ended: outcome.ended };
  return { refusal: new OAuthRefusal('invalid_grant', 'The token was given to another client.') };
};
