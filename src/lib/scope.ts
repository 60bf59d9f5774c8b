/** The tenant whose data a query may touch: one API key. */
export interface Scope {
  workspaceId: string;
  apiKeyId: string;
}

/** A right that a user token carries in itself. */
export interface TokenGrant {
  type: 'organization' | 'folder' | 'document';
  id: string;
  /** That of the resource; of an organization its own id. */
  organizationId: string;
  accessRole: 'viewer' | 'editor';
  /** Epoch milliseconds. */
  expiresAt?: number | undefined;
  /** `field:value` pairs of what the user may be told of. */
  accessFields?: string[] | undefined;
}

/** An end user who asks with a user token. */
export interface TokenUser {
  userId: string;
  name: string;
  email: string;
  isAdmin: boolean;
  resources: TokenGrant[];
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Who asks where both may: a backend with its API key, or a user with a token made under that key. */
export interface Caller extends Scope {
  user?: TokenUser | undefined;
}
