import type { Db } from '../db/tables.ts';
import type { Scope, TokenUser } from '../lib/scope.ts';
import type { DocumentRef } from '../shapes/refs.ts';
import { type DocumentFacts, loadAccessFacts, loadOrganizationFacts } from '../store/access/access-facts.ts';
import { loadPermissionFacts } from '../store/access/permission-facts.ts';
import { storedGrants, tokenGrants } from './authorize.ts';
import { type AccessGrant, type AccessRole, decide, decideOnOrganization } from './decide.ts';

const VERBS: Record<AccessRole, string> = {
  none: 'may not open',
  viewer: 'may read',
  editor: 'may read and write',
};

export interface AskedUser {
  userId: string;
  /** The user as a token names them. Without a token, only stored grants count. */
  token?: TokenUser | undefined;
}

/** The role of a user on a resource, the rule that decided, and all grants that were considered. */
export interface Explanation {
  role: AccessRole;
  /** The rule, as a sentence. */
  reason: string;
  /** The grant that decided, if one did. */
  decidedBy: AccessGrant | undefined;
  isAdmin: boolean;
  /** Grants on the resource and around it, the nearest first, and on each level those of the token first. */
  grants: AccessGrant[];
}

/** Explains access to a document; `document` is undefined if there is none. */
export async function explainDocument(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  user: AskedUser,
  now: number,
): Promise<Explanation & { document: DocumentFacts | undefined }> {
  const { organizationId, documentId } = place;
  const { document, grants } = await loadAccessFacts(db, scope, place, [user.userId]);
  if (!document) {
    return { ...absent(`document ${documentId}`, organizationId, user), document: undefined };
  }
  return { ...explained(document, user, storedGrants(grants), now), document };
}

/** Explains access to a folder, as if it were a document in it; `folder` is undefined if there is none. */
export async function explainFolder(
  db: Db,
  scope: Scope,
  { organizationId, folderId }: { organizationId: string; folderId: string },
  user: AskedUser,
  now: number,
): Promise<Explanation & { folder: DocumentFacts | undefined }> {
  const asked = { organizationId, userIds: [user.userId], folderIds: [folderId], documentIds: [] };
  const facts = await loadPermissionFacts(db, scope, asked);
  const resource = facts.folders.get(folderId);
  if (!resource) return { ...absent(`folder ${folderId}`, organizationId, user), folder: undefined };
  const { disabled, accessType, folderIds } = resource;
  const organizationDisabled = facts.organization?.disabled ?? false;
  const folder = { organizationId, documentId: '', disabled, organizationDisabled, accessType, folderIds };
  return { ...explained(folder, user, storedGrants(facts.grants), now), folder };
}

/** Explains access to an organization itself, which public documents in it do not open. */
export async function explainOrganization(
  db: Db,
  scope: Scope,
  organizationId: string,
  user: AskedUser,
  now: number,
): Promise<Explanation & { organization: { disabled: boolean } | undefined }> {
  const organization = await loadOrganizationFacts(db, scope, organizationId, [user.userId]);
  if (!organization) {
    const missing = { role: 'none' as const, reason: `There is no organization ${organizationId}.` };
    return { ...missing, decidedBy: undefined, isAdmin: false, grants: [], organization: undefined };
  }
  const stored = storedGrants(organization.grants);
  const ofToken = user.token ? tokenGrants(user.token, organizationId) : [];
  const grants = [...ofToken, ...stored].filter(({ type }) => type === 'organization');
  const subject = { isAdmin: isAdmin(user), grants };
  const { role, reason, grant } = decideOnOrganization({ organizationId, ...organization }, subject, now);
  return { role, reason, decidedBy: grant, ...subject, organization };
}

const isAdmin = ({ token }: AskedUser): boolean => token?.isAdmin ?? false;

const absent = (what: string, organizationId: string, user: AskedUser): Explanation => ({
  role: 'none',
  reason: `There is no ${what} in the organization ${organizationId}.`,
  decidedBy: undefined,
  isAdmin: isAdmin(user),
  grants: [],
});

function explained(
  document: DocumentFacts,
  user: AskedUser,
  stored: AccessGrant[],
  now: number,
): Explanation {
  const all = [...(user.token ? tokenGrants(user.token, document.organizationId) : []), ...stored];
  const { role, reason, grant } = decide(document, { isAdmin: isAdmin(user), grants: all }, now);
  return { role, reason, decidedBy: grant, isAdmin: isAdmin(user), grants: inOrder(all) };
}

/**
 * Explains in words what a user may do on a document and why, with all facts that were considered. Without a token, only
 * stored grants count.
 */
export async function explainAccess(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  user: AskedUser,
  now: number,
): Promise<string> {
  const { organizationId, documentId } = place;
  const { role, reason, document, isAdmin, grants } = await explainDocument(db, scope, place, user, now);
  if (!document) {
    return `${user.userId} ${VERBS.none} the document ${documentId} of ${organizationId}: there is no such document under this API key.\n`;
  }
  const folders = document.folderIds.toReversed().join(' / ');
  return [
    `${user.userId} ${VERBS[role]} the document ${documentId} of ${organizationId}. ${reason}`,
    '',
    `organization  ${organizationId}, ${document.organizationDisabled ? 'disabled' : 'not disabled'}`,
    `document      ${documentId}, ${document.disabled ? 'disabled' : 'not disabled'}, access type in force: ${document.accessType}`,
    `folder        ${folders || 'none'}`,
    `token         ${user.token ? `for ${user.token.userId}${isAdmin ? ', an admin' : ''}` : 'none given; only stored grants count'}`,
    ...(grants.length === 0
      ? ['grant         none on this document, its folders or its organization']
      : grants.map((grant) => lineOf(grant, now))),
    '',
  ].join('\n');
}

const LEVELS = ['document', 'folder', 'organization'];

/** Grants in the order of the rules: nearest level first, and on each level those of the token first. */
const inOrder = (grants: AccessGrant[]): AccessGrant[] =>
  grants.toSorted((a, b) => LEVELS.indexOf(a.type) - LEVELS.indexOf(b.type));

function lineOf({ source, type, id, accessRole, expiresAt }: AccessGrant, now: number): string {
  const end =
    expiresAt == null
      ? ''
      : `, ${expiresAt > now ? 'until' : 'expired at'} ${new Date(expiresAt).toISOString()}`;
  return `grant         ${source === 'token' ? 'in the token' : 'stored'}: ${accessRole} of the ${type} ${id}${end}`;
}
