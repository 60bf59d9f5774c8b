import type { Fields } from '../../lib/json.ts';
export type AccessRole = 'viewer' | 'editor';
export type ResourceType = 'organization' | 'folder' | 'document';

export interface UserTables {
  users: {
    apiKeyId: string;
    userId: string;
    name: string | null;
    email: string | null;
    /** The rest of the record, as the wire has it. */
    body: Fields;
    createdAt: number;
    updatedAt: number;
  };
  grants: {
    apiKeyId: string;
    organizationId: string;
    resourceType: ResourceType;
    resourceId: string;
    userId: string;
    accessRole: AccessRole;
    /** Epoch milliseconds. */
    expiresAt: number | null;
    /** `field:value` pairs of what the user may be told of. */
    accessFields: string[] | null;
    createdAt: number;
    updatedAt: number;
  };
  userGroups: {
    apiKeyId: string;
    organizationId: string;
    groupId: string;
    name: string;
    createdAt: number;
    updatedAt: number;
  };
  userGroupMembers: {
    apiKeyId: string;
    organizationId: string;
    groupId: string;
    userId: string;
    createdAt: number;
  };
  signingKeys: {
    keyId: string;
    publicJwk: Fields;
    privateSealed: string;
    createdAt: number;
    /** From when on it signs no more; what it signed before stays good until it expires. */
    retiredAt: number | null;
  };
  dataDeletions: {
    apiKeyId: string;
    jobId: string;
    userIds: string[];
    organizationIds: string[] | null;
    tasksCount: number;
    tasksLeft: number;
    lastTaskCompletedAt: number | null;
    /** Which step comes next, behind which key; the organization is null once all are done. */
    progress: { organizationId?: string | null; step?: string; after?: (string | number)[] };
    createdAt: number;
    updatedAt: number;
  };
}
