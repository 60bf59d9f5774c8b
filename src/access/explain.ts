import type { Db } from '../db/tables.ts';
import type { Scope, TokenUser } from '../lib/scope.ts';
import type { DocumentRef } from '../shapes/refs.ts';
import { loadAccessFacts } from '../store/access/access-facts.ts';
import { storedGrants, tokenGrants } from './authorize.ts';
import { type AccessGrant, type AccessRole, decide } from './decide.ts';

const VERBS: Record<AccessRole, string> = {
  none: 'may not open',
  viewer: 'may read',
  editor: 'may read and write',
};

/**
 * Explains in words what a user may do on a document and why, with all facts that were considered. Without a token, only
 * stored grants count.
 */
export async function explainAccess(
  db: Db,
  scope: Scope,
  place: DocumentRef,
  user: { userId: string; token?: TokenUser | undefined },
  now: number,
): Promise<string> {
  const { organizationId, documentId } = place;
  const { document, grants } = await loadAccessFacts(db, scope, place, [user.userId]);
  if (!document) {
    return `${user.userId} ${VERBS.none} the document ${documentId} of ${organizationId}: there is no such document under this API key.\n`;
  }
  const all = [...(user.token ? tokenGrants(user.token, organizationId) : []), ...storedGrants(grants)];
  const isAdmin = user.token?.isAdmin ?? false;
  const { role, reason } = decide(document, { isAdmin, grants: all }, now);
  const folders = document.folderIds.toReversed().join(' / ');
  return [
    `${user.userId} ${VERBS[role]} the document ${documentId} of ${organizationId}. ${reason}`,
    '',
    `organization  ${organizationId}, ${document.organizationDisabled ? 'disabled' : 'not disabled'}`,
    `document      ${documentId}, ${document.disabled ? 'disabled' : 'not disabled'}, access type in force: ${document.accessType}`,
    `folder        ${folders || 'none'}`,
    `token         ${user.token ? `for ${user.token.userId}${isAdmin ? ', an admin' : ''}` : 'none given; only stored grants count'}`,
    ...(all.length === 0
      ? ['grant         none on this document, its folders or its organization']
      : inOrder(all).map((grant) => lineOf(grant, now))),
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
