import type { Fields } from '../../lib/json.ts';
import type { Visibility } from '../../shapes/annotations/annotation.ts';
import type { NotificationSettings } from '../../shapes/notification-config.ts';
export interface NotificationTables {
  notifications: {
    apiKeyId: string;
    organizationId: string;
    notificationId: string;
    documentId: string | null;
    locationId: string | null;
    source: string;
    actionUserId: string;
    targetAnnotationId: string | null;
    /** All users of the organization may read it, and not only the recipients with a row. */
    forAll: boolean;
    /** `field:value` pairs; only readers with one pair of each field get it. */
    accessFields: string[] | null;
    visibility: Visibility | null;
    /** The other fields of the record, as on the wire. */
    body: Fields;
    createdAt: number;
    updatedAt: number;
  };
  notificationRecipients: {
    apiKeyId: string;
    organizationId: string;
    notificationId: string;
    userId: string;
    forYou: boolean;
    readAt: number | null;
    /** The time of the notification, so that a reader's list needs one index. */
    createdAt: number;
  };
  notificationSettings: {
    apiKeyId: string;
    organizationId: string;
    userId: string;
    /** Empty for every document of the organization. */
    documentId: string;
    config: NotificationSettings;
    updatedAt: number;
  };
  notificationEmails: {
    apiKeyId: string;
    organizationId: string;
    notificationId: string;
    userId: string;
    /** `dropped`: the user read the notification, or turned mail off, before it was due. */
    status: 'pending' | 'sent' | 'dropped' | 'failed';
    dueAt: number;
    /** End of the lease of the process that sends it. */
    claimedUntil: number | null;
    attempts: number;
    error: string | null;
    createdAt: number;
  };
  serviceConfigs: {
    apiKeyId: string;
    service: string;
    config: Fields;
    secretSealed: string | null;
    updatedAt: number;
  };
}
