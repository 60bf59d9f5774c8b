/** The tenant whose data a query may access: one API key. */
export interface Scope {
  workspaceId: string;
  apiKeyId: string;
}

/** A grant in a user token. */
export interface TokenGrant {
  type: 'organization' | 'folder' | 'document';
  id: string;
  /** The organization of the resource; for an organization, its own id. */
  organizationId: string;
  accessRole: 'viewer' | 'editor';
  /** Epoch milliseconds. */
  expiresAt?: number | undefined;
  /** `field:value` pairs of the user, for notifications that are limited to certain values. */
  accessFields?: string[] | undefined;
}

/** An end user, authenticated by a user token. */
export interface TokenUser {
  userId: string;
  name: string;
  email: string;
  isAdmin: boolean;
  resources: TokenGrant[];
  /** The origin of the pages that may use the token; undefined for any. */
  origin?: string | undefined;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The caller of a request: a backend with its API key, or a user with a token of that key. */
export interface Caller extends Scope {
  user?: TokenUser | undefined;
}
