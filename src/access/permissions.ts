import type { TokenUser } from '../lib/scope.ts';
import type { PermissionFacts, ResourceFacts } from '../store/access/permission-facts.ts';
import { type Decision, decide, type HeldGrant, type Standing } from './decide.ts';

export interface Held {
  accessRole: 'viewer' | 'editor';
  accessType?: string;
  /** Unix seconds. */
  expiresAt?: number;
}
export interface Denied {
  error: string;
  errorCode: 'does_not_exist' | 'permission_denied';
  accessType?: string;
}
type Entry = Held | Denied;

export interface UserPermissions {
  folders: Record<string, Entry>;
  documents: Record<string, Entry>;
  organization: Record<string, Entry>;
  context?: { accessFields: string[] };
}

interface Asked {
  organizationId: string;
  folderIds: string[];
  documentIds: string[];
}

/**
 * What each user may do on what was asked for; `token` is that of the user who asks, whose own rights count too, and
 * who gets the same entry for what does not exist and for what is closed to them.
 */
export function permissionsOf(
  facts: PermissionFacts,
  asked: Asked,
  userId: string,
  token: TokenUser | undefined,
): UserPermissions {
  const now = Date.now();
  const stored = facts.grants.filter((grant) => grant.userId === userId);
  const carried = (token?.resources ?? []).filter((grant) => grant.organizationId === asked.organizationId);
  const standing: Standing = {
    isAdmin: token?.isAdmin ?? false,
    grants: [
      ...carried.map((grant): HeldGrant => ({ ...grant, source: 'token' })),
      ...stored.map((grant): HeldGrant => ({ ...grant, source: 'stored' })),
    ],
  };
  const accessFields = [...carried, ...stored]
    .filter(({ expiresAt }) => expiresAt == null || expiresAt > now)
    .flatMap((grant) => grant.accessFields ?? []);
  const judge = (kind: 'folder' | 'document', resource: ResourceFacts | undefined): Entry => {
    if (!resource) return token ? denied(kind) : missing(kind);
    const decision = decide(
      {
        organizationId: asked.organizationId,
        // No grant on a document opens a folder, and no document has an empty id.
        documentId: kind === 'document' ? resource.id : '',
        disabled: resource.disabled,
        organizationDisabled: facts.organization?.disabled ?? false,
        accessType: resource.accessType,
        folderIds: resource.folderIds,
      },
      standing,
      now,
    );
    if (token && decision.role === 'none') return denied(kind);
    return entryOf(decision, kind, resource.accessType);
  };
  return {
    folders: byId(asked.folderIds, (id) => judge('folder', facts.folders.get(id))),
    documents: byId(asked.documentIds, (id) => judge('document', facts.documents.get(id))),
    organization: {
      [asked.organizationId]:
        token && !facts.organization
          ? denied('organization')
          : ofOrganization(facts, asked.organizationId, standing, now),
    },
    ...(accessFields.length > 0 && { context: { accessFields: [...new Set(accessFields)] } }),
  };
}

const byId = (ids: string[], entry: (id: string) => Entry): Record<string, Entry> =>
  Object.fromEntries(ids.map((id) => [id, entry(id)]));

const missing = (kind: 'folder' | 'document' | 'organization'): Denied => ({
  error: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} does not exist`,
  errorCode: 'does_not_exist',
});

const denied = (kind: 'folder' | 'document' | 'organization'): Denied => ({
  error: `User does not have access to ${kind}`,
  errorCode: 'permission_denied',
});

const entryOf = ({ role, grant }: Decision, kind: 'folder' | 'document', accessType: string): Entry =>
  role === 'none' ? { ...denied(kind), accessType } : { accessRole: role, accessType, ...expiryOf(grant) };

const expiryOf = (grant: HeldGrant | undefined): { expiresAt?: number } =>
  grant?.expiresAt == null ? {} : { expiresAt: Math.floor(grant.expiresAt / 1_000) };

/** An organization opens to those who have a grant on it; its documents may open to more. */
function ofOrganization(
  facts: PermissionFacts,
  id: string,
  { isAdmin, grants }: Standing,
  now: number,
): Entry {
  if (!facts.organization) return missing('organization');
  const held = grants.find(
    (grant) =>
      grant.type === 'organization' && grant.id === id && (grant.expiresAt == null || grant.expiresAt > now),
  );
  if (!held || facts.organization.disabled) {
    return denied('organization');
  }
  return { accessRole: isAdmin ? 'editor' : held.accessRole, ...expiryOf(held) };
}
