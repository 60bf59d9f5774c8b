export interface AuditTables {
  /** Who did what from where. Append-only: the database refuses other changes than those that the comments name. */
  auditLog: {
    /** The workspace, or `service` for what concerns none. */
    workspaceId: string;
    entryId: string;
    at: number;
    apiKeyId: string | null;
    action: string;
    actorKind: string;
    /** The path of the operation, or the command. */
    via: string;
    requestId: string | null;
    targetType: string;
    organizationId: string | null;
    documentId: string | null;
    /** This and the next five columns are null once they have been erased; the digest of them stays. */
    actorId: string | null;
    actorName: string | null;
    assistant: string | null;
    address: string | null;
    userAgent: string | null;
    actorSalt: string | null;
    actorDigest: string;
    /** This and the next two columns likewise. */
    targetId: string | null;
    /** JSON with `before` and `after`, as a text because its digest depends on each character. */
    changes: string | null;
    targetSalt: string | null;
    targetDigest: string;
    /** The place in the chain of the workspace; null for the seconds until the entry is chained. */
    seq: number | null;
    previousHash: string | null;
    hash: string | null;
  };
  auditHeads: {
    workspaceId: string;
    seq: number;
    hash: string;
    /** The last entry that was removed because of its age; 0 if none was. */
    anchorSeq: number;
    anchorHash: string;
  };
}
