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
    /** When the token was made; null if it is as old as the workspace, as far as is known. */
    tokenAt: number | null;
    /** The token before, which is valid until a time. */
    previousTokenHash: string | null;
    previousTokenUntil: number | null;
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
    /** When it stops working, once a newer token has replaced it. */
    expiresAt: number | null;
    /** When it last authenticated a request, to the hour. */
    usedAt: number | null;
  };
}
