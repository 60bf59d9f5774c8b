import type { Db } from '../db/tables.ts';
import { ApiError, permissionDenied } from '../lib/errors.ts';
import type { Caller, Scope, TokenUser } from '../lib/scope.ts';
import type { DocumentRef } from '../shapes/refs.ts';
import { loadAccessFacts, loadOrganizationFacts, type StoredGrant } from '../store/access/access-facts.ts';
import { loadReader } from '../store/access/visibility-sql.ts';
import { mayReadFolder } from '../store/users/list-users.ts';
import type { UserPlace } from '../store/users/users.ts';
import {
  type AccessDecision,
  type AccessGrant,
  type AccessRole,
  decide,
  decideOnOrganization,
} from './decide.ts';

export const NO_ACCESS = 'User does not have access to document';

/** The grants of a token in an organization. */
export const tokenGrants = ({ resources }: TokenUser, organizationId: string): AccessGrant[] =>
  resources
    .filter((grant) => grant.organizationId === organizationId)
    .map((grant) => ({ ...grant, source: 'token' }));

export const storedGrants = (grants: readonly StoredGrant[]): AccessGrant[] =>
  grants.map((grant) => ({ ...grant, source: 'stored' }));

/**
 * Throws PERMISSION_DENIED unless the caller is an API key or a user with the role on the document. A
 * document that does not exist is refused like one without access. The error's cause names the rule, for the log.
 */
export async function authorize(
  db: Db,
  caller: Caller,
  place: DocumentRef,
  need: 'viewer' | 'editor',
): Promise<void> {
  if (!caller.user) return;
  const { role, reason } = await documentRoleOf(db, caller, caller.user, place);
  if (role === 'editor' || role === need) return;
  const why = role === 'viewer' ? 'User has read-only access to document' : NO_ACCESS;
  throw refused(why, reason);
}

/** Throws PERMISSION_DENIED unless the caller is an API key or a user with a grant on the organization itself. */
export async function authorizeInOrganization(
  db: Db,
  caller: Caller,
  organizationId: string,
  need: 'viewer' | 'editor',
): Promise<void> {
  if (!caller.user) return;
  const facts = await loadOrganizationFacts(db, caller, organizationId, [caller.user.userId]);
  const { disabled = false, grants: stored = [] } = facts ?? {};
  const grants = [...tokenGrants(caller.user, organizationId), ...storedGrants(stored)];
  const subject = { isAdmin: caller.user.isAdmin, grants: facts ? grants : [] };
  const { role, reason } = decideOnOrganization({ organizationId, disabled }, subject, Date.now());
  if (role === 'editor' || role === need) return;
  throw role === 'viewer'
    ? refused('User has read-only access to organization', `The grant on ${organizationId} is for a viewer.`)
    : refused('User does not have access to organization', reason);
}

/** Throws PERMISSION_DENIED unless the caller is an API key or a user who may read the place whose users are listed. */
export async function authorizeContacts(db: Db, caller: Caller, place: UserPlace): Promise<void> {
  if (!caller.user) return;
  const { organizationId, documentId, folderId } = place;
  if (documentId !== undefined) return await authorize(db, caller, { organizationId, documentId }, 'viewer');
  if (folderId === undefined) return await authorizeInOrganization(db, caller, organizationId, 'viewer');
  const reader = await loadReader(db, caller, organizationId);
  if (reader && !(await mayReadFolder(db, caller, reader, folderId))) {
    throw permissionDenied('User does not have access to folder');
  }
}

const refused = (message: string, reason: string): ApiError =>
  new ApiError('PERMISSION_DENIED', message, { cause: new Error(reason) });

/** Decides what the user of a token may do on a document. */
export async function documentRoleOf(
  db: Db,
  scope: Scope,
  user: TokenUser,
  place: DocumentRef,
): Promise<AccessDecision> {
  const { document, grants } = await loadAccessFacts(db, scope, place, [user.userId]);
  if (!document) return { role: 'none', reason: `There is no document ${place.documentId}.` };
  const all = [...tokenGrants(user, place.organizationId), ...storedGrants(grants)];
  return decide(document, { isAdmin: user.isAdmin, grants: all }, Date.now());
}

/** Decides by stored grants what users may do on a document; undefined if it does not exist. */
async function decisionsOnDocument(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  userIds: string[],
): Promise<Map<string, AccessDecision> | undefined> {
  const { document, grants } = await loadAccessFacts(db, scope, place, userIds);
  if (!document) return undefined;
  const byUser = Map.groupBy(grants, (grant) => grant.userId);
  const now = Date.now();
  return new Map(
    userIds.map((userId) => {
      const ofUser = storedGrants(byUser.get(userId) ?? []);
      return [userId, decide(document, { isAdmin: false, grants: ofUser }, now)];
    }),
  );
}

/** The roles of users on a document by stored grants; `none` for all if it does not exist. */
export async function rolesOnDocument(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  userIds: string[],
): Promise<Map<string, AccessRole>> {
  const decisions = await decisionsOnDocument(db, scope, place, userIds);
  return new Map(userIds.map((userId) => [userId, decisions?.get(userId)?.role ?? 'none']));
}

interface Author {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

/**
 * The author of a write. Users write as themselves, with the name in their token; naming another user throws
 * PERMISSION_DENIED that names the `field`. An API key writes as the user that it names.
 */
export function actingUser<From extends Author | undefined>(
  caller: Caller,
  from: From,
  field = 'from',
): From | Author {
  const { user } = caller;
  if (!user) return from;
  if (from && from.userId !== user.userId) {
    throw permissionDenied(`A user can only act as themselves: ${field} names somebody else.`);
  }
  return { ...from, userId: user.userId, name: user.name, email: user.email };
}
