import type { Fields } from '../../lib/json.ts';
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
    /** The other fields of the record, as on the wire. */
    body: Fields;
    createdAt: number;
    updatedAt: number;
  };
  presence: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    userId: string;
    status: string;
    body: Fields;
    updatedAt: number;
  };
  liveStates: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    liveStateId: string;
    data: Fields;
    updatedAt: number;
  };
}
