import type { TokenUser } from '../lib/scope.ts';
import type { PermissionFacts, ResourceFacts } from '../store/access/permission-facts.ts';
import { type AccessDecision, type AccessGrant, type AccessSubject, decide } from './decide.ts';

export interface GrantedEntry {
  accessRole: 'viewer' | 'editor';
  accessType?: string;
  /** Unix seconds. */
  expiresAt?: number;
}
export interface DeniedEntry {
  error: string;
  errorCode: 'does_not_exist' | 'permission_denied';
  accessType?: string;
}
type PermissionEntry = GrantedEntry | DeniedEntry;

export interface UserPermissions {
  folders: Record<string, PermissionEntry>;
  documents: Record<string, PermissionEntry>;
  organization: Record<string, PermissionEntry>;
  context?: { accessFields: string[] };
}

interface RequestedResources {
  organizationId: string;
  folderIds: string[];
  documentIds: string[];
}

/**
 * The permissions of a user on the requested resources. `token` is set if users ask about themselves; then its grants
 * count too, and missing resources get the same entry as inaccessible ones.
 */
export function permissionsOf(
  facts: PermissionFacts,
  requested: RequestedResources,
  userId: string,
  token: TokenUser | undefined,
): UserPermissions {
  const now = Date.now();
  const stored = facts.grants.filter((grant) => grant.userId === userId);
  const tokenGrants = (token?.resources ?? []).filter(
    (grant) => grant.organizationId === requested.organizationId,
  );
  const subject: AccessSubject = {
    isAdmin: token?.isAdmin ?? false,
    grants: [
      ...tokenGrants.map((grant): AccessGrant => ({ ...grant, source: 'token' })),
      ...stored.map((grant): AccessGrant => ({ ...grant, source: 'stored' })),
    ],
  };
  const accessFields = [...tokenGrants, ...stored]
    .filter(({ expiresAt }) => expiresAt == null || expiresAt > now)
    .flatMap((grant) => grant.accessFields ?? []);
  const entryFor = (kind: 'folder' | 'document', resource: ResourceFacts | undefined): PermissionEntry => {
    if (!resource) return token ? denied(kind) : missing(kind);
    const decision = decide(
      {
        organizationId: requested.organizationId,
        // No grant on a document opens a folder, and no document has an empty id.
        documentId: kind === 'document' ? resource.id : '',
        disabled: resource.disabled,
        organizationDisabled: facts.organization?.disabled ?? false,
        accessType: resource.accessType,
        folderIds: resource.folderIds,
      },
      subject,
      now,
    );
    if (token && decision.role === 'none') return denied(kind);
    return entryOf(decision, kind, resource.accessType);
  };
  return {
    folders: byId(requested.folderIds, (id) => entryFor('folder', facts.folders.get(id))),
    documents: byId(requested.documentIds, (id) => entryFor('document', facts.documents.get(id))),
    organization: {
      [requested.organizationId]:
        token && !facts.organization
          ? denied('organization')
          : organizationEntry(facts, requested.organizationId, subject, now),
    },
    ...(accessFields.length > 0 && { context: { accessFields: [...new Set(accessFields)] } }),
  };
}

const byId = (ids: string[], entry: (id: string) => PermissionEntry): Record<string, PermissionEntry> =>
  Object.fromEntries(ids.map((id) => [id, entry(id)]));

const missing = (kind: 'folder' | 'document' | 'organization'): DeniedEntry => ({
  error: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} does not exist`,
  errorCode: 'does_not_exist',
});

const denied = (kind: 'folder' | 'document' | 'organization'): DeniedEntry => ({
  error: `User does not have access to ${kind}`,
  errorCode: 'permission_denied',
});

const entryOf = (
  { role, grant }: AccessDecision,
  kind: 'folder' | 'document',
  accessType: string,
): PermissionEntry =>
  role === 'none' ? { ...denied(kind), accessType } : { accessRole: role, accessType, ...expiryOf(grant) };

const expiryOf = (grant: AccessGrant | undefined): { expiresAt?: number } =>
  grant?.expiresAt == null ? {} : { expiresAt: Math.floor(grant.expiresAt / 1_000) };

/** Needs a grant on the organization itself; public documents do not open it. */
function organizationEntry(
  facts: PermissionFacts,
  id: string,
  { isAdmin, grants }: AccessSubject,
  now: number,
): PermissionEntry {
  if (!facts.organization) return missing('organization');
  const granted = grants.find(
    (grant) =>
      grant.type === 'organization' && grant.id === id && (grant.expiresAt == null || grant.expiresAt > now),
  );
  if (!granted || facts.organization.disabled) {
    return denied('organization');
  }
  return { accessRole: isAdmin ? 'editor' : granted.accessRole, ...expiryOf(granted) };
}
