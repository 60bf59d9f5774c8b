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
    expiresAt: number | null;
    lastUsedAt: number | null;
  };
}
