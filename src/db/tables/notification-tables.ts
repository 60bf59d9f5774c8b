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
    /** Everybody of the organization may read it, not only those whom a row of its own names. */
    forAll: boolean;
    /** `field:value` pairs; only readers who have one of each field get it. */
    accessFields: string[] | null;
    visibility: Visibility | null;
    /** The rest of the record, as the wire has it. */
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
    /** That of the notification, so that a reader's list needs one index. */
    createdAt: number;
  };
  notificationSettings: {
    apiKeyId: string;
    organizationId: string;
    userId: string;
    /** Empty: every document of the organization. */
    documentId: string;
    config: NotificationSettings;
    updatedAt: number;
  };
  notificationEmails: {
    apiKeyId: string;
    organizationId: string;
    notificationId: string;
    userId: string;
    /** `dropped`: it was read or turned off before it was due. */
    status: 'pending' | 'sent' | 'dropped' | 'failed';
    dueAt: number;
    /** Until when somebody is at work on it. */
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
