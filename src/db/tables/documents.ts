export interface DocumentTables {
  organizations: {
    apiKeyId: string;
    organizationId: string;
    name: string;
    disabled: boolean;
    metadata: Record<string, unknown>;
    createdAt: number;
    updatedAt: number;
  };
  documents: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    name: string;
    folderId: string | null;
    /** Null where the key's default applies. */
    accessType: string | null;
    disabled: boolean;
    metadata: Record<string, unknown>;
    nextAnnotationNumber: number;
    createdAt: number;
    updatedAt: number;
  };
  annotations: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    annotationId: string;
    annotationNumber: number;
    authorId: string;
    statusId: string;
    locationId: string | null;
    agentId: string | null;
    executionId: string | null;
    /** The page an agent found it on. */
    agentUrl: string | null;
    suggestionStatus: string | null;
    /** The rest of the record, as the wire has it. */
    body: Record<string, unknown>;
    createdAt: number;
    lastUpdated: number;
  };
  comments: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    annotationId: string;
    commentId: number;
    authorId: string;
    body: Record<string, unknown>;
    createdAt: number;
    lastUpdated: number;
  };
}
