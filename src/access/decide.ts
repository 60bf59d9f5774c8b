import type { DocumentFacts } from '../store/access/access-facts.ts';

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
  /** Only a token makes an admin. */
  isAdmin: boolean;
  /** Grants on this document, its folders and its organization; others are ignored. */
  grants: readonly AccessGrant[];
}

export interface AccessDecision {
  role: AccessRole;
  /** A sentence for operators. It names ids, so it must not be shown to the user who was refused. */
  because: string;
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

/** The rules in order; the first that returns a decision decides. On each level, token grants go before stored ones. */
const rules: readonly Rule[] = [
  ({ document }) =>
    document.organizationDisabled
      ? no(`The organization ${document.organizationId} is disabled.`)
      : undefined,
  ({ document }) => (document.disabled ? no(`The document ${document.documentId} is disabled.`) : undefined),
  ({ document, isAdmin, grants }) => {
    const grant = isAdmin ? find(grants, 'organization', document.organizationId) : undefined;
    return grant && { role: 'editor', because: `The user is an admin, and ${described(grant)}.`, grant };
  },
  ({ document, grants }) => by(find(grants, 'document', document.documentId)),
  ({ document, grants }) => {
    for (const folderId of document.folderIds) {
      const grant = find(grants, 'folder', folderId);
      if (grant) return by(grant);
    }
    return undefined;
  },
  ({ document, grants }) => {
    const grant = find(grants, 'organization', document.organizationId);
    if (!grant) return undefined;
    if (document.accessType !== 'restricted') return by(grant);
    return no(
      `The document ${document.documentId} is restricted, which a grant on its organization does not open: ${described(grant)}.`,
    );
  },
  ({ document }) =>
    document.accessType === 'public'
      ? { role: 'editor', because: `The access type of the document ${document.documentId} is public.` }
      : undefined,
];

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
  return no(
    `The access type of the document ${document.documentId} is ${document.accessType}, and nothing is granted on it, on a folder around it or on its organization.`,
  );
}

const no = (because: string): AccessDecision => ({ role: 'none', because });

const by = (grant: AccessGrant | undefined): AccessDecision | undefined =>
  grant && { role: grant.accessRole, because: `${capitalised(described(grant))}.`, grant };

const find = (
  grants: readonly AccessGrant[],
  type: AccessGrant['type'],
  id: string,
): AccessGrant | undefined => {
  const matching = grants.filter((grant) => grant.type === type && grant.id === id);
  return matching.find((grant) => grant.source === 'token') ?? matching[0];
};

const described = ({ source, type, id, accessRole }: AccessGrant): string =>
  `${source === 'token' ? 'the token grants' : 'the user is stored as'} ${accessRole} ${source === 'token' ? 'on' : 'of'} the ${type} ${id}`;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
