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

/** The member who made a user token in the console, and the role without which it is void. */
export interface TokenMaker {
  accountId: string;
  role: MemberRole;
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
  /** Undefined for a token that a backend made. */
  madeBy?: TokenMaker | undefined;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The role of a person in a workspace, the least first. */
export const MEMBER_ROLES = ['viewer', 'editor', 'owner'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Kinds of operations that a personal token opens, as far as the role of its member allows them. */
export const TOKEN_SCOPES = ['read', 'comment', 'decide', 'review'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A member of the workspace: in the console, or by a personal token. */
export interface Member {
  accountId: string;
  memberId: string;
  name: string;
  email: string | null;
  role: MemberRole;
  /** The id of the session or of the personal token. */
  credentialId: string;
  /** The scopes of the personal token; undefined in the console, which may do all that the role allows. */
  scopes?: readonly TokenScope[] | undefined;
}

/**
 * The caller of a request: a backend with its API key, a user with a token of that key, or a member of its workspace, who
 * may do what the backend may, within a role.
 */
export interface Caller extends Scope {
  user?: TokenUser | undefined;
  member?: Member | undefined;
  /** The name of the AI assistant through which the caller acts, such as `Claude Code`. */
  assistant?: string | undefined;
}
