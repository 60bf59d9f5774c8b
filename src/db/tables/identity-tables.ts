import type { MemberRole, TokenScope } from '../../lib/scope.ts';

/** People who use the console. They are no users of an API key. */
export interface IdentityTables {
  accounts: {
    accountId: string;
    name: string;
    email: string | null;
    /** The email in lower case, once it has proved to be theirs: only then does it sign in. */
    emailKey: string | null;
    /** The workspace whose credentials sign in to this account. */
    workspaceId: string | null;
    /** True for the account to which links without an email address sign in. */
    isOperator: boolean;
    createdAt: number;
  };
  members: {
    workspaceId: string;
    memberId: string;
    accountId: string;
    role: MemberRole;
    joinedAt: number;
    lastSeenAt: number | null;
  };
  invitations: {
    workspaceId: string;
    invitationId: string;
    email: string;
    emailKey: string;
    name: string | null;
    role: MemberRole;
    /** Hash of the code that the inviting owner sees; it does not prove that the address is the guest's. */
    codeHash: string;
    /** Hash of the code that only the mail contains. */
    mailedHash: string | null;
    invitedBy: string | null;
    createdAt: number;
    expiresAt: number;
  };
  sessions: {
    sessionHash: string;
    sessionId: string;
    accountId: string;
    createdAt: number;
    lastUsedAt: number;
    /** The latest end, however often it is used. */
    endsAt: number;
    address: string;
    userAgent: string;
  };
  signInLinks: {
    codeHash: string;
    /** Null for the operator's account, which the first use creates. */
    accountId: string | null;
    /** A workspace of which the account becomes an owner. */
    workspaceId: string | null;
    /** Set for links that were mailed to this address. */
    emailKey: string | null;
    /** Null for links that were mailed without digits, too. */
    digitsHash: string | null;
    /** The client network that asked for a mailed link; empty for others. */
    network: string;
    /** Wrong digits so far from this network. */
    tries: number;
    /** Wrong digits so far from all other networks. */
    triesElsewhere: number;
    createdAt: number;
    expiresAt: number;
  };
  personalTokens: {
    apiKeyId: string;
    tokenId: string;
    accountId: string;
    tokenHash: string;
    name: string;
    scopes: TokenScope[];
    createdAt: number;
    /** For a grant of OAuth, its end unless it is refreshed. */
    expiresAt: number | null;
    lastUsedAt: number | null;
    /** True if what the token does is done by an AI assistant. */
    isAssistant: boolean;
    /** The client of a grant of OAuth; null for other tokens, as is all that follows. */
    clientId: string | null;
    /** The end of the present access token. */
    accessEndsAt: number | null;
    /** Hash of the part that all refresh tokens of the grant share. */
    refreshFamily: string | null;
    refreshHash: string | null;
    /** Hash of the refresh token that the present one has replaced. */
    previousRefreshHash: string | null;
    /** The salt with which the present tokens follow from the previous refresh token. */
    refreshSalt: string | null;
  };
  /** Codes with which a client gets its grant, as a member has allowed it. */
  oauthCodes: {
    codeHash: string;
    apiKeyId: string;
    accountId: string;
    clientId: string;
    clientName: string;
    redirectUri: string;
    /** The code challenge of PKCE by the method S256. */
    challenge: string;
    scopes: TokenScope[];
    resource: string | null;
    createdAt: number;
    expiresAt: number;
    /** The grant that the code has given; null while it is unused. */
    tokenId: string | null;
  };
}
