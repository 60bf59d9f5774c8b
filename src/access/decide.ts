import type { DocumentFacts } from '../store/access/access-facts.ts';

/**
 * A viewer reads; an editor also comments and changes live documents. An operation names the role that it needs to
 * `authorize`.
 */
export type AccessRole = 'none' | 'viewer' | 'editor';

/** A grant of a user, from their token or from the database. */
export interface AccessGrant {
  source: 'token' | 'stored';
  type: 'organization' | 'folder' | 'document';
  id: string;
  accessRole: 'viewer' | 'editor';
  /** Epoch milliseconds. */
  expiresAt?: number | null | undefined;
}

export interface AccessSubject {
  /** True only by a claim of a user token; stored grants never make an admin. */
  isAdmin: boolean;
  /** Grants on this document, its folders and its organization; others are ignored. */
  grants: readonly AccessGrant[];
}

export interface AccessDecision {
  role: AccessRole;
  /** A sentence for operators. It names ids, so it must not be shown to the user who was refused. */
  reason: string;
  /** The grant that decided, if one did. */
  grant?: AccessGrant;
}

interface AccessCase {
  document: DocumentFacts;
  isAdmin: boolean;
  /** Grants that have not expired. */
  grants: readonly AccessGrant[];
}

type Rule = (access: AccessCase) => AccessDecision | undefined;

/**
 * The rules in order; the first that returns a decision decides. On each level, token grants go before stored ones.
 *
 * Lists need the same rules as SQL: a change belongs into `readableDocument` of `store/access/visibility-sql.ts` and
 * `mayReadFolder` of `store/users/list-users.ts` too. `authorize.test.ts` compares them. `decideOnOrganization` decides on
 * operations on an organization itself.
 */
const rules: readonly Rule[] = [
  ({ document }) =>
    document.organizationDisabled
      ? denied(`The organization ${document.organizationId} is disabled.`)
      : undefined,
  ({ document }) =>
    document.disabled ? denied(`The document ${document.documentId} is disabled.`) : undefined,
  ({ document, isAdmin, grants }) => {
    const grant = isAdmin ? findGrant(grants, 'organization', document.organizationId) : undefined;
    return grant && { role: 'editor', reason: `The user is an admin, and ${described(grant)}.`, grant };
  },
  ({ document, grants }) => grantedBy(findGrant(grants, 'document', document.documentId)),
  ({ document, grants }) => {
    for (const folderId of document.folderIds) {
      const grant = findGrant(grants, 'folder', folderId);
      if (grant) return grantedBy(grant);
    }
    return undefined;
  },
  ({ document, grants }) => {
    const grant = findGrant(grants, 'organization', document.organizationId);
    if (!grant) return undefined;
    if (document.accessType !== 'restricted') return grantedBy(grant);
    return denied(
      `The ${named(document)} is restricted, which a grant on its organization does not open: ${described(grant)}.`,
    );
  },
  ({ document }) =>
    document.accessType === 'public'
      ? { role: 'editor', reason: `The access type of the ${named(document)} is public.` }
      : undefined,
];

/** A question about a folder has no document, and the folder as the nearest one. */
const named = ({ documentId, folderIds }: DocumentFacts): string =>
  documentId === '' ? `folder ${folderIds[0]}` : `document ${documentId}`;

/** Decides what a user may do on a document, at a time given in epoch milliseconds. */
export function decide(
  document: DocumentFacts,
  { isAdmin, grants }: AccessSubject,
  now: number,
): AccessDecision {
  const unexpired = grants.filter(({ expiresAt }) => expiresAt == null || expiresAt > now);
  for (const rule of rules) {
    const decision = rule({ document, isAdmin, grants: unexpired });
    if (decision) return decision;
  }
  return denied(
    `The access type of the ${named(document)} is ${document.accessType}, and nothing is granted on it, on a folder around it or on its organization.`,
  );
}

/** Decides what a user may do on an organization itself. It needs a grant on it; public documents do not open it. */
export function decideOnOrganization(
  { organizationId, disabled }: { organizationId: string; disabled: boolean },
  { isAdmin, grants }: AccessSubject,
  now: number,
): AccessDecision {
  if (disabled) return denied(`The organization ${organizationId} is disabled.`);
  const unexpired = grants.filter(({ expiresAt }) => expiresAt == null || expiresAt > now);
  const grant = findGrant(unexpired, 'organization', organizationId);
  if (!grant) return denied(`Nothing is granted on the organization ${organizationId}.`);
  if (!isAdmin) return grantedBy(grant)!;
  return { role: 'editor', reason: `The user is an admin, and ${described(grant)}.`, grant };
}

const denied = (reason: string): AccessDecision => ({ role: 'none', reason });

const grantedBy = (grant: AccessGrant | undefined): AccessDecision | undefined =>
  grant && { role: grant.accessRole, reason: `${capitalized(described(grant))}.`, grant };

const findGrant = (
  grants: readonly AccessGrant[],
  type: AccessGrant['type'],
  id: string,
): AccessGrant | undefined => {
  const matching = grants.filter((grant) => grant.type === type && grant.id === id);
  return matching.find((grant) => grant.source === 'token') ?? matching[0];
};

const described = ({ source, type, id, accessRole }: AccessGrant): string =>
  `${source === 'token' ? 'the token grants' : 'the user is stored as'} ${accessRole} ${source === 'token' ? 'on' : 'of'} the ${type} ${id}`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
