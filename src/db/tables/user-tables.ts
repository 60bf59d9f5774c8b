import type { JWK } from 'jose';
import type { Fields } from '../../lib/json.ts';
export type AccessRole = 'viewer' | 'editor';
export type ResourceType = 'organization' | 'folder' | 'document';

export interface UserTables {
  users: {
    apiKeyId: string;
    userId: string;
    name: string | null;
    email: string | null;
    /** The other fields of the record, as on the wire. */
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
    /**
     * `field:value` pairs that the user has; a record with access fields is shown only to users with a pair of each
     * field.
     */
    accessFields: string[] | null;
    createdAt: number;
    updatedAt: number;
  };
  /** A place that a token of the user has granted, for mentions. It grants nothing. */
  tokenContacts: {
    apiKeyId: string;
    organizationId: string;
    resourceType: ResourceType;
    resourceId: string;
    userId: string;
    seenAt: number;
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
    publicJwk: JWK;
    privateSealed: string;
    createdAt: number;
    /** When it stopped signing; tokens that it signed before stay valid until they expire. */
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
    /** The next step, and the key after which it continues; the organization is null once all are done. */
    progress: { organizationId?: string | null; step?: string; after?: (string | number)[] };
    createdAt: number;
    updatedAt: number;
  };
}
