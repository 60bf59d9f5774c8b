export interface ActivityTables {
  activities: {
    apiKeyId: string;
    organizationId: string;
    activityId: string;
    documentId: string | null;
    featureType: string;
    actionType: string;
    userId: string;
    targetEntityId: string | null;
    immutable: boolean;
    /** The rest of the record, as the wire has it. */
    body: Record<string, unknown>;
    createdAt: number;
    updatedAt: number;
  };
  presence: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    userId: string;
    status: string;
    body: Record<string, unknown>;
    updatedAt: number;
  };
  liveStates: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    liveStateId: string;
    data: Record<string, unknown>;
    updatedAt: number;
  };
}
