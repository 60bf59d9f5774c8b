import type { Db } from '../db/tables.ts';
import { ApiError, permissionDenied } from '../lib/errors.ts';
import type { Caller, Scope, TokenUser } from '../lib/scope.ts';
import type { DocumentRef } from '../shapes/refs.ts';
import { loadAccessFacts, loadOrganizationFacts, type StoredGrant } from '../store/access/access-facts.ts';
import { type Decision, decide, type HeldGrant, type Role } from './decide.ts';

export const NO_ACCESS = 'User does not have access to document';

/** The token's own grants that a document of this organization may be judged by. */
export const heldByToken = ({ resources }: TokenUser, organizationId: string): HeldGrant[] =>
  resources
    .filter((grant) => grant.organizationId === organizationId)
    .map((grant) => ({ ...grant, source: 'token' }));

export const heldByStore = (grants: readonly StoredGrant[]): HeldGrant[] =>
  grants.map((grant) => ({ ...grant, source: 'stored' }));

/**
 * Lets API keys through, and users whose role on the document is enough. A document that does not exist
 * answers like one that the user may not open. The failure's cause tells the operator which rule refused.
 */
export async function admit(
  db: Db,
  caller: Caller,
  place: DocumentRef,
  need: 'viewer' | 'editor',
): Promise<void> {
  if (!caller.user) return;
  const { role, because } = await roleOf(db, caller, caller.user, place);
  if (role === 'editor' || role === need) return;
  const why = role === 'viewer' ? 'User has read-only access to document' : NO_ACCESS;
  throw refused(why, because);
}

/** Lets through API keys, and users of the organization as a whole: those with a grant on it. */
export async function admitToOrganization(
  db: Db,
  caller: Caller,
  organizationId: string,
  need: 'viewer' | 'editor',
): Promise<void> {
  if (!caller.user) return;
  const facts = await loadOrganizationFacts(db, caller, organizationId, [caller.user.userId]);
  const now = Date.now();
  const held = [...heldByToken(caller.user, organizationId), ...heldByStore(facts?.grants ?? [])].find(
    (grant) => grant.type === 'organization' && (grant.expiresAt == null || grant.expiresAt > now),
  );
  const role: Role =
    !facts || facts.disabled || !held ? 'none' : caller.user.isAdmin ? 'editor' : held.accessRole;
  if (role === 'editor' || role === need) return;
  throw role === 'viewer'
    ? refused('User has read-only access to organization', `The grant on ${organizationId} is for a viewer.`)
    : refused(
        'User does not have access to organization',
        facts?.disabled
          ? `The organization ${organizationId} is disabled.`
          : `Nothing is granted on the organization ${organizationId}.`,
      );
}

const refused = (message: string, because: string): ApiError =>
  new ApiError('PERMISSION_DENIED', message, { cause: new Error(because) });

/** What the bearer of a token may do on a document, and why. */
export async function roleOf(db: Db, scope: Scope, user: TokenUser, place: DocumentRef): Promise<Decision> {
  const { document, grants } = await loadAccessFacts(db, scope, place, [user.userId]);
  if (!document) return { role: 'none', because: `There is no document ${place.documentId}.` };
  const held = [...heldByToken(user, place.organizationId), ...heldByStore(grants)];
  return decide(document, { isAdmin: user.isAdmin, grants: held }, Date.now());
}

/** What users may do on a document by what is stored of them, in one statement; undefined where there is none. */
export async function decisionsOnDocument(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  userIds: string[],
): Promise<Map<string, Decision> | undefined> {
  const { document, grants } = await loadAccessFacts(db, scope, place, userIds);
  if (!document) return undefined;
  const byUser = Map.groupBy(grants, (grant) => grant.userId);
  const now = Date.now();
  return new Map(
    userIds.map((userId) => {
      const held = heldByStore(byUser.get(userId) ?? []);
      return [userId, decide(document, { isAdmin: false, grants: held }, now)];
    }),
  );
}

/** The roles alone; nobody has one on a document that does not exist. */
export async function rolesOnDocument(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  userIds: string[],
): Promise<Map<string, Role>> {
  const decisions = await decisionsOnDocument(db, scope, place, userIds);
  return new Map(userIds.map((userId) => [userId, decisions?.get(userId)?.role ?? 'none']));
}

interface Author {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

/**
 * Who acts: a user with a token is themself, whatever was sent, and may not name anybody else; an API key
 * acts for whom it says.
 */
export function actingUser<From extends Author | undefined>(caller: Caller, from: From): From | Author {
  const { user } = caller;
  if (!user) return from;
  if (from && from.userId !== user.userId) {
    throw permissionDenied('A user can only act as themselves: from names somebody else.');
  }
  return { ...from, userId: user.userId, name: user.name, email: user.email };
}
