import type { Db } from '../db/tables.ts';
import type { Scope, TokenUser } from '../lib/scope.ts';
import type { DocumentRef } from '../shapes/refs.ts';
import { loadAccessFacts } from '../store/access/access-facts.ts';
import { heldByStore, heldByToken } from './admit.ts';
import { decide, type HeldGrant, type Role } from './decide.ts';

const MAY: Record<Role, string> = {
  none: 'may not open',
  viewer: 'may read',
  editor: 'may read and write',
};

/**
 * Tells in words what a user may do on a document and why, with all that was weighed. The user is known by the
 * token where there is one, else by what is stored of them alone.
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
    return `${user.userId} ${MAY.none} the document ${documentId} of ${organizationId}: there is no such document under this API key.\n`;
  }
  const held = [...(user.token ? heldByToken(user.token, organizationId) : []), ...heldByStore(grants)];
  const isAdmin = user.token?.isAdmin ?? false;
  const { role, because } = decide(document, { isAdmin, grants: held }, now);
  const folders = document.folderIds.toReversed().join(' / ');
  return [
    `${user.userId} ${MAY[role]} the document ${documentId} of ${organizationId}. ${because}`,
    '',
    `organization  ${organizationId}, ${document.organizationDisabled ? 'disabled' : 'not disabled'}`,
    `document      ${documentId}, ${document.disabled ? 'disabled' : 'not disabled'}, access type in force: ${document.accessType}`,
    `folder        ${folders || 'none'}`,
    `token         ${user.token ? `for ${user.token.userId}${isAdmin ? ', an admin' : ''}` : 'none given: only what is stored counts'}`,
    ...(held.length === 0
      ? ['grant         none that matters here']
      : inOrder(held).map((grant) => lineOf(grant, now))),
    '',
  ].join('\n');
}

const LEVELS = ['document', 'folder', 'organization'];

/** As they are asked: the nearest level first, and on each the token's first. */
const inOrder = (grants: HeldGrant[]): HeldGrant[] =>
  grants.toSorted((a, b) => LEVELS.indexOf(a.type) - LEVELS.indexOf(b.type));

function lineOf({ source, type, id, accessRole, expiresAt }: HeldGrant, now: number): string {
  const end =
    expiresAt == null
      ? ''
      : `, ${expiresAt > now ? 'until' : 'expired at'} ${new Date(expiresAt).toISOString()}`;
  return `grant         ${source === 'token' ? 'in the token' : 'stored'}: ${accessRole} of the ${type} ${id}${end}`;
}
