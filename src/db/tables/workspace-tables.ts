import type { StoredKeyConfig } from '../../shapes/api-key-config.ts';
export interface WorkspaceTables {
  workspaces: {
    workspaceId: string;
    name: string;
    ownerId: string;
    ownerName: string;
    ownerEmail: string;
    /** The owner's email in lower case, by which owners are compared. */
    ownerKey: string;
    ownerAvatar: string;
    plan: 'free' | 'paid';
    tokenHash: string;
    tokenSealed: string;
    createdAt: number;
  };
  apiKeys: {
    apiKeyId: string;
    workspaceId: string;
    name: string;
    type: 'testing' | 'production';
    ownerEmail: string;
    allowedDomains: string[];
    config: StoredKeyConfig;
    createdAt: number;
  };
  apiKeyTokens: {
    apiKeyId: string;
    tokenHash: string;
    tokenSealed: string;
    name: string;
    domains: string[];
    createdAt: number;
  };
}
