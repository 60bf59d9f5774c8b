import type { Db } from '../../db/tables.ts';
import { permissionDenied } from '../../lib/errors.ts';
import { type Membership, membershipByKey, membershipIn } from '../../store/identity/members.ts';
import { findPersonalToken, noteTokenUse } from '../../store/identity/personal-tokens.ts';
import { expiryOf, findSession, noteSessionUse } from '../../store/identity/sessions.ts';
import { assistantName } from './assistant-name.ts';
import type { FoundCredential } from './known-caller.ts';
import type { PresentedSession } from './session-credentials.ts';

const PERSONAL_TOKEN = /^rp_[\w-]{43}$/;

/** True for text in the form of a personal token, which no user token has. */
export const isPersonalToken = (token: string): boolean => PERSONAL_TOKEN.test(token);

/**
 * The person whose session it is, and their membership in the tenant that the request names. Throws PERMISSION_DENIED if
 * they have none there, and alike if it does not exist.
 */
export async function findBySession(
  db: Db,
  { token, apiKeyId, workspaceId }: PresentedSession,
): Promise<FoundCredential | undefined> {
  const session = await findSession(db, token);
  if (!session) return undefined;
  const { accountId, sessionId, name, email } = session;
  let membership: Membership | undefined;
  if (apiKeyId !== undefined) membership = await membershipByKey(db, accountId, apiKeyId);
  else if (workspaceId !== undefined) membership = await membershipIn(db, accountId, workspaceId);
  if (!membership && (apiKeyId ?? workspaceId) !== undefined) {
    const what = apiKeyId === undefined ? 'this workspace' : 'the workspace of this API key';
    throw permissionDenied(`You are no member of ${what}.`);
  }
  await noteSessionUse(db, session, membership);
  const expiresAt = expiryOf(session);
  if (!membership) return { ids: [sessionId, accountId], known: { session }, domains: [], expiresAt };
  const { memberId, role } = membership;
  const member = { accountId, memberId, name, email, role, credentialId: sessionId };
  return {
    ids: [sessionId, accountId],
    known: {
      session,
      member,
      workspaceId: membership.workspaceId,
      ...(apiKeyId !== undefined && { apiKeyId }),
    },
    domains: [],
    expiresAt,
  };
}

/** The member whose personal token it is. */
export async function findByPersonalToken(db: Db, token: string): Promise<FoundCredential | undefined> {
  const found = await findPersonalToken(db, token);
  if (!found) return undefined;
  await noteTokenUse(db, found);
  const { workspaceId, apiKeyId, tokenId, accountId, memberId, name, email, role, scopes } = found;
  const { expiresAt, accessEndsAt, isAssistant, tokenName } = found;
  const ends = [expiresAt, accessEndsAt].filter((end) => end !== null);
  return {
    ids: [tokenId, accountId],
    known: {
      workspaceId,
      apiKeyId,
      member: { accountId, memberId, name, email, role, credentialId: tokenId, scopes },
      ...(isAssistant && { assistant: assistantName(tokenName) }),
    },
    domains: [],
    expiresAt: ends.length === 0 ? undefined : Math.min(...ends),
  };
}
