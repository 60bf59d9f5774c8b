import type { Fields } from '../../lib/json.ts';
export interface WorkspaceTables {
  workspaces: {
    workspaceId: string;
    name: string;
    ownerId: string;
    ownerName: string;
    ownerEmail: string;
    /** The owner's email in lower case: who counts as the same owner. */
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
    config: Fields;
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
