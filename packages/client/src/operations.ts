// Generated from the OpenAPI document: `npm run docs` writes this file.

/** The operations, by path: `data` is what they take, `result` what the client returns. */
export interface Operations {
  '/v2/workspace/create': {
    data: {
      /** Disposable email domains are rejected. */
      ownerEmail: string;
      /** Display name of the owner. Defaults to the owner's email. */
      name?: string;
      /** Defaults to the owner's name, or email, followed by ` workspace`. */
      workspaceName?: string;
      avatar?: string;
    };
    result: {
      id: string;
      name: string;
      owner: {
        email: string;
        id: string;
        name: string;
        avatar: string;
      };
      /** Secret that authenticates workspace-level requests. */
      authToken: string;
      /** Keyed by API key id. */
      apiKeyList: Record<string, {
        apiKeyName: string;
        id: string;
        type: 'testing' | 'production';
      }>;
    };
  };
  '/v2/workspace/get': {
    data: Record<string, unknown>;
    result: {
      id: string;
      name: string;
      owner: {
        email: string;
        id: string;
        name: string;
        avatar: string;
      };
      /** Secret that authenticates workspace-level requests. */
      authToken: string;
      /** Keyed by API key id. */
      apiKeyList: Record<string, {
        apiKeyName: string;
        id: string;
        type: 'testing' | 'production';
      }>;
    };
  };
  '/v2/workspace/apikey/create': {
    data: {
      ownerEmail: string;
      /** `production` requires a paid plan. */
      type: 'testing' | 'production';
      /** Defaults to a name made from the owner's email. */
      apiKeyName?: string;
      /** If false, the key has no token and cannot be used until its token is reset. */
      createAuthToken?: boolean;
      allowedDomains?: string[];
      /** Adds `localhost` and `127.0.0.1` to the allowed domains. */
      addLocalHostToAllowedDomains?: boolean;
      /** Accepted without effect: data is stored where the service runs. */
      persistenceDBRegion?: string;
      /** Accepted without effect: data is stored where the service runs. */
      realtimeDBRegion?: string;
      /** Stored for clients; it does not change how the service works. */
      enablePrivateComments?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireAutoOrgUser?: boolean;
      /** Enables emails about notifications. */
      useEmailService?: boolean;
      /** Enables basic webhooks. */
      useWebhookService?: boolean;
      /** Enables notifications. */
      useNotificationService?: boolean;
      /** Enables the default events for notifications. */
      setDefaultNotificationTriggers?: boolean;
      /** Enables the default events for emails. */
      setDefaultEmailTriggers?: boolean;
      emailServiceConfig?: {
        type?: 'default' | 'sendgrid' | 'custom';
        /** Secret. */
        apiKey?: string;
        fromEmail?: '' | string;
        fromCompany?: string;
        commentTemplateId?: string;
        tagTemplateId?: string;
      };
      webhookServiceConfig?: {
        /** Secret, sent as `authorization: Basic <authToken>`. Returned as `__redacted__`. */
        authToken?: string;
        /** Address that messages are sent to. An empty string removes it. */
        rawNotificationUrl?: '' | string;
        /** Second address that messages are sent to. An empty string removes it. */
        processedNotificationUrl?: '' | string;
      };
    };
    result: {
      /** Id of the new key. workspace/authtokens/get returns its token. */
      apiKey: string;
    };
  };
  '/v2/workspace/apikey/update': {
    data: {
      /** API key id, as listed in `apiKeyList`. */
      apiKey: string;
      apiKeyName: string;
    };
    result: null;
  };
  '/v2/workspace/apikeys/get': {
    data: {
      /** Returns only the entries with these ids. */
      apiKeys?: string[];
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      apiKeyName: string;
      id: string;
      type: 'testing' | 'production';
    }[];
    item: NonNullable<Operations['/v2/workspace/apikeys/get']['result'][number]>;
  };
  '/v2/workspace/usage/get': {
    data: {
      /** Returns only the entries with these ids. */
      apiKeys?: string[];
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      id: string;
      apiKeyName: string;
      /** Total bytes stored by the API key: the sum of databaseBytes, fileBytes and addedBytes. */
      storedBytes: number;
      /** Database rows, including live documents, at the last count. */
      databaseBytes: number;
      /** Screenshots and uploads, at the last count. */
      fileBytes: number;
      /** Bytes written since the last count. Tracked only if the service has a quota. */
      addedBytes: number;
      /** Time of the last count, in epoch milliseconds; null before the first count. */
      countedAt: number | null;
      /** Quota of the API key; null if there is none. */
      maxStoredBytes: number | null;
    }[];
    item: NonNullable<Operations['/v2/workspace/usage/get']['result'][number]>;
  };
  '/v2/workspace/authtoken/reset': {
    data: {
      /** API key id, as listed in `apiKeyList`. */
      apiKey: string;
    };
    result: {
      apiKey: string;
      newAuthToken: {
        /** Secret that authenticates requests of the API key. */
        token: string;
        name: string;
        domains: string[];
      };
    };
  };
  '/v2/workspace/authtokens/get': {
    data: {
      /** API key id, as listed in `apiKeyList`. */
      apiKey: string;
    };
    result: {
      apiKey: string;
      authTokens: {
        /** Secret that authenticates requests of the API key. */
        token: string;
        name: string;
        domains: string[];
      }[];
    };
    item: NonNullable<Operations['/v2/workspace/authtokens/get']['result']['authTokens']>[number];
  };
  '/v2/workspace/domains/add': {
    data: {
      domains: string[];
    };
    result: {
      domainsAdded: string[];
    };
  };
  '/v2/workspace/domains/get': {
    data: Record<string, unknown>;
    result: {
      allowedDomains: string[];
    };
    item: NonNullable<Operations['/v2/workspace/domains/get']['result']['allowedDomains']>[number];
  };
  '/v2/workspace/domains/delete': {
    data: {
      domains: string[];
    };
    result: {
      domainsRemoved: string[];
    };
  };
  '/v2/workspace/apikeyconfig/get': {
    data: Record<string, unknown>;
    result: {
      ownerEmail: string;
      planInfo: {
        type: string;
      };
      /** `public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it. */
      defaultDocumentAccessType: 'public' | 'organizationPrivate' | 'restricted';
      isPrivateCommentsEnabled: boolean;
      requireJwtToken: boolean;
      requireAutoOrgUser: boolean;
      /** Words that spell-check takes for right, in any case of letters. */
      spellCheckWords?: string[];
      /** Keyed by model provider. Absent if no key is set. */
      aiModelsConfig?: Record<string, {
        /** The provider's API key, masked. */
        displayText: string;
      }>;
    };
  };
  '/v2/workspace/apikeyconfig/update': {
    data: {
      /** Stored for clients; it does not change how the service works. */
      enablePrivateComments?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireJwtToken?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireAutoOrgUser?: boolean;
      /** `public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it. */
      defaultDocumentAccessType?: 'public' | 'organizationPrivate' | 'restricted';
      /** Words that spell-check takes for right, in any case of letters. */
      spellCheckWords?: string[];
      aiModelApiKey?: {
        provider: 'openai' | 'anthropic' | 'gemini';
        /** Secret. */
        customerApiKey: string;
      }[];
      [key: string]: unknown;
    };
    result: {
      /** Stored for clients; it does not change how the service works. */
      enablePrivateComments?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireJwtToken?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireAutoOrgUser?: boolean;
      /** `public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it. */
      defaultDocumentAccessType?: 'public' | 'organizationPrivate' | 'restricted';
      /** Words that spell-check takes for right, in any case of letters. */
      spellCheckWords?: string[];
      /** Keyed by model provider. Absent if no key is set. */
      aiModelsConfig?: Record<string, {
        /** The provider's API key, masked. */
        displayText: string;
      }>;
    };
  };
  '/v2/workspace/emailconfig/get': {
    data: Record<string, unknown>;
    result: {
      useEmailService: boolean;
      emailServiceConfig: {
        type: 'default' | 'sendgrid' | 'custom';
        /** `__redacted__` if one is stored. */
        apiKey: string;
        fromEmail: string;
        fromCompany: string;
        commentTemplateId: string;
        tagTemplateId: string;
        triggers?: Record<string, boolean>;
      };
    };
  };
  '/v2/workspace/emailconfig/update': {
    data: {
      useEmailService?: boolean;
      emailServiceConfig?: {
        /** `sendgrid` sends with your API key; the others send through the operator's mail server. */
        type?: 'default' | 'sendgrid' | 'custom';
        /** Secret. Returned as `__redacted__`. */
        apiKey?: string;
        /** Sender address with `sendgrid`; reply-to address with the operator's mail server. */
        fromEmail?: '' | string;
        /** Display name of the sender. */
        fromCompany?: string;
        /** `sendgrid` template for emails about comments. */
        commentTemplateId?: string;
        /** `sendgrid` template for emails about mentions. */
        tagTemplateId?: string;
        /** Events that send an email, by event name. */
        triggers?: Record<string, boolean>;
      };
    };
    result: {
      useEmailService: boolean;
      emailServiceConfig: {
        type: 'default' | 'sendgrid' | 'custom';
        /** `__redacted__` if one is stored. */
        apiKey: string;
        fromEmail: string;
        fromCompany: string;
        commentTemplateId: string;
        tagTemplateId: string;
        triggers?: Record<string, boolean>;
      };
    };
  };
  '/v2/workspace/notificationconfig/get': {
    data: Record<string, unknown>;
    result: {
      useNotificationService: boolean;
      notificationServiceConfig: {
        /** Events that notify users, by event name. */
        triggers?: {
          comment?: Record<string, boolean>;
          huddle?: Record<string, boolean>;
        };
        /** How long an email is delayed, in case the notification is read in the app first. */
        delayConfig: {
          isEnabled: boolean;
          delaySeconds: number;
        };
        /** Batches emails to one user, by document or across all documents. */
        batchConfig: {
          document: {
            isEnabled: boolean;
            batchWindowSeconds: number;
            /** Once this many notifications are waiting, they are sent without further delay. */
            maxActivities: number;
          };
          user: {
            isEnabled: boolean;
            batchWindowSeconds: number;
            /** Once this many notifications are waiting, they are sent without further delay. */
            maxActivities: number;
          };
        };
      };
    };
  };
  '/v2/workspace/notificationconfig/update': {
    data: {
      useNotificationService?: boolean;
      notificationServiceConfig?: {
        triggers?: {
          comment?: Record<string, boolean>;
          huddle?: Record<string, boolean>;
        };
        delayConfig?: {
          isEnabled?: boolean;
          delaySeconds?: number;
        };
        batchConfig?: {
          document?: {
            isEnabled?: boolean;
            batchWindowSeconds?: number;
            /** Once this many notifications are waiting, they are sent without further delay. */
            maxActivities?: number;
          };
          user?: {
            isEnabled?: boolean;
            batchWindowSeconds?: number;
            /** Once this many notifications are waiting, they are sent without further delay. */
            maxActivities?: number;
          };
        };
      };
    };
    result: {
      useNotificationService: boolean;
      notificationServiceConfig: {
        /** Events that notify users, by event name. */
        triggers?: {
          comment?: Record<string, boolean>;
          huddle?: Record<string, boolean>;
        };
        /** How long an email is delayed, in case the notification is read in the app first. */
        delayConfig: {
          isEnabled: boolean;
          delaySeconds: number;
        };
        /** Batches emails to one user, by document or across all documents. */
        batchConfig: {
          document: {
            isEnabled: boolean;
            batchWindowSeconds: number;
            /** Once this many notifications are waiting, they are sent without further delay. */
            maxActivities: number;
          };
          user: {
            isEnabled: boolean;
            batchWindowSeconds: number;
            /** Once this many notifications are waiting, they are sent without further delay. */
            maxActivities: number;
          };
        };
      };
    };
  };
  '/v2/workspace/permissionproviderconfig/get': {
    data: Record<string, unknown>;
    result: {
      usePermissionProvider: boolean;
      permissionProviderConfig: {
        permissionProviderUrl: string;
        /** `__redacted__` if one is stored. */
        authToken: string;
      };
    };
  };
  '/v2/workspace/permissionproviderconfig/update': {
    data: {
      usePermissionProvider?: boolean;
      permissionProviderConfig?: {
        /** An empty string removes it. */
        permissionProviderUrl?: '' | string;
        /** Secret. Returned as `__redacted__`. */
        authToken?: string;
      };
    };
    result: undefined;
  };
  '/v2/workspace/activityconfig/get': {
    data: Record<string, unknown>;
    result: {
      activityServiceConfig: {
        isEnabled?: boolean;
        /** When logging was enabled, in epoch milliseconds. */
        enabledTime?: number;
        /** True if activities cannot be changed once written. */
        immutable?: boolean;
        /** Comment events that the service logs: `{ comment: { <event>: true } }` for comment_annotation.add, comment_annotation.delete, comment_annotation.assign, comment_annotation.status_change, comment_annotation.priority_change, comment_annotation.suggestion_accept, comment_annotation.suggestion_reject, comment.add, comment.update, comment.delete. */
        triggers?: Record<string, Record<string, boolean>>;
      };
    };
  };
  '/v2/workspace/activityconfig/update': {
    data: {
      activityServiceConfig: {
        isEnabled?: boolean;
        /** When logging was enabled, in epoch milliseconds. */
        enabledTime?: number;
        /** True if activities cannot be changed once written. */
        immutable?: boolean;
        /** Comment events that the service logs: `{ comment: { <event>: true } }` for comment_annotation.add, comment_annotation.delete, comment_annotation.assign, comment_annotation.status_change, comment_annotation.priority_change, comment_annotation.suggestion_accept, comment_annotation.suggestion_reject, comment.add, comment.update, comment.delete. */
        triggers?: Record<string, Record<string, boolean>>;
      };
    };
    result: {
      activityServiceConfig: {
        isEnabled?: boolean;
        /** When logging was enabled, in epoch milliseconds. */
        enabledTime?: number;
        /** True if activities cannot be changed once written. */
        immutable?: boolean;
        /** Comment events that the service logs: `{ comment: { <event>: true } }` for comment_annotation.add, comment_annotation.delete, comment_annotation.assign, comment_annotation.status_change, comment_annotation.priority_change, comment_annotation.suggestion_accept, comment_annotation.suggestion_reject, comment.add, comment.update, comment.delete. */
        triggers?: Record<string, Record<string, boolean>>;
      };
    };
  };
  '/v2/workspace/webhookconfig/get': {
    data: Record<string, unknown>;
    result: {
      useWebhookService: boolean;
      webhookServiceConfig: {
        /** `__redacted__` if one is stored. */
        authToken: string;
        rawNotificationUrl: string;
        processedNotificationUrl: string;
        encodeData?: boolean;
        encryptData?: boolean;
        publicKey?: string;
        enableDataProtection?: boolean;
        triggers?: Record<string, boolean>;
      };
    };
  };
  '/v2/workspace/webhookconfig/update': {
    data: {
      useWebhookService?: boolean;
      webhookServiceConfig?: {
        /** Secret, sent as `authorization: Basic <authToken>`. Returned as `__redacted__`. */
        authToken?: string;
        /** Address that messages are sent to. An empty string removes it. */
        rawNotificationUrl?: '' | string;
        /** Second address that messages are sent to. An empty string removes it. */
        processedNotificationUrl?: '' | string;
        /** Sends every body as base64. An encrypted body is encoded after encryption. */
        encodeData?: boolean;
        /** Encrypts every body with `publicKey`. */
        encryptData?: boolean;
        /** RSA key of at least 2,048 bits: PEM, or base64 of its SPKI or PKCS#1 form. An empty string removes it. */
        publicKey?: string;
        /** Removes texts written by users, and their names, addresses and attachments, from every body. */
        enableDataProtection?: boolean;
        /** Events that are sent, by event name. */
        triggers?: Record<string, boolean>;
      };
    };
    result: {
      useWebhookService: boolean;
      webhookServiceConfig: {
        /** `__redacted__` if one is stored. */
        authToken: string;
        rawNotificationUrl: string;
        processedNotificationUrl: string;
        encodeData?: boolean;
        encryptData?: boolean;
        publicKey?: string;
        enableDataProtection?: boolean;
        triggers?: Record<string, boolean>;
      };
    };
  };
  '/v2/workspace/advancedwebhookconfig/get': {
    data: Record<string, unknown>;
    result: {
      isEnabled: boolean;
      /** Encrypts every body with `publicKey`. */
      encryptData: boolean;
      /** Sends every body as base64. An encrypted body is encoded after encryption. */
      encodeData: boolean;
      /** Empty if no key is set. */
      publicKey: string;
      /** Removes texts written by users, and their names, addresses and attachments, from every body. */
      enableDataProtection: boolean;
    };
  };
  '/v2/workspace/advancedwebhookconfig/update': {
    data: {
      /** Must be true in the first request of the API key. */
      isEnabled?: boolean;
      /** Encrypts every body with `publicKey`. */
      encryptData?: boolean;
      /** Sends every body as base64. An encrypted body is encoded after encryption. */
      encodeData?: boolean;
      /** RSA key of at least 2,048 bits: PEM, or base64 of its SPKI or PKCS#1 form. An empty string removes it. */
      publicKey?: string;
      /** Removes texts written by users, and their names, addresses and attachments, from every body. */
      enableDataProtection?: boolean;
    };
    result: {
      isEnabled: boolean;
      /** Encrypts every body with `publicKey`. */
      encryptData: boolean;
      /** Sends every body as base64. An encrypted body is encoded after encryption. */
      encodeData: boolean;
      /** Empty if no key is set. */
      publicKey: string;
      /** Removes texts written by users, and their names, addresses and attachments, from every body. */
      enableDataProtection: boolean;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/create': {
    data: {
      /** Address that messages are posted to. */
      url: string;
      description?: string;
      /** Event types to send. Defaults to all types with `sentByDefault`; others are sent only if named here. */
      filterTypes?: string[];
      /** Organization ids whose events are sent, or `organizationId/documentId` for one document. Defaults to all. */
      channels?: string[];
      /** If true, nothing is sent. Messages that are missed meanwhile can be replayed. */
      disabled?: boolean;
      /** Approximate limit of deliveries per second. Further deliveries wait. */
      rateLimit?: number;
      /** Unique name that the caller assigns. It cannot be changed. */
      uid?: string;
      /** Arbitrary data for the caller's own use. */
      metadata?: Record<string, string>;
    };
    result: {
      id: string;
      url: string;
      description: string | null;
      /** Null: all types with `sentByDefault`. */
      filterTypes: string[] | null;
      /** Null: all organizations and documents. */
      channels: string[] | null;
      disabled: boolean;
      /** `gone`: the endpoint returned HTTP 410. `failing`: all deliveries failed for days. */
      disabledReason: 'caller' | 'gone' | 'failing' | null;
      /** Time since which every delivery has failed; null if deliveries succeed. */
      failingSince: string | null;
      rateLimit: number | null;
      uid: string | null;
      metadata: Record<string, string> | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/get': {
    data: {
      /** Only this one. */
      endpointId?: string;
      /** Returns only the endpoint with this uid. */
      uid?: string;
      /** Maximum number of entries in one response. */
      limit?: number;
      /** `iterator` of a previous response for the next page, `prevIterator` for the previous page. */
      iterator?: string;
    };
    result: {
      endpoints: {
        id: string;
        url: string;
        description: string | null;
        /** Null: all types with `sentByDefault`. */
        filterTypes: string[] | null;
        /** Null: all organizations and documents. */
        channels: string[] | null;
        disabled: boolean;
        /** `gone`: the endpoint returned HTTP 410. `failing`: all deliveries failed for days. */
        disabledReason: 'caller' | 'gone' | 'failing' | null;
        /** Time since which every delivery has failed; null if deliveries succeed. */
        failingSince: string | null;
        rateLimit: number | null;
        uid: string | null;
        metadata: Record<string, string> | null;
        createdAt: string;
        updatedAt: string;
      }[];
      /** Cursor of the next page; null on the last page. */
      iterator: string | null;
      /** Cursor of the previous page; null on the first page. */
      prevIterator: string | null;
      /** True on the last page. */
      done: boolean;
    };
    item: NonNullable<Operations['/v2/workspace/advancedwebhook/endpoints/get']['result']['endpoints']>[number];
  };
  '/v2/workspace/advancedwebhook/endpoints/update': {
    data: {
      /** Endpoint id, as returned by its creation. */
      endpointId: string;
      /** Address that messages are posted to. */
      url?: string;
      description?: string | null;
      filterTypes?: string[] | null;
      channels?: string[] | null;
      /** If true, nothing is sent. Messages that are missed meanwhile can be replayed. */
      disabled?: boolean;
      rateLimit?: number | null;
      metadata?: Record<string, string> | null;
    };
    result: {
      id: string;
      url: string;
      description: string | null;
      /** Null: all types with `sentByDefault`. */
      filterTypes: string[] | null;
      /** Null: all organizations and documents. */
      channels: string[] | null;
      disabled: boolean;
      /** `gone`: the endpoint returned HTTP 410. `failing`: all deliveries failed for days. */
      disabledReason: 'caller' | 'gone' | 'failing' | null;
      /** Time since which every delivery has failed; null if deliveries succeed. */
      failingSince: string | null;
      rateLimit: number | null;
      uid: string | null;
      metadata: Record<string, string> | null;
      createdAt: string;
      updatedAt: string;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/delete': {
    data: {
      /** Endpoint id, as returned by its creation. */
      endpointId: string;
    };
    result: {
      endpointId: string;
      deleted: true;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/secret/get': {
    data: {
      /** Endpoint id, as returned by its creation. */
      endpointId: string;
    };
    result: {
      endpointId: string;
      secret: string;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/secret/rotate': {
    data: {
      /** Endpoint id, as returned by its creation. */
      endpointId: string;
      /** `whsec_` followed by base64 of 24 to 64 random bytes. Generated by default. */
      secret?: string;
      /** How long the previous secret also signs, in seconds; 0 ends it at once. */
      gracePeriodSeconds?: number;
    };
    result: {
      endpointId: string;
      secret: string;
      /** Null if no previous secret signs. */
      previousSecretExpiresAt: string | null;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/test': {
    data: {
      /** Endpoint id, as returned by its creation. */
      endpointId: string;
      /** Event type whose sample is sent. */
      eventType?: string;
    };
    result: {
      endpointId: string;
      webhookId: string;
      delivered: boolean;
      attempt: {
        /** Epoch milliseconds. */
        at: number;
        /** `refused`: a response other than 2xx; `unreachable`: no response, including addresses that are blocked as internal. */
        outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable';
        /** HTTP status of the response; null if there was none. */
        status: number | null;
        latencyMs: number;
        /** Beginning of the response body. */
        response: string | null;
        /** Reason of the failure. */
        error: string | null;
      };
    };
  };
  '/v2/workspace/advancedwebhook/deliveries/get': {
    data: {
      /** Endpoint id, or `raw` or `processed` for the addresses of the basic configuration. */
      endpointId?: string;
      /** Message id, as in the `webhook-id` header. */
      webhookId?: string;
      /** `waiting` for the first or next attempt; `failed`: every attempt failed; `held`: the endpoint was disabled. */
      status?: 'waiting' | 'delivered' | 'failed' | 'held';
      /** Returns only deliveries of this event. */
      eventType?: string;
      /** Returns only events at or after this time, in epoch milliseconds. */
      since?: number;
      /** Returns only events before this time, in epoch milliseconds. */
      until?: number;
      /** Includes the messages. The limit is then at most 20. */
      includePayload?: boolean;
      /** Maximum number of entries in one response. Defaults to 50, or 20 with includePayload. */
      limit?: number;
      /** `iterator` of a previous response for the next page, `prevIterator` for the previous page. */
      iterator?: string;
    };
    result: {
      deliveries: {
        webhookId: string;
        endpointId: string;
        eventType: string;
        /** `waiting` for the first or next attempt; `failed`: every attempt failed; `held`: the endpoint was disabled. */
        status: 'waiting' | 'delivered' | 'failed' | 'held';
        /** Time of the event, in epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds; null if no further attempt is planned. */
        nextAttemptAt: number | null;
        /** Epoch milliseconds; null while the delivery is waiting. */
        finishedAt: number | null;
        /** Oldest first. If there are very many, only the latest. */
        attempts: {
          /** Epoch milliseconds. */
          at: number;
          /** `refused`: a response other than 2xx; `unreachable`: no response, including addresses that are blocked as internal. */
          outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable';
          /** HTTP status of the response; null if there was none. */
          status: number | null;
          latencyMs: number;
          /** Beginning of the response body. */
          response: string | null;
          /** Reason of the failure. */
          error: string | null;
        }[];
        /** The message before data protection, encryption and encoding. Present with includePayload. */
        payload?: Record<string, unknown>;
      }[];
      /** Cursor of the next page; null on the last page. */
      iterator: string | null;
      /** Cursor of the previous page; null on the first page. */
      prevIterator: string | null;
      /** True on the last page. */
      done: boolean;
    };
    item: NonNullable<Operations['/v2/workspace/advancedwebhook/deliveries/get']['result']['deliveries']>[number];
  };
  '/v2/workspace/advancedwebhook/deliveries/replay': {
    data: {
      /** Endpoint id, or `raw` or `processed` for the addresses of the basic configuration. */
      endpointId: string;
      /** Message id, as in the `webhook-id` header. */
      webhookId?: string;
      /** Replays events at or after this time, in epoch milliseconds. */
      since?: number;
      /** Replays events before this time, in epoch milliseconds. */
      until?: number;
    };
    result: {
      endpointId: string;
      /** Number of messages that this request delivers again. */
      replayed: number;
    };
  };
  '/v2/workspace/advancedwebhook/eventtypes/get': {
    data: {
      /** Only this one. */
      eventType?: string;
    };
    result: {
      eventTypes: {
        eventType: string;
        description: string;
        source: string;
        /** True if endpoints without `filterTypes` receive it. */
        sentByDefault: boolean;
        /** JSON Schema of the message. */
        schema: Record<string, unknown>;
        /** Sample message. */
        sample: Record<string, unknown>;
      }[];
    };
    item: NonNullable<Operations['/v2/workspace/advancedwebhook/eventtypes/get']['result']['eventTypes']>[number];
  };
  '/v2/auth/generate_token': {
    data: {
      /** User id, assigned by the caller. */
      userId: string;
      /** Properties of the user. */
      userProperties: {
        /** True makes the user an editor of every granted organization. */
        isAdmin?: boolean;
        name: string;
        email: string;
        /** Rejected here: grant the organization as a resource. */
        organizationId?: unknown;
      };
      permissions: {
        resources: {
          type: 'organization' | 'document' | 'folder';
          /** Id of the resource. */
          id: string;
          /** Parent organization. Required for documents and folders. */
          organizationId?: string;
          /** Defaults to `editor`. */
          accessRole?: 'viewer' | 'editor';
          /** Unix seconds after which the grant expires. Values from 10^11 are read as milliseconds. */
          expiresAt?: number;
          /** Access values of the user by field, for notifications that are limited to certain values. */
          context?: {
            access: Record<string, string | string[]>;
          };
        }[];
      };
    };
    result: {
      /** A signed JWT. */
      token: string;
    };
  };
  '/v2/auth/permissions/add': {
    data: {
      user: {
        /** User id, assigned by the caller. */
        userId: string;
      };
      permissions: {
        resources: {
          type: 'organization' | 'document' | 'folder';
          /** Id of the resource. */
          id: string;
          /** Parent organization. Required for documents and folders. */
          organizationId?: string;
          /** Defaults to `editor`. */
          accessRole?: 'viewer' | 'editor';
          /** Unix seconds after which the grant expires. Values from 10^11 are read as milliseconds. */
          expiresAt?: number;
          /** Access values of the user by field, for notifications that are limited to certain values. */
          context?: {
            access: Record<string, string | string[]>;
          };
        }[];
      };
    };
    result: undefined;
  };
  '/v2/auth/permissions/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      userIds: string[];
      folderIds?: string[];
      documentIds?: string[];
      /** If true, resources that do not exist are reported in the result instead of failing the request. */
      skipResourceExistenceValidation?: boolean;
    };
    result: Record<string, {
      folders: Record<string, {
        /** `viewer` may read; `editor` may also write. */
        accessRole: 'viewer' | 'editor';
        /** Effective access type; a document in a folder has that of the folder. */
        accessType?: string;
        /** Unix seconds. */
        expiresAt?: number;
      } | {
        error: string;
        errorCode: 'does_not_exist' | 'permission_denied' | 'something_went_wrong';
        accessType?: string;
      }>;
      documents: Record<string, {
        /** `viewer` may read; `editor` may also write. */
        accessRole: 'viewer' | 'editor';
        /** Effective access type; a document in a folder has that of the folder. */
        accessType?: string;
        /** Unix seconds. */
        expiresAt?: number;
      } | {
        error: string;
        errorCode: 'does_not_exist' | 'permission_denied' | 'something_went_wrong';
        accessType?: string;
      }>;
      organization: Record<string, {
        /** `viewer` may read; `editor` may also write. */
        accessRole: 'viewer' | 'editor';
        /** Effective access type; a document in a folder has that of the folder. */
        accessType?: string;
        /** Unix seconds. */
        expiresAt?: number;
      } | {
        error: string;
        errorCode: 'does_not_exist' | 'permission_denied' | 'something_went_wrong';
        accessType?: string;
      }>;
      context?: {
        accessFields: string[];
      };
    }>;
  };
  '/v2/auth/permissions/remove': {
    data: {
      /** User id, assigned by the caller. */
      userId: string;
      permissions: {
        resources: {
          type: 'organization' | 'document' | 'folder';
          /** Id of the resource. */
          id: string;
          /** Parent organization. Required for documents and folders. */
          organizationId?: string;
        }[];
      };
    };
    result: undefined;
  };
  '/v2/auth/generate_signature': {
    data: {
      permissions: {
        /** User id, assigned by the caller. */
        userId: string;
        resourceId: string;
        type: 'document' | 'folder' | 'organization';
        hasAccess: boolean;
        /** Applies to documents. */
        accessRole?: 'viewer' | 'editor';
        /** Epoch milliseconds. */
        expiresAt?: number;
      }[];
    };
    result: {
      /** 64 hex digits. */
      signature: string;
    };
  };
  '/v2/agents/create': {
    data: {
      name: string;
      description?: string;
      /** Defaults to true. */
      enabled?: boolean;
      /** Instructions as their author wrote them. */
      rawInstructions?: string;
      /** Instructions that the agent follows. */
      instructions?: string;
      /** Arbitrary data; some keys are reserved. */
      metadata?: Record<string, unknown>;
      contextGathering?: {
        /** Defaults to none. */
        strategies?: ('robots-txt' | 'sitemap-data' | 'rest-api' | 'lighthouse' | 'web-page-text' | 'web-page-html' | 'web-page-css' | 'web-page-links' | 'web-page-accessibility' | 'computed-styles' | 'web-page-screenshot' | 'none')[];
        /** Keyed by strategy name. */
        strategyOptions?: {
          'robots-txt'?: Record<string, unknown>;
          'sitemap-data'?: {
            maxEntries?: number;
            [key: string]: unknown;
          };
          'rest-api'?: {
            endpoints: {
              /** Stable id of the endpoint. */
              id?: string;
              name?: string;
              /** Shown in the prompt next to the URL and the response. */
              description: string;
              /** May contain {{variables}}. The address is checked when it is fetched. */
              url: string;
              method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
              /** Headers without secrets. Values may contain {{variables}}. */
              headers?: Record<string, string>;
              /** Query parameters. Values may contain {{variables}}. */
              query?: Record<string, string | number | boolean>;
              /** Body for write methods. May contain {{variables}}. */
              body?: string | Record<string, unknown>;
              auth?: {
                type: 'none';
              } | {
                type: 'bearer';
                /** Secret. */
                token: string;
              } | {
                type: 'basic';
                username: string;
                /** Secret. */
                password: string;
              } | {
                type: 'header';
                /** Secret values by header name. */
                headers: Record<string, string>;
              };
              cacheTtlSeconds?: number;
              timeoutMs?: number;
              /** Dot path of the part of the JSON response to use. */
              responsePath?: string;
              [key: string]: unknown;
            }[];
            /** Maximum response size of each endpoint, in bytes. */
            maxResponseBytes?: number;
            [key: string]: unknown;
          };
          lighthouse?: {
            /** Audit categories to run. Defaults to all. */
            categories?: ('performance' | 'accessibility' | 'best-practices' | 'seo')[];
            /** Defaults to the device type of the run. */
            formFactor?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          'web-page-text'?: {
            deviceType?: 'mobile' | 'desktop';
            excludeIframes?: boolean;
            [key: string]: unknown;
          };
          'web-page-html'?: {
            includeHead?: boolean;
            includeBody?: boolean;
            excludeIframes?: boolean;
            waitUntil?: 'domcontentloaded' | 'load' | 'networkidle' | 'networkidle0' | 'networkidle2' | 'commit';
            [key: string]: unknown;
          };
          'web-page-css'?: {
            /** Includes the style attributes of elements. */
            includeInlineStyles?: boolean;
            [key: string]: unknown;
          };
          'web-page-links'?: Record<string, unknown>;
          'web-page-accessibility'?: {
            /** Checks only axe-core rules with one of these tags, such as `wcag2aa`. */
            tags?: string[];
            /** Enables or disables axe-core rules by rule id. */
            rules?: Record<string, {
              enabled: boolean;
              [key: string]: unknown;
            }>;
            deviceType?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          'computed-styles'?: {
            /** CSS selectors of the elements to inspect. */
            selectors: string[];
            /** Properties to read instead of the default ones. */
            properties?: string[];
            deviceType?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          'web-page-screenshot'?: {
            /** Scrolls through the whole page first, so that lazy content is loaded. */
            scrollBeforeCapture?: boolean;
            /** Maximum height of the screenshot in pixels; at most 16384. */
            maxPageHeightPx?: number;
            waitUntil?: 'domcontentloaded' | 'load' | 'networkidle' | 'networkidle0' | 'networkidle2' | 'commit';
            deviceType?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          [key: string]: unknown;
        };
        aiConfig?: {
          /** Defaults to the provider of the installation. */
          provider?: 'gemini' | 'claude' | 'openai';
          /** Model name, as the provider defines it. */
          model?: string;
          responseMimeType?: string;
          /** Maximum number of tool-call turns with mcp-tools. Capped at run time. */
          maxToolTurns?: number;
        };
        [key: string]: unknown;
      };
      execution?: {
        /** Defaults to ai. */
        executionStrategy?: 'ai' | 'service' | 'service+ai' | 'stagehand-agent' | 'mcp-tools';
        /** Required with service and service+ai. */
        serviceId?: 'broken-links' | 'crawler' | 'screenshot' | 'accessibility-checker' | 'og-image-checker';
        aiConfig?: {
          /** Defaults to the provider of the installation. */
          provider?: 'gemini' | 'claude' | 'openai';
          /** Model name, as the provider defines it. */
          model?: string;
          responseMimeType?: string;
          /** Maximum number of tool-call turns with mcp-tools. Capped at run time. */
          maxToolTurns?: number;
        };
        /** At least one is required with mcp-tools. */
        mcpServers?: {
          id: string;
          /** Internal, loopback and link-local hosts are rejected. */
          url: string;
          name?: string;
          description?: string;
          transport?: 'http';
          auth?: {
            type: 'none';
          } | {
            type: 'bearer';
            /** Secret. */
            token: string;
          } | {
            type: 'basic';
            username: string;
            /** Secret. */
            password: string;
          } | {
            type: 'header';
            /** Secret values by header name. */
            headers: Record<string, string>;
          };
          /** Only these tools are offered to the model. */
          allowedTools?: string[];
          /** Time limit of a request. */
          timeoutMs?: number;
        }[];
        responseDescriptions?: {
          summary?: string;
          title?: string;
          description?: string;
          severity?: string;
          targetText?: string;
          suggestion?: string;
          isPageLevel?: string;
          issueType?: string;
          confidence?: string;
          htmlSelector?: string;
          findingType?: string;
          [key: string]: unknown;
        };
        strategyOptions?: {
          'stagehand-agent'?: {
            mode?: 'dom' | 'hybrid' | 'cua';
            /** Maximum number of actions in the browser. */
            maxSteps?: number;
            model?: string;
            systemPrompt?: string;
            useStructuredOutput?: boolean;
            waitUntil?: 'domcontentloaded' | 'load' | 'networkidle2';
            /** In milliseconds. */
            navigationTimeout?: number;
            [key: string]: unknown;
          };
          'broken-links'?: {
            /** If true, links to other hosts are not checked. */
            internalOnly?: boolean;
            /** URL globs of addresses that are not checked. */
            skip?: string[];
            /** Maximum number of findings on a page, the gravest first; further ones are only counted. */
            maxFindings?: number;
          };
          'spell-check'?: {
            /** Words that spell-check takes for right, in any case of letters. */
            words?: string[];
            [key: string]: unknown;
          };
          [key: string]: unknown;
        };
        knowledge?: {
          /** Fills {{memoryContext}} with what the memory knows about the page. */
          useMemory?: boolean;
          /** Maximum number of entries to include. */
          maxChunks?: number;
          /** Maximum number of entries to include. */
          maxPatterns?: number;
          /** Maximum number of entries to include. */
          maxActivities?: number;
        };
        [key: string]: unknown;
      };
      response?: {
        /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
        useAiFormatting?: boolean;
        /** Instructions for that summary. */
        formattingPrompt?: string;
        responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
        [key: string]: unknown;
      };
      postProcess?: {
        /** Drops exact duplicates and findings with a confidence below 50. */
        guardrails?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Resolves the pending suggestions of earlier runs on the page, except those that are found again. If disabled, each run adds its suggestions anew. */
        deletePreviousSuggestions?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Determines the position of each finding on the page. */
        pinResolution?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        annotations?: {
          /** Defaults to true. */
          enabled?: boolean;
          /** An annotation for each finding, each finding that quotes words, each page, each cause across all pages, or none. Defaults to `causes` for built-in agents that review several pages, and otherwise to `findings`. */
          strategy?: 'findings' | 'word-level' | 'page-level' | 'causes' | 'none';
          [key: string]: unknown;
        };
        /** Keeps a screenshot of no page, of pages with findings (the default), or of all pages that are loaded in a browser. A run may choose otherwise. */
        screenshots?: 'none' | 'findings' | 'all';
        analytics?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Accepted without effect. */
        matchAndMerge?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Accepted without effect. */
        customProcessors?: string[];
        [key: string]: unknown;
      };
      input?: {
        /** Variables that the caller of a run must provide. */
        variableKeys?: string[];
        userContextFields?: {
          id: string;
          title: string;
          type: 'string' | 'number' | 'boolean';
          required?: boolean;
          example?: string;
          defaultValue?: string | number | boolean;
          [key: string]: unknown;
        }[];
        inputRequirements?: {
          requires?: string[];
          requiresOneOf?: string[];
          [key: string]: unknown;
        };
        /** Template variables that the agent may use. */
        supportedVariables?: string[];
        [key: string]: unknown;
      };
      scope?: {
        /** URL globs of the pages to review. */
        pageScope?: string[];
        /** URL globs of the pages to exclude. */
        pageScopeExclude?: string[];
        /** Media types of the pages to review, such as `text/html` or `text/*`. Other values have no effect. */
        contentTypes?: string[];
        crossPage?: {
          enabled: boolean;
          /** Property that must be the same on all pages. */
          targetProperty: string;
          /** `auto`: pages of the site that can be reached from the URL; `manual`: those in `pages`. */
          pageDiscovery: 'auto' | 'manual';
          /** Pages to compare if pageDiscovery is `manual`; resolved against the URL of the run. */
          pages?: string[];
          /** Knowledge source that the pages are compared with, in addition to each other. */
          sourceOfTruthKnowledgeSourceId?: string;
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      setup?: {
        setupSamples?: {
          content: string;
          source: 'synthetic' | 'user-provided';
          findings: {
            message: string;
            elementSelector?: string;
            isCorrect?: boolean;
            [key: string]: unknown;
          }[];
          pmVerdict?: 'correct' | 'incorrect';
          pmNotes?: string;
          [key: string]: unknown;
        }[];
        checklistOrigin?: {
          checklistId: string;
          checklistVersion: number;
          sectionRefs: string[];
          memoryRuleIds: string[];
          deduplicatedFrom?: number;
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      /** Time limit of each phase of a run, in milliseconds. */
      phaseTimeoutMs?: number;
      [key: string]: unknown;
    };
    result: {
      agentId: string;
    };
  };
  '/v2/agents/update': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId: string;
      name?: string;
      description?: string;
      enabled?: boolean;
      [key: string]: unknown;
    };
    result: {
      agentId: string;
    };
  };
  '/v2/agents/delete': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId: string;
    };
    result: {
      agentId: string;
    };
  };
  '/v2/agents/get': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId?: string;
      /** Ignored if agentId is sent. */
      filter?: 'defaultOnly' | 'customOnly';
      /** Ignored if agentId is sent. */
      groupId?: string;
      /** Maximum number of agents in one response. Defaults to all. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: Operations['/v2/agents/get']['selected'][1] | Operations['/v2/agents/get']['otherwise'][1];
    selected: [{ agentId: string }, {
      agent: {
        id: string;
        name: string;
        description?: string;
        enabled: boolean;
        /** `customer` for agents created over the API, `redpen` for built-in agents. */
        managedBy: string;
        metadata: Record<string, unknown>;
        system: true;
        inputRequirements: Record<string, unknown>;
        userContextFields: Record<string, unknown>[];
        executionCount: number;
        /** Epoch milliseconds; null if the agent never ran. */
        lastExecutedAt: number | null;
      } | {
        id: string;
        name: string;
        description?: string;
        enabled: boolean;
        /** `customer` for agents created over the API, `redpen` for built-in agents. */
        managedBy: string;
        metadata: Record<string, unknown>;
        version: number;
        executionCount: number;
        /** Epoch milliseconds; null if the agent never ran. */
        lastExecutedAt: number | null;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        [key: string]: unknown;
      };
    }];
    otherwise: [{ agentId?: undefined }, {
      agents: {
        id: string;
        name: string;
        description?: string;
        enabled: boolean;
        /** `customer` for agents created over the API, `redpen` for built-in agents. */
        managedBy: string;
        metadata: Record<string, unknown>;
        /** Only for custom agents. */
        version?: number;
        /** Only for built-in agents. */
        system?: true;
        executionCount: number;
        /** Epoch milliseconds; null if the agent never ran. */
        lastExecutedAt: number | null;
      }[];
      nextPageToken?: string;
    }];
    item: NonNullable<Operations['/v2/agents/get']['otherwise'][1]['agents']>[number];
  };
  '/v2/agents/extract': {
    data: {
      /** Content of the file, in base64. */
      fileBase64: string;
      /** application/pdf, text/csv, text/plain, text/markdown or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet. */
      mimeType: string;
      /** Provider whose language model reads the file. Defaults to the provider of the installation. */
      provider?: 'claude' | 'openai' | 'gemini';
      /** Stored in the metadata of the agents. */
      fileName?: string;
    };
    result: {
      extractionResult: {
        /** Can be sent to agents/create. */
        agents: {
          name: string;
          [key: string]: unknown;
        }[];
        summary: string;
        /** Parts of the file that no agent was made from. */
        skipped: {
          originalText: string;
          reason: string;
        }[];
      };
    };
  };
  '/v2/agents/version/update': {
    data: {
      /** Instructions as their author wrote them. */
      rawInstructions?: string;
      /** Instructions that the agent follows. */
      instructions?: string;
      /** Arbitrary data; some keys are reserved. */
      metadata?: Record<string, unknown>;
      contextGathering?: {
        /** Defaults to none. */
        strategies?: ('robots-txt' | 'sitemap-data' | 'rest-api' | 'lighthouse' | 'web-page-text' | 'web-page-html' | 'web-page-css' | 'web-page-links' | 'web-page-accessibility' | 'computed-styles' | 'web-page-screenshot' | 'none')[];
        /** Keyed by strategy name. */
        strategyOptions?: {
          'robots-txt'?: Record<string, unknown>;
          'sitemap-data'?: {
            maxEntries?: number;
            [key: string]: unknown;
          };
          'rest-api'?: {
            endpoints: {
              /** Stable id of the endpoint. */
              id?: string;
              name?: string;
              /** Shown in the prompt next to the URL and the response. */
              description: string;
              /** May contain {{variables}}. The address is checked when it is fetched. */
              url: string;
              method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
              /** Headers without secrets. Values may contain {{variables}}. */
              headers?: Record<string, string>;
              /** Query parameters. Values may contain {{variables}}. */
              query?: Record<string, string | number | boolean>;
              /** Body for write methods. May contain {{variables}}. */
              body?: string | Record<string, unknown>;
              auth?: {
                type: 'none';
              } | {
                type: 'bearer';
                /** Secret. */
                token: string;
              } | {
                type: 'basic';
                username: string;
                /** Secret. */
                password: string;
              } | {
                type: 'header';
                /** Secret values by header name. */
                headers: Record<string, string>;
              };
              cacheTtlSeconds?: number;
              timeoutMs?: number;
              /** Dot path of the part of the JSON response to use. */
              responsePath?: string;
              [key: string]: unknown;
            }[];
            /** Maximum response size of each endpoint, in bytes. */
            maxResponseBytes?: number;
            [key: string]: unknown;
          };
          lighthouse?: {
            /** Audit categories to run. Defaults to all. */
            categories?: ('performance' | 'accessibility' | 'best-practices' | 'seo')[];
            /** Defaults to the device type of the run. */
            formFactor?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          'web-page-text'?: {
            deviceType?: 'mobile' | 'desktop';
            excludeIframes?: boolean;
            [key: string]: unknown;
          };
          'web-page-html'?: {
            includeHead?: boolean;
            includeBody?: boolean;
            excludeIframes?: boolean;
            waitUntil?: 'domcontentloaded' | 'load' | 'networkidle' | 'networkidle0' | 'networkidle2' | 'commit';
            [key: string]: unknown;
          };
          'web-page-css'?: {
            /** Includes the style attributes of elements. */
            includeInlineStyles?: boolean;
            [key: string]: unknown;
          };
          'web-page-links'?: Record<string, unknown>;
          'web-page-accessibility'?: {
            /** Checks only axe-core rules with one of these tags, such as `wcag2aa`. */
            tags?: string[];
            /** Enables or disables axe-core rules by rule id. */
            rules?: Record<string, {
              enabled: boolean;
              [key: string]: unknown;
            }>;
            deviceType?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          'computed-styles'?: {
            /** CSS selectors of the elements to inspect. */
            selectors: string[];
            /** Properties to read instead of the default ones. */
            properties?: string[];
            deviceType?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          'web-page-screenshot'?: {
            /** Scrolls through the whole page first, so that lazy content is loaded. */
            scrollBeforeCapture?: boolean;
            /** Maximum height of the screenshot in pixels; at most 16384. */
            maxPageHeightPx?: number;
            waitUntil?: 'domcontentloaded' | 'load' | 'networkidle' | 'networkidle0' | 'networkidle2' | 'commit';
            deviceType?: 'mobile' | 'desktop';
            [key: string]: unknown;
          };
          [key: string]: unknown;
        };
        aiConfig?: {
          /** Defaults to the provider of the installation. */
          provider?: 'gemini' | 'claude' | 'openai';
          /** Model name, as the provider defines it. */
          model?: string;
          responseMimeType?: string;
          /** Maximum number of tool-call turns with mcp-tools. Capped at run time. */
          maxToolTurns?: number;
        };
        [key: string]: unknown;
      };
      execution?: {
        /** Defaults to ai. */
        executionStrategy?: 'ai' | 'service' | 'service+ai' | 'stagehand-agent' | 'mcp-tools';
        /** Required with service and service+ai. */
        serviceId?: 'broken-links' | 'crawler' | 'screenshot' | 'accessibility-checker' | 'og-image-checker';
        aiConfig?: {
          /** Defaults to the provider of the installation. */
          provider?: 'gemini' | 'claude' | 'openai';
          /** Model name, as the provider defines it. */
          model?: string;
          responseMimeType?: string;
          /** Maximum number of tool-call turns with mcp-tools. Capped at run time. */
          maxToolTurns?: number;
        };
        /** At least one is required with mcp-tools. */
        mcpServers?: {
          id: string;
          /** Internal, loopback and link-local hosts are rejected. */
          url: string;
          name?: string;
          description?: string;
          transport?: 'http';
          auth?: {
            type: 'none';
          } | {
            type: 'bearer';
            /** Secret. */
            token: string;
          } | {
            type: 'basic';
            username: string;
            /** Secret. */
            password: string;
          } | {
            type: 'header';
            /** Secret values by header name. */
            headers: Record<string, string>;
          };
          /** Only these tools are offered to the model. */
          allowedTools?: string[];
          /** Time limit of a request. */
          timeoutMs?: number;
        }[];
        responseDescriptions?: {
          summary?: string;
          title?: string;
          description?: string;
          severity?: string;
          targetText?: string;
          suggestion?: string;
          isPageLevel?: string;
          issueType?: string;
          confidence?: string;
          htmlSelector?: string;
          findingType?: string;
          [key: string]: unknown;
        };
        strategyOptions?: {
          'stagehand-agent'?: {
            mode?: 'dom' | 'hybrid' | 'cua';
            /** Maximum number of actions in the browser. */
            maxSteps?: number;
            model?: string;
            systemPrompt?: string;
            useStructuredOutput?: boolean;
            waitUntil?: 'domcontentloaded' | 'load' | 'networkidle2';
            /** In milliseconds. */
            navigationTimeout?: number;
            [key: string]: unknown;
          };
          'broken-links'?: {
            /** If true, links to other hosts are not checked. */
            internalOnly?: boolean;
            /** URL globs of addresses that are not checked. */
            skip?: string[];
            /** Maximum number of findings on a page, the gravest first; further ones are only counted. */
            maxFindings?: number;
          };
          'spell-check'?: {
            /** Words that spell-check takes for right, in any case of letters. */
            words?: string[];
            [key: string]: unknown;
          };
          [key: string]: unknown;
        };
        knowledge?: {
          /** Fills {{memoryContext}} with what the memory knows about the page. */
          useMemory?: boolean;
          /** Maximum number of entries to include. */
          maxChunks?: number;
          /** Maximum number of entries to include. */
          maxPatterns?: number;
          /** Maximum number of entries to include. */
          maxActivities?: number;
        };
        [key: string]: unknown;
      };
      response?: {
        /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
        useAiFormatting?: boolean;
        /** Instructions for that summary. */
        formattingPrompt?: string;
        responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
        [key: string]: unknown;
      };
      postProcess?: {
        /** Drops exact duplicates and findings with a confidence below 50. */
        guardrails?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Resolves the pending suggestions of earlier runs on the page, except those that are found again. If disabled, each run adds its suggestions anew. */
        deletePreviousSuggestions?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Determines the position of each finding on the page. */
        pinResolution?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        annotations?: {
          /** Defaults to true. */
          enabled?: boolean;
          /** An annotation for each finding, each finding that quotes words, each page, each cause across all pages, or none. Defaults to `causes` for built-in agents that review several pages, and otherwise to `findings`. */
          strategy?: 'findings' | 'word-level' | 'page-level' | 'causes' | 'none';
          [key: string]: unknown;
        };
        /** Keeps a screenshot of no page, of pages with findings (the default), or of all pages that are loaded in a browser. A run may choose otherwise. */
        screenshots?: 'none' | 'findings' | 'all';
        analytics?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Accepted without effect. */
        matchAndMerge?: {
          /** Defaults to true. */
          enabled?: boolean;
          [key: string]: unknown;
        };
        /** Accepted without effect. */
        customProcessors?: string[];
        [key: string]: unknown;
      };
      input?: {
        /** Variables that the caller of a run must provide. */
        variableKeys?: string[];
        userContextFields?: {
          id: string;
          title: string;
          type: 'string' | 'number' | 'boolean';
          required?: boolean;
          example?: string;
          defaultValue?: string | number | boolean;
          [key: string]: unknown;
        }[];
        inputRequirements?: {
          requires?: string[];
          requiresOneOf?: string[];
          [key: string]: unknown;
        };
        /** Template variables that the agent may use. */
        supportedVariables?: string[];
        [key: string]: unknown;
      };
      scope?: {
        /** URL globs of the pages to review. */
        pageScope?: string[];
        /** URL globs of the pages to exclude. */
        pageScopeExclude?: string[];
        /** Media types of the pages to review, such as `text/html` or `text/*`. Other values have no effect. */
        contentTypes?: string[];
        crossPage?: {
          enabled: boolean;
          /** Property that must be the same on all pages. */
          targetProperty: string;
          /** `auto`: pages of the site that can be reached from the URL; `manual`: those in `pages`. */
          pageDiscovery: 'auto' | 'manual';
          /** Pages to compare if pageDiscovery is `manual`; resolved against the URL of the run. */
          pages?: string[];
          /** Knowledge source that the pages are compared with, in addition to each other. */
          sourceOfTruthKnowledgeSourceId?: string;
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      setup?: {
        setupSamples?: {
          content: string;
          source: 'synthetic' | 'user-provided';
          findings: {
            message: string;
            elementSelector?: string;
            isCorrect?: boolean;
            [key: string]: unknown;
          }[];
          pmVerdict?: 'correct' | 'incorrect';
          pmNotes?: string;
          [key: string]: unknown;
        }[];
        checklistOrigin?: {
          checklistId: string;
          checklistVersion: number;
          sectionRefs: string[];
          memoryRuleIds: string[];
          deduplicatedFrom?: number;
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      /** Time limit of each phase of a run, in milliseconds. */
      phaseTimeoutMs?: number;
      /** Agent id; built-in agents have readable ids. */
      agentId: string;
      [key: string]: unknown;
    };
    result: {
      version: number;
    };
  };
  '/v2/agents/versions/list': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId: string;
    };
    result: {
      versions: {
        /** For example `v3`. */
        id: string;
        version: number;
        /** Epoch milliseconds. */
        createdAt: number;
        [key: string]: unknown;
      }[];
    };
    item: NonNullable<Operations['/v2/agents/versions/list']['result']['versions']>[number];
  };
  '/v2/agents/versions/restore': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId: string;
    };
    result: {
      version: number;
    };
  };
  '/v2/agents/groups/create': {
    data: {
      name: string;
      description?: string;
      agentIds?: string[];
      /** Cannot be changed later. */
      metadata?: Record<string, unknown>;
    };
    result: {
      group: {
        id: string;
        name: string;
        description?: string;
        metadata: Record<string, unknown>;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        /** Ids of the members, in order. */
        agentIds: string[];
      };
    };
  };
  '/v2/agents/groups/get': {
    data: {
      /** Agent group id. */
      groupId: string;
    };
    result: {
      group: {
        id: string;
        name: string;
        description?: string;
        metadata: Record<string, unknown>;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        /** Ids of the members, in order. */
        agentIds: string[];
      };
    };
  };
  '/v2/agents/groups/list': {
    data: Record<string, never>;
    result: {
      groups: {
        id: string;
        name: string;
        description?: string;
        metadata: Record<string, unknown>;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        agentCount: number;
      }[];
    };
    item: NonNullable<Operations['/v2/agents/groups/list']['result']['groups']>[number];
  };
  '/v2/agents/groups/update': {
    data: {
      /** Agent group id. */
      groupId: string;
      name?: string;
      description?: string;
    };
    result: {
      group: {
        id: string;
        name: string;
        description?: string;
        metadata: Record<string, unknown>;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        /** Ids of the members, in order. */
        agentIds: string[];
      };
    };
  };
  '/v2/agents/groups/delete': {
    data: {
      /** Agent group id. */
      groupId: string;
    };
    result: {
      groupId: string;
    };
  };
  '/v2/agents/groups/add-agents': {
    data: {
      /** Agent group id. */
      groupId: string;
      agentIds: string[];
    };
    result: {
      group: {
        id: string;
        name: string;
        description?: string;
        metadata: Record<string, unknown>;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        /** Ids of the members, in order. */
        agentIds: string[];
      };
    };
  };
  '/v2/agents/groups/remove-agents': {
    data: {
      /** Agent group id. */
      groupId: string;
      agentIds: string[];
    };
    result: {
      group: {
        id: string;
        name: string;
        description?: string;
        metadata: Record<string, unknown>;
        /** Epoch milliseconds. */
        createdAt: number;
        /** Epoch milliseconds. */
        updatedAt: number;
        /** Ids of the members, in order. */
        agentIds: string[];
      };
    };
  };
  '/v2/agents/execution/run': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId: string;
      url: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Document on which findings become comment annotations. */
      documentId?: string;
      /** If true, also reviews pages of the same site that can be reached from the URL. */
      crossPageExecute?: boolean;
      maxUrlsToProcess?: number;
      deviceType?: 'mobile' | 'desktop';
      /** Keeps a screenshot of no page, of pages with findings, or of all pages that are loaded in a browser. Defaults to the setting of the agent, and otherwise to `findings`. */
      screenshots?: 'none' | 'findings' | 'all';
      /** Options of the service of the agent, each in place of that of the agent. */
      strategyOptions?: {
        'broken-links'?: {
          /** If true, links to other hosts are not checked. */
          internalOnly?: boolean;
          /** URL globs of addresses that are not checked. */
          skip?: string[];
          /** Maximum number of findings on a page, the gravest first; further ones are only counted. */
          maxFindings?: number;
        };
        'spell-check'?: {
          /** Words that spell-check takes for right, in any case of letters. */
          words?: string[];
        };
      };
      annotationVisibility?: 'public' | 'private';
      trigger?: 'standalone' | 'workflow';
      workflowExecutionId?: string;
      ranBy?: {
        userId: string;
        name?: string;
        email?: string;
      };
      userContext?: Record<string, string | number | boolean>;
      variables?: Record<string, string | number | boolean>;
      aiConfig?: {
        provider?: 'gemini' | 'claude' | 'openai';
        model?: string;
        defaultModels?: Record<string, string>;
        maxToolTurns?: number;
      };
      [key: string]: unknown;
    };
    result: {
      executionId: string;
    };
  };
  '/v2/agents/execution/get': {
    data: {
      /** Id of one run of an agent. */
      executionId: string;
      /** Includes the findings of each page, and the stored files. */
      includeResults?: boolean;
      /** Includes the log of the run. */
      includeLog?: boolean;
      /** Maximum number of pages in `results`. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      execution: {
        id: string;
        agentId: string;
        agentName: string;
        agentVersion: number;
        metadata: {
          organizationId: string;
          documentId: string;
        };
        config: {
          seedUrl: string;
          crossPageExecute: boolean;
          maxUrlsToProcess: number;
          deviceType: 'mobile' | 'desktop';
        };
        status: 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
        /** Present once the run has ended. */
        verdict?: 'clean' | 'findings' | 'incomplete' | 'broken';
        /** Present while the execution waits to start: its position in the queue, from 1. API keys take turns. Positions above 1,001 are reported as 1,001. */
        queuePosition?: number;
        /** Epoch milliseconds. */
        startedAt: number;
        /** Epoch milliseconds; null while the execution is running. */
        completedAt: number | null;
        /** Null while the execution is running. */
        durationMs: number | null;
        error?: {
          code: string;
          message: string;
          retryable: boolean;
          /** Epoch milliseconds. */
          occurredAt: number;
        };
        trigger: 'standalone' | 'workflow';
        workflowExecutionId: string | null;
        previousExecutionId: string | null;
        ranBy: {
          userId: string;
          name: string;
          email: string;
        } | null;
        resultsSummary: {
          totalFindings: number;
          totalAnnotationsCreated: number;
          urlsProcessed: number;
          urlsWithFindings: number;
          urlsErrored?: number;
          /** Pages that the agent cannot review, for example in a language without a dictionary. Not part of `urlsProcessed`. */
          urlsSkipped?: number;
          /** Up to 50 of the skipped pages, with the reason. */
          skippedUrls?: {
            url: string;
            message: string;
          }[];
          /** Further pages of the site that the crawl knew of when `maxUrlsToProcess` was reached. */
          urlsLeftOut?: number;
          /** Pages that were read in a browser, for agents that need one only where scripts change links. */
          urlsRendered?: number;
          /** Number of findings that no person has rejected or resolved. */
          open?: number;
          /** Number of findings that a person has rejected or resolved. */
          decided?: number;
          /** Number of findings that the previous run did not have. */
          new?: number;
          /** Number of findings of the previous run that are gone. */
          fixed?: number;
          severityCounts?: Record<string, number>;
          /** Number of findings that are not reported because reviewers keep rejecting similar ones. */
          heldBack?: number;
          summary?: string | null;
          [key: string]: unknown;
        };
        /** Progress of a running execution. */
        progress?: {
          urlsPlanned: number;
          urlsProcessed: number;
          findings: number;
        };
        /** What the findings come from, the gravest first, once the run has ended. agents/execution/causes returns those after the first. */
        causes?: {
          title: string;
          description: string;
          severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
          /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
          issueType: string;
          /** Suggested fix. */
          suggestion: string;
          confidence: number;
          /** The address that the finding is about, such as that of a broken link. */
          url?: string;
          /** What a person decided about it earlier. Rejected and resolved findings are not open. */
          decision?: 'accepted' | 'rejected' | 'resolved';
          /** The person who decided; `system` for an API key that named no user. */
          decidedBy?: {
            userId: string;
            name: string;
          };
          /** The reason that the person gave. */
          reason?: string;
          id: string;
          /** Number of places, that is, of findings. */
          places: number;
          /** Number of pages with such a place. */
          pages: number;
          /** Number of places that no person has rejected or resolved. */
          openPlaces: number;
          /** Number of places that the previous run did not have. */
          newPlaces: number;
          /** Number of places of the previous run that are gone. */
          fixedPlaces: number;
          /** `new` if all places are. Absent if there was no previous run. */
          comparison?: 'new' | 'still_there';
          /** The id of its annotation. */
          commentId?: string;
          /** The first places; agents/execution/findings returns all of them. */
          examples: {
            /** `finding-1` and so on, numbered within a page. */
            id: string;
            /** URL of the page. */
            sourceUrl: string;
            /** The text that the finding is about; empty if it is not about text. */
            targetText?: string;
            /** Number of the occurrence of targetText on the page, from 1. */
            occurrence?: number;
            /** CSS selector of the element; empty if there is none. */
            htmlSelector?: string;
            htmlSnippet?: string;
            /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
            position?: {
              x: number;
              y: number;
              width: number;
              height: number;
            };
            /** Whether the previous run found it on this page too; absent if there was no previous run. */
            comparison?: 'new' | 'still_there';
            /** What a person decided about it earlier. Rejected and resolved findings are not open. */
            decision?: 'accepted' | 'rejected' | 'resolved';
            /** The id of the annotation that this or an earlier run created for the finding. */
            commentId?: string;
          }[];
        }[];
        /** Number of causes. */
        causesTotal?: number;
        /** Comparison with the previous run; absent if there was none. */
        comparison?: {
          /** The run that this run is compared with. */
          previousExecutionId: string;
          /** Number of findings that the previous run did not have. */
          new: number;
          /** Number of findings that the previous run had too. */
          stillThere: number;
          /** Number of findings of the previous run that are gone, on pages that both runs reviewed. */
          fixed: number;
          /** Up to 50 of the fixed findings. */
          fixedFindings: {
            title: string;
            issueType: string;
            severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
            sourceUrl: string;
            url?: string;
          }[];
        };
        crawlerResults?: Record<string, unknown>;
        /** Output of the agent's response adapter. */
        response?: Record<string, unknown>;
        llmModel?: string;
        tokenUsage: {
          promptTokens: number;
          completionTokens: number;
          /** Completion tokens that the model used for thinking. */
          thoughtsTokens: number;
          totalTokens: number;
          /** Number of requests that a model answered. */
          requestCount: number;
        };
      };
      results?: {
        id: string;
        url: string;
        urlHash: string;
        agentId: string;
        agentName: string;
        /** `skipped`: the agent cannot review the page; `summary` contains the reason. */
        status: 'completed' | 'failed' | 'skipped';
        summary?: string;
        error: {
          code: string;
          message: string;
          retryable: boolean;
        } | null;
        /** Up to 500 in all pages of an answer. agents/execution/findings returns those of a page in parts. */
        findings: {
          /** `finding-1` and so on, numbered within a page. */
          id: string;
          title: string;
          description: string;
          severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
          /** The text that the finding is about; empty if it is not about text. */
          targetText: string;
          /** Number of the occurrence of targetText on the page, from 1. */
          occurrence: number;
          /** Present if a model quoted words that the page's text does not have. Words in pictures cannot be verified. */
          quoteFound?: false;
          /** Text around targetText on the page, if the page's text was gathered. */
          context?: {
            before: string;
            after: string;
          };
          /** URL of the page. */
          sourceUrl: string;
          /** Suggested fix. */
          suggestion: string;
          /** CSS selector of the element; empty if there is none. */
          htmlSelector: string;
          targetElementXpath: string;
          htmlSnippet?: string;
          isPageLevel: boolean;
          /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
          issueType: string;
          findingType: 'text' | 'pin' | 'page';
          confidence: number;
          /** `knowledge` if the finding is based on the memory. */
          source: 'instructions' | 'knowledge';
          /** Description of the memory entries that the finding is based on. */
          knowledgeSection?: string;
          /** Memory entries that the finding is based on. */
          groundedBy?: {
            kind: 'rule' | 'chunk' | 'pattern' | 'judgment';
            /** Id of the rule, chunk or pattern, or the recordId of a judgment. */
            id: string;
            /** Knowledge source of the rule or chunk. */
            sourceId?: string;
            /** File and heading of the entry, or its kind. */
            section: string;
            /** Beginning of the rule or chunk. */
            quote?: string;
          }[];
          /** Present for a severe finding that would be held back if it were less severe. */
          precedent?: {
            /** Scope of the decisions. */
            scope: 'document' | 'organization' | 'apiKey';
            /** Number of similar findings that were rejected. */
            rejected: number;
            approved: number;
            /** The counts as a sentence. */
            note: string;
            /** The most similar decisions, up to 10. */
            judgments: {
              /** The id of the judgment, as memory/judgments/delete takes it. */
              recordId: string;
              decision: string;
              annotationId: string | null;
              /** Cosine similarity between the reviewed item and the finding. */
              similarity: number;
              /** Epoch milliseconds. */
              createdAt: number;
            }[];
          };
          /** The address that the finding is about, such as that of a broken link. */
          url?: string;
          statusCode?: number;
          errorType?: 'http_error' | 'timeout' | 'network_error' | 'auth_required' | 'unknown';
          /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
          position?: {
            x: number;
            y: number;
            width: number;
            height: number;
          };
          /** True if the position is outside of the captured part of the page. */
          outsideScreenshot?: boolean;
          /** Stored file that shows the finding, such as a screenshot. */
          artifactId?: string;
          /** The id of the annotation that this or an earlier run created for the finding. */
          commentId?: string;
          /** Whether the previous run found it on this page too; absent if there was no previous run. */
          comparison?: 'new' | 'still_there';
          /** Findings of a run with the same id have one cause, such as the same broken link on many pages. */
          causeId?: string;
          /** What a person decided about it earlier. Rejected and resolved findings are not open. */
          decision?: 'accepted' | 'rejected' | 'resolved';
          /** The person who decided; `system` for an API key that named no user. */
          decidedBy?: {
            userId: string;
            name: string;
          };
          /** The reason that the person gave. */
          reason?: string;
        }[];
        /** Number of findings of the page. */
        findingCount: number;
        /** Findings that are not reported, with the decisions that are the reason. */
        heldBack?: {
          /** `finding-1` and so on, numbered within a page. */
          id: string;
          title: string;
          description: string;
          severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
          /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
          issueType: string;
          /** The text that the finding is about; empty if it is not about text. */
          targetText: string;
          /** URL of the page. */
          sourceUrl: string;
          /** The address that the finding is about, such as that of a broken link. */
          url?: string;
          precedent: {
            /** Scope of the decisions. */
            scope: 'document' | 'organization' | 'apiKey';
            /** Number of similar findings that were rejected. */
            rejected: number;
            approved: number;
            /** The counts as a sentence. */
            note: string;
            judgments: {
              /** The id of the judgment, as memory/judgments/delete takes it. */
              recordId: string;
              decision: string;
              annotationId: string | null;
              /** Cosine similarity between the reviewed item and the finding. */
              similarity: number;
              /** Epoch milliseconds. */
              createdAt: number;
              /** Author of the decision; null if the judgment has been revoked. */
              reviewer: {
                userId: string;
                name: string;
                [key: string]: unknown;
              } | null;
              reasoning?: string;
            }[];
          };
        }[];
        /** Number of annotations created for the findings. */
        annotationsCreated: number;
        /** Picture of the page, in whose coordinates the positions of the findings are. */
        screenshot?: {
          deviceType: 'mobile' | 'desktop';
          mimeType: 'image/webp';
          /** In CSS pixels. */
          viewport: {
            width: number;
            height: number;
          };
          /** Pixels of the picture for each CSS pixel. */
          scale: number;
          /** Width of the captured part of the page, in CSS pixels. */
          width: number;
          /** Height of the captured part of the page, in CSS pixels. */
          height: number;
          /** True if the page goes on below the captured part. */
          truncated: boolean;
          /** The pictures, from top to bottom. */
          tiles: {
            artifactId: string;
            /** Offset of the tile from the left of the document, in CSS pixels. */
            x: number;
            /** Offset of the tile from the top of the document, in CSS pixels. */
            y: number;
            width: number;
            height: number;
          }[];
        };
        /** Data of the service about the page. */
        data?: unknown;
        /** Epoch milliseconds. */
        processedAt: number;
      }[];
      /** Absent if there are no more results. */
      nextPageToken?: string;
      /** Stored files; only with the first part of the results. */
      artifacts?: {
        /** GET /v2/blobs/{artifactId} with the same headers returns the content. */
        artifactId: string;
        name: string;
        mimeType: string;
        sizeBytes: number;
      }[];
      log?: {
        /** Epoch milliseconds. */
        at: number;
        level: 'info' | 'warn' | 'error';
        kind: 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';
        message: string;
        data: Record<string, unknown>;
      }[];
    };
    item: NonNullable<Operations['/v2/agents/execution/get']['result']['results']>[number];
  };
  '/v2/agents/execution/list': {
    data: {
      /** Agent id; built-in agents have readable ids. */
      agentId?: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Document id within the organization, assigned by the caller. */
      documentId?: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      executions: {
        id: string;
        agentId: string;
        agentName: string;
        agentVersion: number;
        metadata: {
          organizationId: string;
          documentId: string;
        };
        config: {
          seedUrl: string;
          crossPageExecute: boolean;
          maxUrlsToProcess: number;
          deviceType: 'mobile' | 'desktop';
        };
        status: 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
        /** Present once the run has ended. */
        verdict?: 'clean' | 'findings' | 'incomplete' | 'broken';
        /** Present while the execution waits to start: its position in the queue, from 1. API keys take turns. Positions above 1,001 are reported as 1,001. */
        queuePosition?: number;
        /** Epoch milliseconds. */
        startedAt: number;
        /** Epoch milliseconds; null while the execution is running. */
        completedAt: number | null;
        /** Null while the execution is running. */
        durationMs: number | null;
        error?: {
          code: string;
          message: string;
          retryable: boolean;
          /** Epoch milliseconds. */
          occurredAt: number;
        };
        trigger: 'standalone' | 'workflow';
        workflowExecutionId: string | null;
        previousExecutionId: string | null;
        ranBy: {
          userId: string;
          name: string;
          email: string;
        } | null;
        resultsSummary: {
          totalFindings: number;
          totalAnnotationsCreated: number;
          urlsProcessed: number;
          urlsWithFindings: number;
          urlsErrored?: number;
          /** Pages that the agent cannot review, for example in a language without a dictionary. Not part of `urlsProcessed`. */
          urlsSkipped?: number;
          /** Up to 50 of the skipped pages, with the reason. */
          skippedUrls?: {
            url: string;
            message: string;
          }[];
          /** Further pages of the site that the crawl knew of when `maxUrlsToProcess` was reached. */
          urlsLeftOut?: number;
          /** Pages that were read in a browser, for agents that need one only where scripts change links. */
          urlsRendered?: number;
          /** Number of findings that no person has rejected or resolved. */
          open?: number;
          /** Number of findings that a person has rejected or resolved. */
          decided?: number;
          /** Number of findings that the previous run did not have. */
          new?: number;
          /** Number of findings of the previous run that are gone. */
          fixed?: number;
          severityCounts?: Record<string, number>;
          /** Number of findings that are not reported because reviewers keep rejecting similar ones. */
          heldBack?: number;
          summary?: string | null;
          [key: string]: unknown;
        };
        /** Progress of a running execution. */
        progress?: {
          urlsPlanned: number;
          urlsProcessed: number;
          findings: number;
        };
        /** What the findings come from, the gravest first, once the run has ended. agents/execution/causes returns those after the first. */
        causes?: {
          title: string;
          description: string;
          severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
          /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
          issueType: string;
          /** Suggested fix. */
          suggestion: string;
          confidence: number;
          /** The address that the finding is about, such as that of a broken link. */
          url?: string;
          /** What a person decided about it earlier. Rejected and resolved findings are not open. */
          decision?: 'accepted' | 'rejected' | 'resolved';
          /** The person who decided; `system` for an API key that named no user. */
          decidedBy?: {
            userId: string;
            name: string;
          };
          /** The reason that the person gave. */
          reason?: string;
          id: string;
          /** Number of places, that is, of findings. */
          places: number;
          /** Number of pages with such a place. */
          pages: number;
          /** Number of places that no person has rejected or resolved. */
          openPlaces: number;
          /** Number of places that the previous run did not have. */
          newPlaces: number;
          /** Number of places of the previous run that are gone. */
          fixedPlaces: number;
          /** `new` if all places are. Absent if there was no previous run. */
          comparison?: 'new' | 'still_there';
          /** The id of its annotation. */
          commentId?: string;
          /** The first places; agents/execution/findings returns all of them. */
          examples: {
            /** `finding-1` and so on, numbered within a page. */
            id: string;
            /** URL of the page. */
            sourceUrl: string;
            /** The text that the finding is about; empty if it is not about text. */
            targetText?: string;
            /** Number of the occurrence of targetText on the page, from 1. */
            occurrence?: number;
            /** CSS selector of the element; empty if there is none. */
            htmlSelector?: string;
            htmlSnippet?: string;
            /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
            position?: {
              x: number;
              y: number;
              width: number;
              height: number;
            };
            /** Whether the previous run found it on this page too; absent if there was no previous run. */
            comparison?: 'new' | 'still_there';
            /** What a person decided about it earlier. Rejected and resolved findings are not open. */
            decision?: 'accepted' | 'rejected' | 'resolved';
            /** The id of the annotation that this or an earlier run created for the finding. */
            commentId?: string;
          }[];
        }[];
        /** Number of causes. */
        causesTotal?: number;
        /** Comparison with the previous run; absent if there was none. */
        comparison?: {
          /** The run that this run is compared with. */
          previousExecutionId: string;
          /** Number of findings that the previous run did not have. */
          new: number;
          /** Number of findings that the previous run had too. */
          stillThere: number;
          /** Number of findings of the previous run that are gone, on pages that both runs reviewed. */
          fixed: number;
          /** Up to 50 of the fixed findings. */
          fixedFindings: {
            title: string;
            issueType: string;
            severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
            sourceUrl: string;
            url?: string;
          }[];
        };
        crawlerResults?: Record<string, unknown>;
        /** Output of the agent's response adapter. */
        response?: Record<string, unknown>;
        llmModel?: string;
        tokenUsage: {
          promptTokens: number;
          completionTokens: number;
          /** Completion tokens that the model used for thinking. */
          thoughtsTokens: number;
          totalTokens: number;
          /** Number of requests that a model answered. */
          requestCount: number;
        };
      }[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/execution/list']['result']['executions']>[number];
  };
  '/v2/agents/execution/count': {
    data: {
      agentIds?: string | string[];
      status?: 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
    };
    result: Operations['/v2/agents/execution/count']['selected'][1] | Operations['/v2/agents/execution/count']['otherwise'][1];
    selected: [{ agentIds: string | string[] }, {
      counts: Record<string, number>;
    }];
    otherwise: [{ agentIds?: undefined }, {
      total: number;
    }];
  };
  '/v2/agents/execution/causes': {
    data: {
      /** Id of one run of an agent. */
      executionId: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      causes: {
        title: string;
        description: string;
        severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
        /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
        issueType: string;
        /** Suggested fix. */
        suggestion: string;
        confidence: number;
        /** The address that the finding is about, such as that of a broken link. */
        url?: string;
        /** What a person decided about it earlier. Rejected and resolved findings are not open. */
        decision?: 'accepted' | 'rejected' | 'resolved';
        /** The person who decided; `system` for an API key that named no user. */
        decidedBy?: {
          userId: string;
          name: string;
        };
        /** The reason that the person gave. */
        reason?: string;
        id: string;
        /** Number of places, that is, of findings. */
        places: number;
        /** Number of pages with such a place. */
        pages: number;
        /** Number of places that no person has rejected or resolved. */
        openPlaces: number;
        /** Number of places that the previous run did not have. */
        newPlaces: number;
        /** Number of places of the previous run that are gone. */
        fixedPlaces: number;
        /** `new` if all places are. Absent if there was no previous run. */
        comparison?: 'new' | 'still_there';
        /** The id of its annotation. */
        commentId?: string;
        /** The first places; agents/execution/findings returns all of them. */
        examples: {
          /** `finding-1` and so on, numbered within a page. */
          id: string;
          /** URL of the page. */
          sourceUrl: string;
          /** The text that the finding is about; empty if it is not about text. */
          targetText?: string;
          /** Number of the occurrence of targetText on the page, from 1. */
          occurrence?: number;
          /** CSS selector of the element; empty if there is none. */
          htmlSelector?: string;
          htmlSnippet?: string;
          /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
          position?: {
            x: number;
            y: number;
            width: number;
            height: number;
          };
          /** Whether the previous run found it on this page too; absent if there was no previous run. */
          comparison?: 'new' | 'still_there';
          /** What a person decided about it earlier. Rejected and resolved findings are not open. */
          decision?: 'accepted' | 'rejected' | 'resolved';
          /** The id of the annotation that this or an earlier run created for the finding. */
          commentId?: string;
        }[];
      }[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/execution/causes']['result']['causes']>[number];
  };
  '/v2/agents/execution/findings': {
    data: {
      /** Id of one run of an agent. */
      executionId: string;
      /** Only the places of this cause. */
      causeId?: string;
      /** Only findings on this page. */
      url?: string;
      severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
      comparison?: 'new' | 'still_there';
      /** Only findings that no person has rejected or resolved. */
      open?: true;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      findings: {
        /** `finding-1` and so on, numbered within a page. */
        id: string;
        title: string;
        description: string;
        severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
        /** The text that the finding is about; empty if it is not about text. */
        targetText: string;
        /** Number of the occurrence of targetText on the page, from 1. */
        occurrence: number;
        /** Present if a model quoted words that the page's text does not have. Words in pictures cannot be verified. */
        quoteFound?: false;
        /** Text around targetText on the page, if the page's text was gathered. */
        context?: {
          before: string;
          after: string;
        };
        /** URL of the page. */
        sourceUrl: string;
        /** Suggested fix. */
        suggestion: string;
        /** CSS selector of the element; empty if there is none. */
        htmlSelector: string;
        targetElementXpath: string;
        htmlSnippet?: string;
        isPageLevel: boolean;
        /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
        issueType: string;
        findingType: 'text' | 'pin' | 'page';
        confidence: number;
        /** `knowledge` if the finding is based on the memory. */
        source: 'instructions' | 'knowledge';
        /** Description of the memory entries that the finding is based on. */
        knowledgeSection?: string;
        /** Memory entries that the finding is based on. */
        groundedBy?: {
          kind: 'rule' | 'chunk' | 'pattern' | 'judgment';
          /** Id of the rule, chunk or pattern, or the recordId of a judgment. */
          id: string;
          /** Knowledge source of the rule or chunk. */
          sourceId?: string;
          /** File and heading of the entry, or its kind. */
          section: string;
          /** Beginning of the rule or chunk. */
          quote?: string;
        }[];
        /** Present for a severe finding that would be held back if it were less severe. */
        precedent?: {
          /** Scope of the decisions. */
          scope: 'document' | 'organization' | 'apiKey';
          /** Number of similar findings that were rejected. */
          rejected: number;
          approved: number;
          /** The counts as a sentence. */
          note: string;
          /** The most similar decisions, up to 10. */
          judgments: {
            /** The id of the judgment, as memory/judgments/delete takes it. */
            recordId: string;
            decision: string;
            annotationId: string | null;
            /** Cosine similarity between the reviewed item and the finding. */
            similarity: number;
            /** Epoch milliseconds. */
            createdAt: number;
          }[];
        };
        /** The address that the finding is about, such as that of a broken link. */
        url?: string;
        statusCode?: number;
        errorType?: 'http_error' | 'timeout' | 'network_error' | 'auth_required' | 'unknown';
        /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
        position?: {
          x: number;
          y: number;
          width: number;
          height: number;
        };
        /** True if the position is outside of the captured part of the page. */
        outsideScreenshot?: boolean;
        /** Stored file that shows the finding, such as a screenshot. */
        artifactId?: string;
        /** The id of the annotation that this or an earlier run created for the finding. */
        commentId?: string;
        /** Whether the previous run found it on this page too; absent if there was no previous run. */
        comparison?: 'new' | 'still_there';
        /** Findings of a run with the same id have one cause, such as the same broken link on many pages. */
        causeId?: string;
        /** What a person decided about it earlier. Rejected and resolved findings are not open. */
        decision?: 'accepted' | 'rejected' | 'resolved';
        /** The person who decided; `system` for an API key that named no user. */
        decidedBy?: {
          userId: string;
          name: string;
        };
        /** The reason that the person gave. */
        reason?: string;
      }[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/execution/findings']['result']['findings']>[number];
  };
  '/v2/agents/execution/cancel': {
    data: {
      /** Id of one run of an agent. */
      executionId: string;
      /** Appended to the error message. */
      reason?: string;
    };
    result: {
      execution: {
        id: string;
        agentId: string;
        agentName: string;
        agentVersion: number;
        metadata: {
          organizationId: string;
          documentId: string;
        };
        config: {
          seedUrl: string;
          crossPageExecute: boolean;
          maxUrlsToProcess: number;
          deviceType: 'mobile' | 'desktop';
        };
        status: 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
        /** Present once the run has ended. */
        verdict?: 'clean' | 'findings' | 'incomplete' | 'broken';
        /** Present while the execution waits to start: its position in the queue, from 1. API keys take turns. Positions above 1,001 are reported as 1,001. */
        queuePosition?: number;
        /** Epoch milliseconds. */
        startedAt: number;
        /** Epoch milliseconds; null while the execution is running. */
        completedAt: number | null;
        /** Null while the execution is running. */
        durationMs: number | null;
        error?: {
          code: string;
          message: string;
          retryable: boolean;
          /** Epoch milliseconds. */
          occurredAt: number;
        };
        trigger: 'standalone' | 'workflow';
        workflowExecutionId: string | null;
        previousExecutionId: string | null;
        ranBy: {
          userId: string;
          name: string;
          email: string;
        } | null;
        resultsSummary: {
          totalFindings: number;
          totalAnnotationsCreated: number;
          urlsProcessed: number;
          urlsWithFindings: number;
          urlsErrored?: number;
          /** Pages that the agent cannot review, for example in a language without a dictionary. Not part of `urlsProcessed`. */
          urlsSkipped?: number;
          /** Up to 50 of the skipped pages, with the reason. */
          skippedUrls?: {
            url: string;
            message: string;
          }[];
          /** Further pages of the site that the crawl knew of when `maxUrlsToProcess` was reached. */
          urlsLeftOut?: number;
          /** Pages that were read in a browser, for agents that need one only where scripts change links. */
          urlsRendered?: number;
          /** Number of findings that no person has rejected or resolved. */
          open?: number;
          /** Number of findings that a person has rejected or resolved. */
          decided?: number;
          /** Number of findings that the previous run did not have. */
          new?: number;
          /** Number of findings of the previous run that are gone. */
          fixed?: number;
          severityCounts?: Record<string, number>;
          /** Number of findings that are not reported because reviewers keep rejecting similar ones. */
          heldBack?: number;
          summary?: string | null;
          [key: string]: unknown;
        };
        /** Progress of a running execution. */
        progress?: {
          urlsPlanned: number;
          urlsProcessed: number;
          findings: number;
        };
        /** What the findings come from, the gravest first, once the run has ended. agents/execution/causes returns those after the first. */
        causes?: {
          title: string;
          description: string;
          severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
          /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
          issueType: string;
          /** Suggested fix. */
          suggestion: string;
          confidence: number;
          /** The address that the finding is about, such as that of a broken link. */
          url?: string;
          /** What a person decided about it earlier. Rejected and resolved findings are not open. */
          decision?: 'accepted' | 'rejected' | 'resolved';
          /** The person who decided; `system` for an API key that named no user. */
          decidedBy?: {
            userId: string;
            name: string;
          };
          /** The reason that the person gave. */
          reason?: string;
          id: string;
          /** Number of places, that is, of findings. */
          places: number;
          /** Number of pages with such a place. */
          pages: number;
          /** Number of places that no person has rejected or resolved. */
          openPlaces: number;
          /** Number of places that the previous run did not have. */
          newPlaces: number;
          /** Number of places of the previous run that are gone. */
          fixedPlaces: number;
          /** `new` if all places are. Absent if there was no previous run. */
          comparison?: 'new' | 'still_there';
          /** The id of its annotation. */
          commentId?: string;
          /** The first places; agents/execution/findings returns all of them. */
          examples: {
            /** `finding-1` and so on, numbered within a page. */
            id: string;
            /** URL of the page. */
            sourceUrl: string;
            /** The text that the finding is about; empty if it is not about text. */
            targetText?: string;
            /** Number of the occurrence of targetText on the page, from 1. */
            occurrence?: number;
            /** CSS selector of the element; empty if there is none. */
            htmlSelector?: string;
            htmlSnippet?: string;
            /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
            position?: {
              x: number;
              y: number;
              width: number;
              height: number;
            };
            /** Whether the previous run found it on this page too; absent if there was no previous run. */
            comparison?: 'new' | 'still_there';
            /** What a person decided about it earlier. Rejected and resolved findings are not open. */
            decision?: 'accepted' | 'rejected' | 'resolved';
            /** The id of the annotation that this or an earlier run created for the finding. */
            commentId?: string;
          }[];
        }[];
        /** Number of causes. */
        causesTotal?: number;
        /** Comparison with the previous run; absent if there was none. */
        comparison?: {
          /** The run that this run is compared with. */
          previousExecutionId: string;
          /** Number of findings that the previous run did not have. */
          new: number;
          /** Number of findings that the previous run had too. */
          stillThere: number;
          /** Number of findings of the previous run that are gone, on pages that both runs reviewed. */
          fixed: number;
          /** Up to 50 of the fixed findings. */
          fixedFindings: {
            title: string;
            issueType: string;
            severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
            sourceUrl: string;
            url?: string;
          }[];
        };
        crawlerResults?: Record<string, unknown>;
        /** Output of the agent's response adapter. */
        response?: Record<string, unknown>;
        llmModel?: string;
        tokenUsage: {
          promptTokens: number;
          completionTokens: number;
          /** Completion tokens that the model used for thinking. */
          thoughtsTokens: number;
          totalTokens: number;
          /** Number of requests that a model answered. */
          requestCount: number;
        };
      };
    };
  };
  '/v2/agents/execution/events': {
    data: {
      /** Id of one run of an agent. */
      executionId: string;
      /** `next` of the previous response. Defaults to the beginning. */
      after?: string | null;
      /** Maximum time to wait for new events, in milliseconds. */
      waitMs?: number;
      limit?: number;
    };
    result: {
      events: {
        /** Epoch milliseconds. */
        at: number;
        level: 'info' | 'warn' | 'error';
        kind: 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';
        message: string;
        data: Record<string, unknown>;
        id: string;
      }[];
      /** Position to continue from; null if nothing has been returned yet. */
      next: string | null;
      /** True if the run has ended and all its events have been returned. */
      done: boolean;
    };
    item: NonNullable<Operations['/v2/agents/execution/events']['result']['events']>[number];
  };
  '/v2/agents/analytics/get': {
    data: {
      /** Defaults to all agents together. */
      agentId?: string;
      /** Limits `yearly` to this year and includes its months. */
      year?: string;
      /** Limits `monthly` to this month of the year. */
      month?: string;
      /** Limits `byModel` to this model, as `provider/model`. */
      model?: string;
    };
    result: {
      analytics: {
        tokenUsage: {
          allTime: {
            /** Number of requests that models answered. */
            requestCount: number;
            promptTokens: number;
            completionTokens: number;
            /** Completion tokens that models used for thinking. */
            thoughtsTokens: number;
            totalTokens: number;
          };
          /** Keyed by year. */
          yearly: Record<string, Record<string, {
            /** Number of requests that models answered. */
            requestCount: number;
            promptTokens: number;
            completionTokens: number;
            /** Completion tokens that models used for thinking. */
            thoughtsTokens: number;
            totalTokens: number;
          }>>;
          /** Keyed by month, from `01` to `12`. Present if a year is sent. */
          monthly?: Record<string, Record<string, {
            /** Number of requests that models answered. */
            requestCount: number;
            promptTokens: number;
            completionTokens: number;
            /** Completion tokens that models used for thinking. */
            thoughtsTokens: number;
            totalTokens: number;
          }>>;
          /** Keyed by model: `provider_model` with every dot and slash replaced by `_`. */
          byModel: Record<string, {
            /** Number of requests that models answered. */
            requestCount: number;
            promptTokens: number;
            completionTokens: number;
            /** Completion tokens that models used for thinking. */
            thoughtsTokens: number;
            totalTokens: number;
          }>;
        };
        /** Keyed by agent id. */
        executionCounts: Record<string, {
          executionCount: number;
          /** Epoch milliseconds; null if the agent never ran. */
          lastExecutedAt: number | null;
        }>;
      };
    };
  };
  '/v2/agents/config/resolve': {
    data: {
      instructions: string;
      rawInstructions?: string;
      provider?: 'claude' | 'openai' | 'gemini';
    };
    result: {
      resolvedConfig: {
        /** Value for `contextGathering.strategies`. */
        extraction_strategies: string[];
        execution_strategy: 'ai' | 'service' | 'service+ai' | 'stagehand-agent';
        /** Value for `execution.serviceId`, if a service fits. */
        service_id?: string;
        reasoning: string;
        /** Value for `contextGathering.strategyOptions`. */
        strategy_options?: {
          'computed-styles': {
            selectors: string[];
            properties?: string[];
          };
        };
      };
    };
  };
  '/v2/agents/prompt/enhance': {
    data: {
      prompt: string;
      provider?: 'claude' | 'openai' | 'gemini';
      userContextFields?: {
        id: string;
        title: string;
        type: 'string' | 'number' | 'boolean';
        example?: string;
        defaultValue?: string | number | boolean;
        [key: string]: unknown;
      }[];
    };
    result: {
      enhancedPrompt: {
        /** Question about the most important gap in the prompt. */
        requirement: string;
        /** Why the question matters. */
        context: string;
        /** Suggested answers. */
        suggestion: string[];
        suggestion_type: 'boolean' | 'single-select' | 'multi-select' | 'info';
      } | {
        /** Null: nothing is missing. */
        requirement: null;
      };
    };
  };
  '/v2/agents/prompt/validate': {
    data: {
      prompt: string;
      provider?: 'claude' | 'openai' | 'gemini';
      userContextFields?: {
        id: string;
        title: string;
        type: 'string' | 'number' | 'boolean';
        example?: string;
        defaultValue?: string | number | boolean;
        [key: string]: unknown;
      }[];
    };
    result: {
      validationResult: {
        /** The structured prompt as Markdown: Objective, Scope, Detection Logic, Output Format. */
        analysis_prompt: string;
        /** `TOOL_TEXT_EXTRACTOR` if the visible text of a page is needed. */
        requires_tool: 'TOOL_TEXT_EXTRACTOR' | 'NONE';
        /** Value for `execution.responseDescriptions`. */
        response_descriptions: Record<string, string>;
        demos: {
          /** Aspects in which the cases differ. */
          detection_dimensions: string[];
          cases: {
            id: string;
            title: string;
            /** How plain the case is, such as `obvious_match`, `subtle_match`, `obvious_non_match`. */
            tier: string;
            /** Which of the dimensions it tries. */
            dimension_tested: string;
            /** A page, or a piece of one. */
            html: string;
            /** `detected` or `not_detected`. */
            expected: string;
            reason: string;
          }[];
        };
        /** Inputs that a run should require. */
        suggested_required_inputs: {
          name: string;
          description: string;
          example: string;
          reason: string;
        }[];
      };
    };
  };
  '/v2/agents/prompt/refine': {
    data: {
      analysisPrompt: string;
      demoFeedback: {
        /** As returned by agents/prompt/validate. */
        demoId: string;
        demoTitle: string;
        demoHtml: string;
        demoExpected: string;
        feedback: string;
      }[];
      provider?: 'claude' | 'openai' | 'gemini';
    };
    result: {
      refinerResult: {
        analysis_prompt: string;
        /** Value for `execution.responseDescriptions`. */
        response_descriptions: Record<string, string>;
      };
    };
  };
  '/v2/organizations/add': {
    data: {
      /** Additional fields of each entry are stored as metadata. */
      organizations: {
        /** Organization id, assigned by the caller. */
        organizationId: string;
        /** Defaults to the organizationId. */
        organizationName?: string;
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/get': {
    data: {
      /** Returns only the entries with these ids. */
      organizationIds?: string[];
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      id: string;
      organizationName: string;
      disabled: boolean;
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/organizations/get']['result'][number]>;
  };
  '/v2/organizations/update': {
    data: {
      /** Additional fields of each entry are stored as metadata. */
      organizations: {
        /** Organization id, assigned by the caller. */
        organizationId: string;
        /** Defaults to the organizationId. */
        organizationName?: string;
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/delete': {
    data: {
      organizationIds: string[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/access/disablestate/update': {
    data: {
      organizationIds: string[];
      disabled: boolean;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/folders/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Creates the organization if it does not exist. */
      createOrganization?: boolean;
      /** Folders in any order. Additional fields of each entry are stored as metadata. */
      folders: {
        /** Folder id within the organization, assigned by the caller. */
        folderId: string;
        /** Defaults to the folderId. */
        folderName?: string;
        /** Parent folder; `root` is the top level. */
        parentFolderId?: string;
        /** Defaults to the access type of the parent folder. */
        accessType?: 'public' | 'organizationPrivate' | 'restricted';
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/folders/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only this folder, with its subfolders as `subFolders`. */
      folderId?: string;
      /** Number of levels to return. */
      maxDepth?: number;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: OrganizationsFoldersGetResultSchema0[];
    item: NonNullable<Operations['/v2/organizations/folders/get']['result'][number]>;
  };
  '/v2/organizations/folders/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Folders in any order. Additional fields of each entry are stored as metadata. */
      folders: {
        /** Folder id within the organization, assigned by the caller. */
        folderId: string;
        /** Defaults to the folderId. */
        folderName?: string;
        /** Parent folder; `root` is the top level. */
        parentFolderId?: string;
        /** Defaults to the access type of the parent folder. */
        accessType?: 'public' | 'organizationPrivate' | 'restricted';
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/folders/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Folder id within the organization, assigned by the caller. */
      folderId: string;
    };
    result: null;
  };
  '/v2/organizations/folders/access/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      folderIds: string[];
      /** `public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it. */
      accessType?: 'public' | 'organizationPrivate' | 'restricted';
      /** Inherits the access type of the parent folder. */
      inheritFromParent?: boolean;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
      /** Null if the folder inherits that of its parent. */
      accessType: 'public' | 'organizationPrivate' | 'restricted' | null;
      inheritFromParent?: boolean;
    }>;
  };
  '/v2/organizations/documents/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Additional fields of each entry are stored as metadata. */
      documents: {
        /** Document id within the organization, assigned by the caller. */
        documentId: string;
        documentName?: string;
        /** Defaults to the access type of its folder, then to the API key's `defaultDocumentAccessType`. */
        accessType?: 'public' | 'organizationPrivate' | 'restricted';
        [key: string]: unknown;
      }[];
      /** Folder of the documents. Defaults to none. */
      folderId?: string;
      /** Creates the organization if it does not exist. */
      createOrganization?: boolean;
      /** Creates the folder if it does not exist. */
      createFolder?: boolean;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/documents/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only these documents, in this order. */
      documentIds?: string[];
      /** Returns only documents directly in this folder; `root`: documents without a folder. */
      folderId?: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: ({
      /** The documentId. */
      id: string;
      documentName: string;
      disabled: boolean;
      /** `public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it. */
      accessType: 'public' | 'organizationPrivate' | 'restricted';
      folderId?: string;
      [key: string]: unknown;
    } | {
      id: string;
      success: false;
      message: 'Document does not exist';
      code: 'not-found';
    })[];
    item: NonNullable<Operations['/v2/organizations/documents/get']['result'][number]>;
  };
  '/v2/organizations/documents/count': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only documents directly in this folder; `root`: documents without a folder. */
      folderId?: string;
      /** Counts only documents without a folder. */
      excludeFolderDocs?: boolean;
      /** Counts documents that match all filters. */
      filters?: ({
        /** A built-in field of the document record, or a metadata field. */
        key: string;
        operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'array-contains';
        value: string | number | boolean | null;
      } | {
        /** A built-in field of the document record, or a metadata field. */
        key: string;
        operator: 'in' | 'not-in' | 'array-contains-any';
        value: unknown[];
      })[];
    };
    result: {
      count: number;
      /** Number of filters that were applied. */
      filtersApplied?: number;
    };
  };
  '/v2/organizations/documents/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Additional fields of each entry are stored as metadata. */
      documents: {
        /** Document id within the organization, assigned by the caller. */
        documentId: string;
        documentName?: string;
        /** Defaults to the access type of its folder, then to the API key's `defaultDocumentAccessType`. */
        accessType?: 'public' | 'organizationPrivate' | 'restricted';
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/documents/move': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      documentIds: string[];
      /** Target folder; `root` removes the documents from their folder. */
      folderId: string;
    };
    result: undefined;
  };
  '/v2/organizations/documents/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      documentIds: string[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/documents/access/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      documentIds: string[];
      /** If absent, the documents inherit the access type of their folder, then the API key's default. */
      accessType?: 'public' | 'organizationPrivate' | 'restricted';
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
      /** Null if the document inherits that of its folder or API key. */
      accessType: 'public' | 'organizationPrivate' | 'restricted' | null;
    }>;
  };
  '/v2/organizations/documents/access/disablestate/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      documentIds: string[];
      disabled: boolean;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
      disabled: boolean;
    }>;
  };
  '/v2/organizations/documents/migrate': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Document id within the organization, assigned by the caller. */
      newDocumentId: string;
    };
    result: {
      migrationId: string;
    };
  };
  '/v2/organizations/documents/migrate/status': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      migrationId: string;
    };
    result: {
      migrationId: string;
      status: 'pending' | 'in_progress' | 'completed' | 'failed';
      /** Reason of the failure. */
      error?: string;
    };
  };
  '/v2/organizations/usergroups/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      organizationUserGroups: {
        /** User group id within the organization. */
        groupId: string;
        /** Defaults to the groupId. */
        groupName?: string;
      }[];
      /** Creates it if it does not exist. */
      createOrganization?: boolean;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/usergroups/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only the entries with these ids. */
      organizationUserGroupIds?: string[];
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      organizationUserGroupId: string;
      groupName: string;
      usersCount: number;
      createdAt: number;
      lastUpdated: number;
    }[];
    item: NonNullable<Operations['/v2/organizations/usergroups/get']['result'][number]>;
  };
  '/v2/organizations/usergroups/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      organizationUserGroupIds: string[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/organizations/usergroups/users/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** User group id within the organization. */
      organizationUserGroupId: string;
      userIds: string[];
    };
    result: Record<string, {
      success: boolean;
      organizationUserGroupId: string;
      message: string;
    }>;
  };
  '/v2/organizations/usergroups/users/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** User group id within the organization. */
      organizationUserGroupId: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      /** Role in the requested place; absent if several places are requested. */
      accessRole?: 'viewer' | 'editor';
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/organizations/usergroups/users/get']['result'][number]>;
  };
  '/v2/organizations/usergroups/users/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** User group id within the organization. */
      organizationUserGroupId: string;
      userIds?: string[];
      /** If true, removes all members; userIds is then not needed. */
      deleteAll?: boolean;
    };
    result: Record<string, {
      success: boolean;
      organizationUserGroupId: string;
      message: string;
    }>;
  };
  '/v2/users/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      /** Additional fields of each entry are stored with the user. They grant no permissions. */
      users: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        /** Defaults to the first letter of the user's name. */
        initial?: string;
        /** `viewer` may read; `editor` may also write. Defaults to `editor` for a new user, and to the current role otherwise. */
        accessRole?: 'viewer' | 'editor';
        [key: string]: unknown;
      }[];
      /** Creates it if it does not exist. */
      createOrganization?: boolean;
      /** Creates it if it does not exist. */
      createDocument?: boolean;
      /** Creates it if it does not exist. */
      createFolder?: boolean;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/users/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      /** Returns only the entries with these ids. */
      userIds?: string[];
      /** Returns only members of at least one of these user groups. */
      organizationUserGroupIds?: string[];
      /** If true, returns the users of all documents, ordered by id. */
      allDocuments?: boolean;
      /** With allDocuments: groups the users by document id. */
      groupByDocumentId?: boolean;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: Operations['/v2/users/get']['selected'][1] | Operations['/v2/users/get']['otherwise'][1];
    selected: [{ groupByDocumentId: true }, Record<string, {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      /** Role in the requested place; absent if several places are requested. */
      accessRole?: 'viewer' | 'editor';
      [key: string]: unknown;
    }[]>];
    otherwise: [{ groupByDocumentId?: false | undefined }, {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      /** Role in the requested place; absent if several places are requested. */
      accessRole?: 'viewer' | 'editor';
      [key: string]: unknown;
    }[]];
    item: NonNullable<Operations['/v2/users/get']['otherwise'][1][number]>;
  };
  '/v2/users/count': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      /** Returns only the entries with these ids. */
      userIds?: string[];
      /** Returns only members of at least one of these user groups. */
      organizationUserGroupIds?: string[];
    };
    result: {
      count: number;
    };
  };
  '/v2/users/documents/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only the entries with these ids. */
      userIds?: string[];
      /** With at most 5 userIds: includes the first 1000 documents of each user, ordered by id. */
      includeInvolvedDocuments?: boolean;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      /** Role in the requested place; absent if several places are requested. */
      accessRole?: 'viewer' | 'editor';
      /** Present with includeInvolvedDocuments. */
      involvedDocumentIds?: string[];
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/users/documents/get']['result'][number]>;
  };
  '/v2/users/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      /** Additional fields of each entry are stored with the user. They grant no permissions. */
      users: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        /** Defaults to the first letter of the user's name. */
        initial?: string;
        /** `viewer` may read; `editor` may also write. Defaults to `editor` for a new user, and to the current role otherwise. */
        accessRole?: 'viewer' | 'editor';
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/users/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      userIds: string[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/users/data/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** User id, assigned by the caller. */
      userId: string;
      pageToken?: string | null;
    };
    result: {
      comments: Record<string, unknown>[];
      /** Always empty: reactions are not stored. */
      reactions: Record<string, unknown>[];
      /** Always empty: recordings are not stored. */
      recordings: Record<string, unknown>[];
      notifications: Record<string, unknown>[];
    };
    item: Operations['/v2/users/data/get']['result'];
  };
  '/v2/users/data/delete': {
    data: {
      userIds: string[];
      /** Erases only in these organizations, which is faster. Defaults to all. */
      organizationIds?: string[];
    };
    result: {
      status: 'success';
      message: string;
      data: {
        jobId: string;
        /** Number of parts of the work. */
        tasksCount: number;
      };
      statusCode: 202;
    };
  };
  '/v2/users/data/delete/status': {
    data: {
      jobId: string;
    };
    result: {
      isDeleteCompleted: boolean;
      tasksLeft: number;
      /** Epoch milliseconds; null before the first task is completed. */
      lastTaskCompletedTime: number | null;
    };
  };
  '/v2/activities/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      activities: {
        /** Generated by default. An existing activity with this id is overwritten. */
        id?: string;
        featureType: 'comment' | 'reaction' | 'recorder' | 'crdt' | 'custom';
        /** Type of the action, such as `comment.add`. */
        actionType: string;
        /** User who did it. */
        actionUser: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Required for custom activities. */
        targetEntityId?: string;
        /** Part of the target, such as a comment. */
        targetSubEntityId?: string;
        /** Old and new values by field. */
        changes?: Record<string, {
          from?: unknown;
          to?: unknown;
        }>;
        entityData?: Record<string, unknown>;
        entityTargetData?: Record<string, unknown>;
        /** May contain variables as `{{name}}`. */
        displayMessageTemplate?: string;
        /** Values of the variables. */
        displayMessageTemplateData?: Record<string, unknown>;
        actionIcon?: string;
        /** True if the caller stores the content and clients fetch it from there. */
        isActivityResolverUsed?: boolean;
      }[];
    };
    result: {
      success: boolean;
      message: string;
    };
  };
  '/v2/activities/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only activities on this document. */
      documentId?: string;
      /** Target of the action, such as an annotation. */
      targetEntityId?: string;
      featureTypes?: ('comment' | 'reaction' | 'recorder' | 'crdt' | 'custom')[];
      actionTypes?: string[];
      /** Returns only activities of this user. */
      userId?: string;
      activityIds?: string[];
      /** Order by time. */
      order?: 'asc' | 'desc';
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      id: string;
      featureType: string;
      actionType: string;
      actionUser: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      targetEntityId?: string;
      /** Part of the target, such as a comment. */
      targetSubEntityId?: string;
      /** Old and new values by field. */
      changes?: Record<string, {
        from?: unknown;
        to?: unknown;
      }>;
      entityData?: Record<string, unknown>;
      entityTargetData?: Record<string, unknown>;
      /** May contain variables as `{{name}}`. */
      displayMessageTemplate?: string;
      /** Values of the variables. */
      displayMessageTemplateData?: Record<string, unknown>;
      actionIcon?: string;
      /** True if the caller stores the content and clients fetch it from there. */
      isActivityResolverUsed?: boolean;
      metadata: {
        apiKey: string;
        organizationId: string;
        documentId?: string;
      };
      /** True if the activity cannot be changed. */
      immutable: boolean;
      /** Epoch milliseconds. */
      timestamp: number;
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/activities/get']['result'][number]>;
  };
  '/v2/activities/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Fields that are not sent keep their values. */
      activities: {
        /** Activity id, assigned by the caller. */
        id: string;
        featureType?: 'comment' | 'reaction' | 'recorder' | 'crdt' | 'custom';
        /** Type of the action, such as `comment.add`. */
        actionType?: string;
        /** User who did it. */
        actionUser?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Target of the action, such as an annotation. */
        targetEntityId?: string;
        /** Part of the target, such as a comment. */
        targetSubEntityId?: string;
        /** Old and new values by field. */
        changes?: Record<string, {
          from?: unknown;
          to?: unknown;
        }>;
        entityData?: Record<string, unknown>;
        entityTargetData?: Record<string, unknown>;
        /** May contain variables as `{{name}}`. */
        displayMessageTemplate?: string;
        /** Values of the variables. */
        displayMessageTemplateData?: Record<string, unknown>;
        actionIcon?: string;
        /** True if the caller stores the content and clients fetch it from there. */
        isActivityResolverUsed?: boolean;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/activities/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId?: string;
      activityIds?: string[];
      /** Target of the action, such as an annotation. */
      targetEntityId?: string;
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/presence/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Additional fields of each entry are stored. */
      users: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        /** Defaults to `online` for a new entry, and to the current status otherwise. */
        status?: 'online' | 'away' | 'offline';
        [key: string]: unknown;
      }[];
    };
    result: {
      success: true;
    };
  };
  '/v2/presence/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      userId: string;
      name?: string;
      email?: string;
      status: 'online' | 'away' | 'offline';
      /** Epoch milliseconds. */
      lastUpdated: number;
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/presence/get']['result'][number]>;
  };
  '/v2/presence/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Additional fields of each entry are stored. */
      users: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        /** Defaults to `online` for a new entry, and to the current status otherwise. */
        status?: 'online' | 'away' | 'offline';
        [key: string]: unknown;
      }[];
    };
    result: {
      success: true;
    };
  };
  '/v2/presence/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      userIds: string[];
    };
    result: {
      success: true;
    };
  };
  '/v2/livestate/broadcast': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Live state id within the document, assigned by the caller. */
      liveStateDataId: string;
      /** At most 65,536 bytes as JSON, after merging. */
      data: Record<string, unknown>;
      /** If true, merges the data deeply into the state instead of replacing it. */
      merge?: boolean;
    };
    result: {
      success: true;
    };
  };
  '/v2/livestate/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Returns only the entries with these ids. */
      liveStateDataIds?: string[];
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      liveStateDataId: string;
      data: Record<string, unknown>;
      /** Epoch milliseconds. */
      lastUpdated: number;
    }[];
    item: NonNullable<Operations['/v2/livestate/get']['result'][number]>;
  };
  '/v2/crdt/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      /** Type of the content: `text`, `map` and `array` as in JSON, `xml` as in rich-text editors. */
      type: 'text' | 'map' | 'array' | 'xml';
      /** A string for `text` and `xml`, an object for `map`, a list for `array`. */
      data: string | Record<string, unknown> | unknown[];
      /** Name under which the editor stores its content; TipTap editors use `default`. */
      contentKey?: string;
    };
    result: undefined;
  };
  '/v2/crdt/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      /** Type of the content: `text`, `map` and `array` as in JSON, `xml` as in rich-text editors. */
      type: 'text' | 'map' | 'array' | 'xml';
      /** A string for `text` and `xml`, an object for `map`, a list for `array`. */
      data: string | Record<string, unknown> | unknown[];
      /** Name under which the editor stores its content; TipTap editors use `default`. */
      contentKey?: string;
    };
    result: undefined;
  };
  '/v2/crdt/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Returns only this editor. Defaults to all editors of the document. */
      editorId?: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      /** The editorId. */
      id: string;
      /** A string, an object or a list, depending on the type. If live clients created the editor, the type is inferred from its content. */
      data: unknown;
      lastUpdate: string;
      /** A userId; null if a backend wrote last. */
      lastUpdatedBy: string | null;
      /** Id of the connection that wrote last. */
      sessionId: string | null;
    }[];
    item: NonNullable<Operations['/v2/crdt/get']['result'][number]>;
  };
  '/v2/crdt/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Defaults to all editors of the document. */
      editorIds?: string[];
    };
    result: undefined;
  };
  '/v2/crdt/snapshots/create': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      name?: string;
      /** Author of the snapshot, shown in the list of snapshots. */
      createdBy?: string;
    };
    result: {
      snapshotId: string;
      name: string;
      /** Epoch milliseconds. */
      createdAt: number;
      createdBy: string | null;
      /** Size of the stored content. */
      bytes: number;
    };
  };
  '/v2/crdt/snapshots/list': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      snapshotId: string;
      name: string;
      /** Epoch milliseconds. */
      createdAt: number;
      createdBy: string | null;
      /** Size of the stored content. */
      bytes: number;
    }[];
    item: NonNullable<Operations['/v2/crdt/snapshots/list']['result'][number]>;
  };
  '/v2/crdt/snapshots/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      /** Snapshot id, as returned by its creation. */
      snapshotId: string;
    };
    result: {
      snapshotId: string;
      name: string;
      /** Epoch milliseconds. */
      createdAt: number;
      createdBy: string | null;
      /** Size of the stored content. */
      bytes: number;
      id: string;
      /** A string, an object or a list, depending on the type. If live clients created the editor, the type is inferred from its content. */
      data: unknown;
    };
  };
  '/v2/crdt/snapshots/restore': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      /** Snapshot id, as returned by its creation. */
      snapshotId: string;
    };
    result: undefined;
  };
  '/v2/crdt/snapshots/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Editor id within the document, assigned by the caller. */
      editorId: string;
      /** Snapshot id, as returned by its creation. */
      snapshotId: string;
    };
    result: undefined;
  };
  '/v2/commentannotations/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Creates the organization if it does not exist. */
      createOrganization?: boolean;
      /** Creates the document if it does not exist. */
      createDocument?: boolean;
      /** Rejects authors whose stored grants do not allow them to write on the document. */
      verifyUserPermissions?: boolean;
      /** Additional fields of each entry are stored with the annotation. */
      commentAnnotations: {
        /** Generated by default. */
        annotationId?: unknown & unknown;
        /** Location within the document, assigned by the caller. */
        location?: {
          id: string;
          locationName?: string;
          [key: string]: unknown;
        };
        /** The text or element that the annotation is about. */
        targetElement?: {
          elementId?: string;
          targetText?: string;
          occurrence?: number;
          selectAllContent?: boolean;
          [key: string]: unknown;
        };
        /** `OPEN`, `IN_PROGRESS` and `RESOLVED` need only an id; any other status also needs a name, type and colors. */
        status?: {
          id: string;
          name?: string;
          /** `terminal` resolves the annotation. */
          type?: 'default' | 'ongoing' | 'terminal';
          color?: string;
          lightColor?: string;
          /** SVG icon. Only its shapes are stored. */
          svg?: string;
          iconUrl?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Arbitrary data of the caller, returned unchanged. */
        context?: {
          /** Only users who have a matching value in one of these fields see the annotation. */
          access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
          [key: string]: unknown;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        /** For example `P0`. */
        priority?: {
          id: string;
          name: string;
          color?: string;
          lightColor?: string;
          [key: string]: unknown;
        };
        /** Defaults to `comment`. */
        type?: 'comment' | 'suggestion';
        /** The proposed change. A new suggestion is always pending. */
        suggestion?: {
          targetId?: string;
          targetType?: string;
          oldValue?: unknown;
          newValue?: unknown;
          summary?: string;
          driftDetected?: boolean;
          [key: string]: unknown;
        };
        commentType?: 'manual' | 'chart' | 'suggestion';
        /** Who may see the annotation besides its author: all readers of the document, organizations, or certain users. */
        visibility?: {
          type: 'public';
        } | {
          type: 'organizationPrivate';
          /** Defaults to the document's organization. */
          organizationId?: string;
          organizationIds?: string[];
        } | {
          type: 'restricted';
          userIds: string[];
        };
        /** Same as `visibility`, under its name in records. */
        visibilityConfig?: {
          type: 'public';
        } | {
          type: 'organizationPrivate';
          /** Defaults to the document's organization. */
          organizationId?: string;
          organizationIds?: string[];
        } | {
          type: 'restricted';
          userIds: string[];
        };
        /** The web page of the annotation. */
        pageInfo?: {
          url?: string | null;
          baseUrl?: string | null;
          commentUrl?: string | null;
          [key: string]: unknown;
        };
        isPageAnnotation?: boolean;
        positionX?: number | null;
        positionY?: number | null;
        screenWidth?: number | null;
        screenHeight?: number | null;
        screenScrollHeight?: number | null;
        screenScrollTop?: number | null;
        metadata?: Record<string, unknown>;
        /** The author of the first comment is the author of the annotation. */
        commentData: {
          /** Plain text. `{{userId}}` stands for a mentioned user. */
          commentText?: string;
          /** The comment as HTML. Scripts and anything that loads resources are removed before it is stored. */
          commentHtml?: string;
          replaceContentText?: string;
          replaceContentHtml?: string;
          /** Arbitrary data of the caller, returned unchanged. */
          context?: Record<string, unknown>;
          /** True if the text is stored elsewhere, and clients fetch it from there. */
          isCommentResolverUsed?: boolean;
          /** False for a comment with attachments only. Defaults to whether there is a text. */
          isCommentTextAvailable?: boolean;
          attachments?: {
            attachmentId: number;
            name?: string;
            bucketPath?: string;
            /** In bytes. */
            size?: number;
            /** For example `image`, `video`, `document`. */
            type?: string;
            url?: string;
            thumbnail?: string;
            thumbnailWithPlayIconUrl?: string;
            mimeType?: string;
            metadata?: Record<string, unknown>;
            [key: string]: unknown;
          }[];
          /** Notifies other users. Always true for requests with a user token. */
          triggerNotification?: boolean;
          /** Generated by default. */
          commentId?: number;
          type?: 'text' | 'voice';
          /** The author. Required unless the caller is a user or `agent` is sent. */
          from?: {
            /** User id, assigned by the caller. */
            userId: string;
            name?: string;
            email?: string;
            [key: string]: unknown;
          };
          /** Epoch milliseconds or ISO 8601. Defaults to now. */
          createdAt?: number | string;
          /** Epoch milliseconds or ISO 8601. Defaults to `createdAt`, then to now. */
          lastUpdated?: number | string;
          /** The mentioned users. */
          taggedUserContacts?: {
            /** User id, assigned by the caller. */
            userId: string;
            contact: {
              /** User id, assigned by the caller. */
              userId: string;
              name?: string;
              email?: string;
              [key: string]: unknown;
            };
            text?: string;
            [key: string]: unknown;
          }[];
          agent?: {
            /** `platform`: an agent of this service; `external`: any other agent. */
            agentSource: 'platform' | 'external';
            /** Required for an agent of this service. */
            agentId?: string;
            /** Id of one run of an agent. */
            executionId?: string;
            /** Required for an external agent. */
            agentName?: string;
            /** URL of the page that the comment is about. */
            url?: string;
            reason: {
              title: string;
              description: string;
              severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
              findingId?: string;
              findingType?: 'text' | 'pin' | 'page';
              issueType?: string;
              confidence?: number;
              suggestion?: string;
              suggestedFix?: string;
              /** Scripts and anything that loads resources are stored as text. */
              htmlSnippet?: string;
              htmlSelector?: string;
              source?: 'instructions' | 'knowledge';
              knowledgeSection?: string;
              [key: string]: unknown;
            };
          };
          /** Adds an entry to the activity log. Always true for requests with a user token. */
          triggerActivities?: boolean;
        }[];
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      success: boolean;
      /** Absent if the annotation was rejected before it got an id. */
      annotationId?: string;
      commentIds?: number[];
      message: string;
      /** Machine-readable error code: `already-exists`, `permission-denied`. */
      code?: string;
      /** Copied from the agent's reason. */
      findingId?: string;
    }>;
  };
  '/v2/commentannotations/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId?: string;
      /** Alternative to documentId. Without either, annotations on all documents are returned. */
      documentIds?: string[];
      /** Returns only annotations on documents in this folder. */
      folderId?: string;
      /** Returns these entries in this order, with `null` for those that do not exist. */
      annotationIds?: string[];
      locationIds?: (string | number)[];
      /** Ids of the annotations' authors. */
      userIds?: string[];
      mentionedUserIds?: string[];
      /** User id, assigned by the caller. */
      resolvedBy?: string;
      statusIds?: string[];
      /** Agent id; built-in agents have readable ids. */
      agentId?: string;
      /** Id of one run of an agent. */
      executionId?: string;
      agentType?: 'built-in' | 'custom' | 'external';
      agentSource?: 'platform' | 'external';
      agentSuggestions?: true;
      agentComments?: true;
      /** Epoch milliseconds. */
      updatedAfter?: number;
      /** Epoch milliseconds. */
      updatedBefore?: number;
      /** Epoch milliseconds. */
      createdAfter?: number;
      /** Epoch milliseconds. */
      createdBefore?: number;
      /** Order by last update. */
      order?: 'asc' | 'desc';
      /** Groups the annotations by documentId. */
      groupByDocumentId?: boolean;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: Operations['/v2/commentannotations/get']['selected'][1] | Operations['/v2/commentannotations/get']['otherwise'][1];
    selected: [{ groupByDocumentId: true }, Record<string, {
      annotationId: string;
      /** Sequential number within the document. Numbers are never reused. */
      annotationNumber: number;
      /** `comment` or `suggestion`. */
      type?: string;
      /** `agent` if an agent created it. */
      sourceType?: string;
      from?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** `id`, `name`, `type` (default, ongoing, terminal), `color`, `lightColor`. */
      status?: Record<string, unknown>;
      /** `status` is `pending`, `accepted` or `rejected`. */
      suggestion?: Record<string, unknown>;
      /** The agent that created it, with the page and the reason. */
      agent?: Record<string, unknown>;
      visibilityConfig?: Record<string, unknown>;
      /** Ids of its API key, organization and document. */
      metadata?: Record<string, unknown>;
      pageInfo?: Record<string, unknown>;
      /** The text that the annotation is about. */
      targetElement?: Record<string, unknown>;
      /** Oldest first. */
      comments: {
        commentId: number;
        /** `text` or `voice`. */
        type?: string;
        /** `added` or `updated`. */
        status?: string;
        /** `agent` if an agent wrote it. */
        sourceType?: string;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The mentioned users. */
        to?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        }[];
        /** Epoch milliseconds. */
        createdAt: number;
        /** ISO 8601. */
        lastUpdated: string;
        [key: string]: unknown;
      }[];
      /** Epoch milliseconds. */
      createdAt: number;
      /** Epoch milliseconds. */
      lastUpdated: number;
      [key: string]: unknown;
    }[]>];
    otherwise: [{ groupByDocumentId?: false | undefined }, ({
      annotationId: string;
      /** Sequential number within the document. Numbers are never reused. */
      annotationNumber: number;
      /** `comment` or `suggestion`. */
      type?: string;
      /** `agent` if an agent created it. */
      sourceType?: string;
      from?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** `id`, `name`, `type` (default, ongoing, terminal), `color`, `lightColor`. */
      status?: Record<string, unknown>;
      /** `status` is `pending`, `accepted` or `rejected`. */
      suggestion?: Record<string, unknown>;
      /** The agent that created it, with the page and the reason. */
      agent?: Record<string, unknown>;
      visibilityConfig?: Record<string, unknown>;
      /** Ids of its API key, organization and document. */
      metadata?: Record<string, unknown>;
      pageInfo?: Record<string, unknown>;
      /** The text that the annotation is about. */
      targetElement?: Record<string, unknown>;
      /** Oldest first. */
      comments: {
        commentId: number;
        /** `text` or `voice`. */
        type?: string;
        /** `added` or `updated`. */
        status?: string;
        /** `agent` if an agent wrote it. */
        sourceType?: string;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The mentioned users. */
        to?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        }[];
        /** Epoch milliseconds. */
        createdAt: number;
        /** ISO 8601. */
        lastUpdated: string;
        [key: string]: unknown;
      }[];
      /** Epoch milliseconds. */
      createdAt: number;
      /** Epoch milliseconds. */
      lastUpdated: number;
      [key: string]: unknown;
    } | null)[]];
    item: NonNullable<Operations['/v2/commentannotations/get']['otherwise'][1][number]>;
  };
  '/v2/commentannotations/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      annotationIds?: string[];
      locationIds?: (string | number)[];
      /** Ids of the annotations' authors. */
      userIds?: string[];
      /** Additional fields are stored with the annotations. */
      updatedData?: {
        location?: {
          id: string;
          locationName?: string;
          [key: string]: unknown;
        } | null;
        targetElement?: {
          elementId?: string;
          targetText?: string;
          occurrence?: number;
          selectAllContent?: boolean;
          [key: string]: unknown;
        } | null;
        /** The new author. */
        from?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** `OPEN`, `IN_PROGRESS` and `RESOLVED` need only an id; any other status also needs a name and type. */
        status?: {
          id: string;
          name?: string;
          /** `terminal` resolves the annotation. */
          type?: 'default' | 'ongoing' | 'terminal';
          color?: string;
          lightColor?: string;
          /** SVG icon. Only its shapes are stored. */
          svg?: string;
          iconUrl?: string;
          [key: string]: unknown;
        };
        statusUpdatedByUserId?: string | null;
        /** Applies only to a terminal status; any other status clears it. */
        resolvedByUserId?: string | null;
        assignedTo?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        } | null;
        context?: {
          /** Only users who have a matching value in one of these fields see the annotation. */
          access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
          [key: string]: unknown;
        } | null;
        priority?: {
          id: string;
          name: string;
          color?: string;
          lightColor?: string;
          [key: string]: unknown;
        } | null;
        /** Replaces the whole suggestion. A decision is final. */
        suggestion?: {
          targetId?: string;
          targetType?: string;
          oldValue?: unknown;
          newValue?: unknown;
          summary?: string;
          driftDetected?: boolean;
          status?: 'pending' | 'accepted' | 'rejected';
          rejectReason?: string;
          resolvedBy?: string | {
            /** User id, assigned by the caller. */
            userId: string;
            name?: string;
            email?: string;
            [key: string]: unknown;
          };
          /** Epoch milliseconds. */
          resolvedAt?: number;
          [key: string]: unknown;
        };
        /** Who may see the annotation besides its author: all readers of the document, organizations, or certain users. */
        visibility?: {
          type: 'public';
        } | {
          type: 'organizationPrivate';
          /** Defaults to the document's organization. */
          organizationId?: string;
          organizationIds?: string[];
        } | {
          type: 'restricted';
          userIds: string[];
        };
        /** Same as `visibility`, under its name in records. */
        visibilityConfig?: {
          type: 'public';
        } | {
          type: 'organizationPrivate';
          /** Defaults to the document's organization. */
          organizationId?: string;
          organizationIds?: string[];
        } | {
          type: 'restricted';
          userIds: string[];
        };
        /** The web page of the annotation. */
        pageInfo?: {
          url?: string | null;
          baseUrl?: string | null;
          commentUrl?: string | null;
          [key: string]: unknown;
        };
        isPageAnnotation?: boolean;
        positionX?: number | null;
        positionY?: number | null;
        screenWidth?: number | null;
        screenHeight?: number | null;
        screenScrollHeight?: number | null;
        screenScrollTop?: number | null;
        metadata?: Record<string, unknown>;
        /** Marks the annotations as read for these users. */
        viewedByUserIds?: string[];
        /** Marks the annotations as unread for these users. */
        unviewedByUserIds?: string[];
        [key: string]: unknown;
      };
      /** Replaces each old user, as author and in all other roles, with the new user. */
      updateUsers?: {
        oldUser: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        newUser: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/commentannotations/delete': {
    data: {
      /** Omit it for documents that were created without an organization. */
      organizationId?: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      annotationIds?: string[];
      locationIds?: (string | number)[];
      /** Ids of the annotations' authors. */
      userIds?: string[];
      /** Agent id; built-in agents have readable ids. */
      agentId?: string;
      /** Deletes only suggestions of agents. */
      agentSuggestions?: boolean;
      /** Deletes only annotations that agents created on these pages. URL fragments are ignored. */
      agentUrls?: string[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v2/commentannotations/count/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      documentIds: string[];
      /** User whose annotations are counted. Required unless the caller is a user. */
      userId?: string;
      statusIds?: string[];
    };
    result: Record<string, {
      total: number;
      unread: number;
    }>;
  };
  '/v2/commentannotations/comments/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Comment annotation id. */
      annotationId: string;
      commentData: {
        /** Plain text. `{{userId}}` stands for a mentioned user. */
        commentText?: string;
        /** The comment as HTML. Scripts and anything that loads resources are removed before it is stored. */
        commentHtml?: string;
        replaceContentText?: string;
        replaceContentHtml?: string;
        /** Arbitrary data of the caller, returned unchanged. */
        context?: Record<string, unknown>;
        /** True if the text is stored elsewhere, and clients fetch it from there. */
        isCommentResolverUsed?: boolean;
        /** False for a comment with attachments only. Defaults to whether there is a text. */
        isCommentTextAvailable?: boolean;
        attachments?: {
          attachmentId: number;
          name?: string;
          bucketPath?: string;
          /** In bytes. */
          size?: number;
          /** For example `image`, `video`, `document`. */
          type?: string;
          url?: string;
          thumbnail?: string;
          thumbnailWithPlayIconUrl?: string;
          mimeType?: string;
          metadata?: Record<string, unknown>;
          [key: string]: unknown;
        }[];
        /** Notifies other users. Always true for requests with a user token. */
        triggerNotification?: boolean;
        /** Generated by default. */
        commentId?: number;
        type?: 'text' | 'voice';
        /** The author. Required unless the caller is a user or `agent` is sent. */
        from?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Epoch milliseconds or ISO 8601. Defaults to now. */
        createdAt?: number | string;
        /** Epoch milliseconds or ISO 8601. Defaults to `createdAt`, then to now. */
        lastUpdated?: number | string;
        /** The mentioned users. */
        taggedUserContacts?: {
          /** User id, assigned by the caller. */
          userId: string;
          contact: {
            /** User id, assigned by the caller. */
            userId: string;
            name?: string;
            email?: string;
            [key: string]: unknown;
          };
          text?: string;
          [key: string]: unknown;
        }[];
        agent?: {
          /** `platform`: an agent of this service; `external`: any other agent. */
          agentSource: 'platform' | 'external';
          /** Required for an agent of this service. */
          agentId?: string;
          /** Id of one run of an agent. */
          executionId?: string;
          /** Required for an external agent. */
          agentName?: string;
          /** URL of the page that the comment is about. */
          url?: string;
          reason: {
            title: string;
            description: string;
            severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
            findingId?: string;
            findingType?: 'text' | 'pin' | 'page';
            issueType?: string;
            confidence?: number;
            suggestion?: string;
            suggestedFix?: string;
            /** Scripts and anything that loads resources are stored as text. */
            htmlSnippet?: string;
            htmlSelector?: string;
            source?: 'instructions' | 'knowledge';
            knowledgeSection?: string;
            [key: string]: unknown;
          };
        };
        /** Adds an entry to the activity log. Always true for requests with a user token. */
        triggerActivities?: boolean;
      }[];
      /** Rejects comments of authors who may not write on the document. */
      verifyUserPermissions?: boolean;
      /** Accepted without effect: the annotation must exist. */
      createOrganization?: boolean;
      /** Accepted without effect: the annotation must exist. */
      createDocument?: boolean;
    };
    result: number[];
  };
  '/v2/commentannotations/comments/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Comment annotation id. */
      annotationId: string;
      /** Returns these entries in this order, with `null` for those that do not exist. */
      commentIds?: number[];
      /** Returns only comments of these authors. */
      userIds?: string[];
    };
    result: ({
      commentId: number;
      /** `text` or `voice`. */
      type?: string;
      /** `added` or `updated`. */
      status?: string;
      /** `agent` if an agent wrote it. */
      sourceType?: string;
      commentText?: string;
      commentHtml?: string;
      from?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The mentioned users. */
      to?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      }[];
      /** Epoch milliseconds. */
      createdAt: number;
      /** ISO 8601. */
      lastUpdated: string;
      [key: string]: unknown;
    } | null)[];
    item: NonNullable<Operations['/v2/commentannotations/comments/get']['result'][number]>;
  };
  '/v2/commentannotations/comments/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Comment annotation id. */
      annotationId: string;
      commentIds: number[];
      /** Fields that are not sent keep their values. */
      updatedData: {
        /** Plain text. `{{userId}}` stands for a mentioned user. */
        commentText?: string;
        /** The comment as HTML. Scripts and anything that loads resources are removed before it is stored. */
        commentHtml?: string;
        replaceContentText?: string;
        replaceContentHtml?: string;
        /** Arbitrary data of the caller, returned unchanged. */
        context?: Record<string, unknown>;
        /** True if the text is stored elsewhere, and clients fetch it from there. */
        isCommentResolverUsed?: boolean;
        /** False for a comment with attachments only. Defaults to whether there is a text. */
        isCommentTextAvailable?: boolean;
        attachments?: {
          attachmentId: number;
          name?: string;
          bucketPath?: string;
          /** In bytes. */
          size?: number;
          /** For example `image`, `video`, `document`. */
          type?: string;
          url?: string;
          thumbnail?: string;
          thumbnailWithPlayIconUrl?: string;
          mimeType?: string;
          metadata?: Record<string, unknown>;
          [key: string]: unknown;
        }[];
        /** Notifies other users. Always true for requests with a user token. */
        triggerNotification?: boolean;
        /** The author. Required unless the caller is a user. */
        from?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The mentioned users. */
        taggedUserContacts?: {
          text: string;
          /** User id, assigned by the caller. */
          userId: string;
          contact: {
            /** User id, assigned by the caller. */
            userId: string;
            name: string;
            email: string;
            [key: string]: unknown;
          };
          [key: string]: unknown;
        }[];
      };
    };
    result: Record<string, {
      success: boolean;
      id: number;
      message: string;
    }>;
  };
  '/v2/commentannotations/comments/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Comment annotation id. */
      annotationId: string;
      /** Defaults to all comments. */
      commentIds?: number[];
    };
    result: Record<string, {
      success: boolean;
      id: number;
      message: string;
    }>;
  };
  '/v2/notifications/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Creates the organization if it does not exist. */
      createOrganization?: boolean;
      /** If absent, the notification belongs to the whole organization. */
      documentId?: string;
      /** Creates the document if it does not exist. */
      createDocument?: boolean;
      /** Notification id: letters, digits, `_` and `-`. */
      notificationId?: string;
      /** User who caused the notification. */
      actionUser: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** Users to whom the notification is addressed. */
      notifyUsers: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      }[];
      /** If true, the whole organization is notified; otherwise only `notifyUsers`. */
      notifyAll?: boolean;
      /** Skips users in `notifyUsers` who have no access. */
      verifyUserPermissions?: boolean;
      notificationSource?: string;
      /** If true, clients fetch the texts from your own data provider, and no texts are required. */
      isNotificationResolverUsed?: boolean;
      /** Headline with variables in single braces: `{actionUser} approved {file}`. */
      displayHeadlineMessageTemplate?: string;
      /** Second line of the notification. */
      displayBodyMessage?: string;
      /** Values of the variables: users, and texts. */
      displayHeadlineMessageTemplateData?: {
        actionUser?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        recipientUser?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      displayBodyMessageTemplate?: string;
      displayBodyMessageTemplateData?: Record<string, unknown>;
      /** Arbitrary data, returned unchanged. */
      notificationSourceData?: Record<string, unknown>;
      /** Location within the document. */
      location?: {
        /** Location id within the document. */
        id: string | number;
        [key: string]: unknown;
      };
      /** Additional metadata, stored next to the ids of organization, document and location. */
      metadata?: Record<string, unknown>;
      /** With `access`, only users with a matching value in every field are notified. */
      context?: {
        access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
        [key: string]: unknown;
      };
    };
    result: {
      success: boolean;
      message: string;
    };
  };
  '/v2/notifications/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId?: string;
      /** Returns only notifications that this user receives. With a user token, always the token's user. */
      userId?: string;
      /** Location id within the document. */
      locationId?: string | number;
      notificationIds?: string[];
      /** Order by timestamp. */
      order?: 'asc' | 'desc';
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      id: string;
      /** Source of the notification, such as `custom` or `comment`. */
      notificationSource: string;
      /** Type of the event, for a notification about a comment. */
      actionType?: string;
      actionUser: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** Epoch milliseconds. */
      timestamp: number;
      /** The headline template with its variables filled in. */
      displayHeadlineMessage?: string;
      displayHeadlineMessageTemplate?: string;
      displayHeadlineMessageTemplateData?: Record<string, unknown>;
      displayBodyMessage?: string;
      notificationSourceData?: Record<string, unknown>;
      targetAnnotationId?: string;
      /** Ids of the API key, organization, document and location. */
      metadata: Record<string, unknown>;
      /** If true, clients fetch the texts from your own data provider. */
      isNotificationResolverUsed: boolean;
      /** Addressed users, keyed by the MD5 hash of their userId. A user sees only their own entry. */
      notifyUsersByUserId?: Record<string, true>;
      /** For the user whose notifications are listed. */
      isUnread?: boolean;
      /** True if it is addressed to the user whose notifications are listed. */
      forYou?: boolean;
      /** Epoch milliseconds. */
      readAt?: number;
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/notifications/get']['result'][number]>;
  };
  '/v2/notifications/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Changes only notifications on this document. */
      documentId?: string;
      /** Changes only notifications at this location. */
      locationId?: string | number;
      /** Changes only notifications that are addressed to this user. */
      userId?: string;
      /** Skips users in `notifyUsers` who have no access. */
      verifyUserPermissions?: boolean;
      notifications: {
        /** Notification id: letters, digits, `_` and `-`. */
        id: string;
        /** User who caused the notification. */
        actionUser?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Headline with variables in single braces: `{actionUser} approved {file}`. */
        displayHeadlineMessageTemplate?: string;
        /** Values of the variables: users, and texts. */
        displayHeadlineMessageTemplateData?: {
          actionUser?: {
            userId: string;
            name?: string;
            email?: string;
            [key: string]: unknown;
          };
          recipientUser?: {
            userId: string;
            name?: string;
            email?: string;
            [key: string]: unknown;
          };
          [key: string]: unknown;
        };
        /** Second line of the notification. */
        displayBodyMessage?: string;
        displayBodyMessageTemplate?: string;
        displayBodyMessageTemplateData?: Record<string, unknown>;
        /** Arbitrary data, returned unchanged. */
        notificationSourceData?: Record<string, unknown>;
        /** Users to whom the notification is addressed. */
        notifyUsers?: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        }[];
        /** Location within the document. */
        location?: {
          /** Location id within the document. */
          id: string | number;
          [key: string]: unknown;
        };
        /** Additional metadata, stored next to the ids of organization, document and location. */
        metadata?: Record<string, unknown>;
        /** With `access`, only users with a matching value in every field are notified. */
        context?: {
          access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
          [key: string]: unknown;
        };
        /** Recipients who have read the notification. */
        readByUserIds?: string[];
        /** If false, the notification becomes unread for other users who have read it. */
        persistReadForUsers?: boolean;
      }[];
    };
    result: Record<string, {
      success: boolean;
      message: string;
    }>;
  };
  '/v2/notifications/delete': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Document id within the organization, assigned by the caller. */
      documentId?: string;
      /** Location id within the document. */
      locationId?: string | number;
      /** Deletes only notifications that are addressed to this user. */
      userId?: string;
      notificationIds?: string[];
    };
    result: Record<string, {
      success: boolean;
      message: string;
    }>;
  };
  '/v2/notifications/config/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** With a user token, always the token's user. */
      userId: string;
      documentIds?: string[];
      /** Also returns the preferences for documents without preferences of their own. */
      getOrganizationConfig?: boolean;
    };
    result: {
      /** Additional channels of your own are allowed. */
      config: {
        inbox?: 'ALL' | 'MINE' | 'NONE';
        email?: 'ALL' | 'MINE' | 'NONE';
        slack?: 'ALL' | 'MINE' | 'NONE';
        [key: string]: unknown;
      };
      metadata: {
        apiKey: string;
        organizationId: string;
        /** Absent for organization-wide preferences. */
        documentId?: string;
        userId: string;
      };
    }[];
  };
  '/v2/notifications/config/set': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** With a user token, only the token's user. */
      userIds: string[];
      /** If absent, the preferences apply to all documents without preferences of their own. */
      documentIds?: string[];
      /** Additional channels of your own are allowed. */
      config: {
        inbox?: 'ALL' | 'MINE' | 'NONE';
        email?: 'ALL' | 'MINE' | 'NONE';
        slack?: 'ALL' | 'MINE' | 'NONE';
        [key: string]: unknown;
      };
    };
    result: Record<string, {
      success: boolean;
      userId: string;
      /** Present if exactly one documentId was sent. */
      documentId?: string;
      message: string;
    }>;
  };
  '/v2/rewriter/ask-ai': {
    data: {
      model: string;
      /** Instruction for the model. */
      prompt: string;
      /** The text to process. */
      text: string;
    };
    result: {
      success: true;
      text: string;
    } | {
      success: false;
      error: string;
    };
  };
  '/v2/memory/judgments/add': {
    data: {
      judgments: {
        /** A judgment with the same id is replaced. */
        id?: string;
        /** The organization need not exist. */
        organizationId?: string;
        /** Requires organizationId. */
        documentId?: string;
        /** Comment annotation id. */
        annotationId?: string;
        decision: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
        /** Reason for the decision. */
        reasoning: string;
        /** The reviewed content. */
        content?: string;
        /** Type of the reviewed content. */
        contentType?: string;
        /** How certain the reviewer was, from 0 to 1. */
        confidence?: number;
        judgeType?: 'human' | 'agent';
        /** User who decided. */
        actionUser: {
          /** User id, assigned by the caller. */
          userId: string;
          name?: string;
          email?: string;
        };
        /** The agent that decided. Additional fields are stored unchanged. */
        agent?: {
          /** Agent id; built-in agents have readable ids. */
          agentId?: string;
          agentType?: string;
          /** Id of one run of an agent. */
          executionId?: string;
          url?: string;
          [key: string]: unknown;
        };
        /** When the decision was made, in epoch milliseconds. Defaults to now. */
        createdAt?: number;
      }[];
    };
    result: {
      added: number;
      replaced: number;
      failed: {
        index: number;
        message: string;
      }[];
    };
  };
  '/v2/memory/judgments/query': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
      /** Alias of organizationId. */
      orgId?: string;
      /** Alias of documentId. */
      docId?: string;
      decision?: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
      judgeType?: 'human' | 'agent';
      /** Type of the reviewed content. */
      contentType?: string;
      /** User who decided. */
      reviewerId?: string;
      /** Requires organizationId. Returns the newest judgments of this thread, oldest first. */
      annotationId?: string;
      limit?: number;
    };
    result: {
      results: {
        recordId: string;
        reasoning: string;
        /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
        decision: string;
        /** How certain the reviewer was, from 0 to 1; 1 if unknown. */
        confidence: number;
        /** User who decided. */
        actionUser: {
          userId: string;
          name: string;
          [key: string]: unknown;
        };
        /** Epoch milliseconds. */
        createdAt: number;
        /** The narrowest scope of the judgment. */
        scope: 'document' | 'organization' | 'apiKey';
        /** The agent that decided; null if a user decided. */
        agent: Record<string, unknown> | null;
        judgeType: 'human' | 'agent';
        contentType: string | null;
        /** The reviewed content, if known. Long content is truncated. */
        content: string | null;
        organizationId: string | null;
        documentId: string | null;
        annotationId: string | null;
        /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
        origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
      }[];
      /** Number of returned judgments. */
      total: number;
    };
    item: NonNullable<Operations['/v2/memory/judgments/query']['result']['results']>[number];
  };
  '/v2/memory/judgments/delete': {
    data: {
      recordIds: string[];
    };
    result: {
      deleted: number;
      /** Requested ids that do not exist. */
      notFound: string[];
    };
  };
  '/v2/memory/judgments/backfill': {
    data: {
      limit?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      /** Number of annotations that were scanned. */
      annotations: number;
      /** Number of judgments that were added. */
      added: number;
      nextPageToken?: string;
    };
    item: Operations['/v2/memory/judgments/backfill']['result'];
  };
  '/v2/memory/search': {
    data: {
      /** The text to search for. */
      query: string;
      /** Whether to compare the query with the decision and its reasoning, or with the reviewed content. */
      embeddingType?: 'review' | 'content';
      /** `organization` requires organizationId, `document` also requires documentId, `apiKey` ignores both. Defaults to the narrowest scope for which ids are sent. */
      scope?: 'document' | 'organization' | 'apiKey';
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
      /** Alias of organizationId. */
      orgId?: string;
      /** Alias of documentId. */
      docId?: string;
      limit?: number;
      filters?: {
        decision?: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
        judgeType?: 'human' | 'agent';
        /** Type of the reviewed content. */
        contentType?: string;
        /** User who decided. */
        reviewerId?: string;
        /** Returns only judgments of this thread. Requires organizationId. */
        annotationId?: string;
        /** Time of the decision. Both ends are inclusive. */
        dateRange?: {
          /** ISO 8601 or epoch milliseconds. A time without a zone is in UTC. */
          start?: number | string;
          /** ISO 8601 or epoch milliseconds. A time without a zone is in UTC. */
          end?: number | string;
        };
        excludeDocumentIds?: string[];
      };
      /** Number of days up to now: returns only judgments of that period. Takes precedence over filters.dateRange. */
      recencyDays?: number;
    };
    result: {
      results: {
        recordId: string;
        reasoning: string;
        /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
        decision: string;
        /** How certain the reviewer was, from 0 to 1; 1 if unknown. */
        confidence: number;
        /** User who decided. */
        actionUser: {
          userId: string;
          name: string;
          [key: string]: unknown;
        };
        /** Epoch milliseconds. */
        createdAt: number;
        /** The narrowest scope of the judgment. */
        scope: 'document' | 'organization' | 'apiKey';
        /** The agent that decided; null if a user decided. */
        agent: Record<string, unknown> | null;
        judgeType: 'human' | 'agent';
        contentType: string | null;
        /** The reviewed content, if known. Long content is truncated. */
        content: string | null;
        organizationId: string | null;
        documentId: string | null;
        annotationId: string | null;
        /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
        origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
        /** Cosine similarity of query and judgment, from -1 to 1. */
        similarity: number;
      }[];
      /** Number of judgments in the scope that match the filters. */
      totalInScope: number;
      searchLatencyMs: number;
    };
  };
  '/v2/memory/suggest': {
    data: {
      /** Description of the item. */
      query: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
      /** Alias of organizationId. */
      orgId?: string;
      /** Alias of documentId. */
      docId?: string;
    };
    result: {
      /** The best supported recommendation; null if there are too few judgments. */
      primary: {
        recommendation: 'approve' | 'reject';
        /** Estimated probability, from 0 to 1, that the next decision on a similar item follows the recommendation. */
        confidence: number;
        /** Number of judgments that support the recommendation. */
        basedOn: number;
        /** Scope of the judgments: the narrowest one with enough of them. */
        scope: 'document' | 'organization' | 'apiKey';
        /** `This document`, `This organization` or `All content`. */
        scopeLabel: string;
        /** Reasons of the supporting judgments, by weight. */
        topReasons: string[];
        uniqueReviewers: number;
        /** Reasons for caution, as sentences. */
        caveats: string[];
        /** Supporting judgments with the highest weight, at most 10. */
        precedents: {
          recordId: string;
          /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
          decision: string;
          /** User who decided. */
          actionUser: {
            userId: string;
            name: string;
            [key: string]: unknown;
          };
          /** The agent that decided; null if a user decided. */
          agent: Record<string, unknown> | null;
          /** Epoch milliseconds. */
          createdAt: number;
          /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
          origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
          organizationId: string | null;
          documentId: string | null;
          annotationId: string | null;
          /** Cosine similarity to the item, from -1 to 1. */
          similarity: number;
        }[];
      } | null;
      /** The opposite recommendation, if at least two judgments support it. */
      conflict: {
        recommendation: 'approve' | 'reject';
        /** Estimated probability, from 0 to 1, that the next decision on a similar item follows the recommendation. */
        confidence: number;
        /** Number of judgments that support the recommendation. */
        basedOn: number;
        /** Scope of the judgments: the narrowest one with enough of them. */
        scope: 'document' | 'organization' | 'apiKey';
        /** `This document`, `This organization` or `All content`. */
        scopeLabel: string;
        /** Reasons of the supporting judgments, by weight. */
        topReasons: string[];
        uniqueReviewers: number;
        /** Reasons for caution, as sentences. */
        caveats: string[];
        /** Supporting judgments with the highest weight, at most 10. */
        precedents: {
          recordId: string;
          /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
          decision: string;
          /** User who decided. */
          actionUser: {
            userId: string;
            name: string;
            [key: string]: unknown;
          };
          /** The agent that decided; null if a user decided. */
          agent: Record<string, unknown> | null;
          /** Epoch milliseconds. */
          createdAt: number;
          /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
          origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
          organizationId: string | null;
          documentId: string | null;
          annotationId: string | null;
          /** Cosine similarity to the item, from -1 to 1. */
          similarity: number;
        }[];
      } | null;
    };
  };
  '/v2/memory/ask': {
    data: {
      question: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
      /** Alias of organizationId. */
      orgId?: string;
      /** Alias of documentId. */
      docId?: string;
      filters?: {
        decision?: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
        judgeType?: 'human' | 'agent';
        /** Type of the reviewed content. */
        contentType?: string;
        /** User who decided. */
        reviewerId?: string;
        /** Returns only judgments of this thread. Requires organizationId. */
        annotationId?: string;
        /** Time of the decision. Both ends are inclusive. */
        dateRange?: {
          /** ISO 8601 or epoch milliseconds. A time without a zone is in UTC. */
          start?: number | string;
          /** ISO 8601 or epoch milliseconds. A time without a zone is in UTC. */
          end?: number | string;
        };
        excludeDocumentIds?: string[];
      };
      /** Number of days up to now: returns only judgments of that period. Takes precedence over filters.dateRange. */
      recencyDays?: number;
    };
    result: {
      answer: string;
      /** Judgments by their id, files by their source id. */
      citations: {
        recordId: string;
        snippet: string;
      }[];
      /** From 0 to 1. */
      confidence: number;
      /** Number of records that the model received. */
      recordsSearched: number;
    };
  };
  '/v2/memory/patterns/get': {
    data: Record<string, unknown>;
    result: {
      patternId: string;
      /** Scope of the pattern: the API key, or one organization. */
      scope: 'apiKey' | 'org';
      organizationId?: string;
      /** What reviewers do, with their most typical reasoning. */
      description: string;
      /** Lower bound of `enforcementRate` for future decisions. */
      confidence: number;
      /** Number of judgments behind the pattern. */
      sourceCount: number;
      contentType: string | null;
      /** How reviewers decide. */
      category: 'approved' | 'rejected' | 'disputed';
      /** Epoch milliseconds. */
      discoveredAt: number;
      /** Epoch milliseconds. */
      updatedAt: number;
      /** Share of the judgments that follow the pattern. */
      enforcementRate?: number;
      uniqueReviewers?: number;
      /** Ids of the most typical judgments. */
      topSourceRecordIds?: string[];
    }[];
    item: NonNullable<Operations['/v2/memory/patterns/get']['result'][number]>;
  };
  '/v2/memory/profiles/get': {
    data: {
      /** User whose profile is returned. */
      targetUserId?: string;
    };
    result: {
      userId: string;
      name: string;
      email: string;
      totalJudgments: number;
      /** Share of approvals among approvals and rejections. */
      approvalRate: number;
      /** Average time from the creation of an annotation to the decision on it; 0 if unknown. */
      avgReviewTimeSeconds: number;
      /** Content types that the user most often rejects or comments on. */
      topFlags: {
        issue: string;
        count: number;
      }[];
      /** Most frequent first. */
      contentTypes: string[];
      /** Hours of the day in UTC, busiest first. */
      peakHours: number[];
      orgBreakdown: Record<string, {
        organizationId: string;
        clientOrganizationId: string;
        judgments: number;
        approvals: number;
        approvalRate: number;
      }>;
      /** Epoch milliseconds. */
      lastActive: number;
      /** True if the user made at least 50 judgments, enough to predict decisions. */
      twinEligible: boolean;
      /** How often earlier judgments on similar content correctly predict later ones. */
      twinAccuracy: number | null;
      evolvedStandards?: {
        topic: string;
        /** Epoch milliseconds. */
        shiftDate: number;
        oldPattern: string;
        newPattern: string;
      }[];
    } | null;
  };
  '/v2/memory/stats/get': {
    data: Record<string, unknown>;
    result: {
      /** Number of judgments, at most 10000. */
      totalActivities: number;
      /** At most 500. */
      totalProfiles: number;
      /** At most 100. */
      totalPatterns: number;
      totalKnowledgeSources: number;
    };
  };
  '/v2/memory/alerts/list': {
    data: Record<string, unknown>;
    result: {
      id: string;
      apiKey: string;
      alertType: 'anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift';
      severity: 'high' | 'medium' | 'low';
      title: string;
      description: string;
      evidence: {
        metric: 'approvalRate' | 'volume' | 'staleReferences' | 'enforcementRate' | 'violationRate';
        baseline: number;
        current: number;
        window: string;
        sourceRecordIds: string[];
        knowledgeSourceId: string | null;
        /** The pattern that the alert is about. */
        ruleRef: string | null;
      };
      suggestedAction?: string;
      actionUrl: string | null;
      status: 'active';
      /** Epoch milliseconds. */
      createdAt: number;
      dismissedAt: null;
      dismissedBy: null;
      dedupKey?: string;
    }[];
    item: NonNullable<Operations['/v2/memory/alerts/list']['result'][number]>;
  };
  '/v2/memory/alerts/dismiss': {
    data: {
      /** Alert id, as returned by memory/alerts/list. */
      alertId: string;
      /** User who dismisses the alert. */
      user?: {
        /** User id, assigned by the caller. */
        uid: string;
      };
    };
    result: {
      success: true;
    };
  };
  '/v2/memory/alerts/action': {
    data: {
      /** Alert id, as returned by memory/alerts/list. */
      alertId: string;
    };
    result: {
      success: true;
    };
  };
  '/v2/memory/alerts/config/get': {
    data: Record<string, unknown>;
    result: {
      enabled: boolean;
      maxAlertsPerWeek?: number;
      /** Alert types that are raised. All if absent. */
      enabledAlertTypes?: ('anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift')[];
      /** Alerts of a lower severity are not raised. */
      severityThreshold?: 'high' | 'medium' | 'low';
      [key: string]: unknown;
    };
  };
  '/v2/memory/alerts/config/update': {
    data: {
      config: {
        /** At most 3 are raised in seven days, however many are asked for. */
        maxAlertsPerWeek?: number;
        /** Alert types that are raised. All if absent. */
        enabledAlertTypes?: ('anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift')[];
        /** Alerts of a lower severity are not raised. */
        severityThreshold?: 'high' | 'medium' | 'low';
        enabled?: boolean;
        [key: string]: unknown;
      };
    };
    result: {
      success: true;
    };
  };
  '/v2/memory/consolidate': {
    data: {
      /** Also runs if no judgment has changed since the last run. */
      force?: boolean;
    };
    result: {
      /** The work is done in the background. */
      started?: true;
      /** Number of patterns in the scopes whose judgments changed. */
      patterns?: number;
      /** Number of users with a profile. */
      profiles?: number;
      /** Number of alerts that were raised. */
      alerts?: number;
      /** Number of judgments that were read; 0 if nothing changed. */
      judgmentsRead?: number;
      /** Epoch milliseconds. */
      startedAt?: number;
      completedAt?: number;
    };
  };
  '/v2/memory/knowledge/ingest': {
    data: {
      /** The file is in the request, in `file`. */
      source: 'inline';
      file: {
        /** Content of the file, in base64. */
        base64: string;
        /** Media type of the file. */
        mimeType: 'application/pdf' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'text/plain' | 'text/markdown';
        /** Name of the file. */
        fileName: string;
        /** Size of the decoded file in bytes. */
        fileSize: number;
      };
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
    } | {
      /** The file was uploaded before, as named by `fileRef` and `mimeType`. */
      source: 'fileRef';
      /** As returned by memory/knowledge/upload-url. */
      fileRef: string;
      /** Media type of the file. */
      mimeType: 'application/pdf' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'text/plain' | 'text/markdown';
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
    };
    result: undefined;
  };
  '/v2/memory/knowledge/upload-url': {
    data: {
      /** Media type of the file. */
      mimeType: 'application/pdf' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'text/plain' | 'text/markdown';
      /** In bytes. */
      fileSize: number;
      /** Name of the file. */
      fileName?: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Requires organizationId. */
      documentId?: string;
    };
    result: {
      uploadUrl: string;
      /** Value for memory/knowledge/ingest. */
      fileRef: string;
      /** Epoch milliseconds. */
      expiresAt: number;
    };
  };
  '/v2/memory/knowledge/ingest-status': {
    data: {
      /** Knowledge source id, as returned by memory/knowledge/ingest. */
      sourceId: string;
    };
    result: {
      status: 'processing' | 'completed' | 'failed';
      sourceId: string;
      /** Epoch milliseconds. */
      startedAt?: number;
      /** Epoch milliseconds. */
      updatedAt?: number;
      mimeType?: string;
      /** Id of the earlier source with the same file. */
      dedupOf?: string;
      /** `pdf-llm-conversion-failed`: a PDF cannot be read; `unsupported-mime-detected-post-validation`: another file cannot be read; `storage-upload-failed`: the file is no longer stored; `embedding-failed`: the embedding failed. */
      failureReason?: string;
      extractedRulesCount?: number;
      chunkCount?: number;
      /** Link to the original file, valid for 15 minutes. */
      originalDownloadUrl?: string;
      /** Link to the text as Markdown, valid for 15 minutes. */
      canonicalMdDownloadUrl?: string;
      metadata?: {
        /** Parts of the file that were omitted. */
        notes?: string[];
        /** Reason of the failure, as a sentence. */
        message?: string;
        /** Incremented by each update of the rules. */
        version?: number;
      };
    };
  };
  '/v2/memory/knowledge/list': {
    data: Record<string, unknown>;
    result: {
      id: string;
      sourceType: 'upload';
      fileName: string;
      /** Epoch milliseconds. */
      uploadedAt: number;
      ruleCount: number;
      chunkCount: number;
      embeddingStatus: 'processing' | 'completed' | 'failed';
      mimeType?: string;
      /** `pdf-llm-conversion-failed`: a PDF cannot be read; `unsupported-mime-detected-post-validation`: another file cannot be read; `storage-upload-failed`: the file is no longer stored; `embedding-failed`: the embedding failed. */
      failureReason?: string;
      /** Id of the earlier source with the same file. */
      dedupOf?: string;
      /** SHA-256 of the file, in hex. */
      sha256?: string;
      metadata?: {
        /** Parts of the file that were omitted. */
        notes?: string[];
        /** Reason of the failure, as a sentence. */
        message?: string;
        /** Incremented by each update of the rules. */
        version?: number;
      };
      /** Link to the original file, valid for 15 minutes. */
      originalDownloadUrl?: string;
      /** Link to the text as Markdown, valid for 15 minutes; empty if there is no text yet. */
      canonicalMdDownloadUrl?: string;
      organizationId?: string;
      documentId?: string;
    }[];
    item: NonNullable<Operations['/v2/memory/knowledge/list']['result'][number]>;
  };
  '/v2/memory/knowledge/rules': {
    data: {
      /** Knowledge source id, as returned by memory/knowledge/ingest. */
      sourceId: string;
    };
    result: {
      id: string;
      content: string;
      /** Section of the rule. */
      category: string | null;
      /** Position of the rule, from 0. */
      index: number;
    }[];
    item: NonNullable<Operations['/v2/memory/knowledge/rules']['result'][number]>;
  };
  '/v2/memory/knowledge/download': {
    data: {
      /** Knowledge source id, as returned by memory/knowledge/ingest. */
      sourceId: string;
    };
    result: string | null;
  };
  '/v2/memory/knowledge/update': {
    data: {
      /** Knowledge source id, as returned by memory/knowledge/ingest. */
      sourceId: string;
      newContent: string;
    };
    result: {
      diff: {
        added: string[];
        removed: string[];
        unchanged: number;
      };
      newVersion: number;
    };
  };
  '/v2/memory/knowledge/delete': {
    data: {
      /** Knowledge source id, as returned by memory/knowledge/ingest. */
      sourceId: string;
    };
    result: {
      status: 'deleted';
      sourceId: string;
      deletedChunks: number;
      deletedRules: number;
    };
  };
  '/v2/memory/knowledge/search': {
    data: {
      query: string;
      /** Id of one source, or 2 to 30 ids. Defaults to all sources. */
      sourceId?: string | string[];
      limit?: number;
      /** Also returns single rules, in addition to parts of the text. */
      includeRules?: boolean;
    };
    result: {
      results: {
        sourceId?: string;
        text: string;
        /** Cosine distance from 0 to 2, lower is closer. */
        score?: number;
        kind?: 'chunk' | 'rule';
        ruleId?: string;
        /** Section of the rule. */
        category?: string;
      }[];
      /** Number of results. */
      recordsSearched: number;
    };
  };
}

/** Operations under their earlier paths. */
export interface EarlierOperations {
  '/v1/auth/token/get': {
    data: {
      /** API key id, as listed in `apiKeyList`. */
      apiKey: string;
      authToken: string;
      /** User id, assigned by the caller. */
      userId: string;
      userProperties: {
        /** Organization id, assigned by the caller. */
        organizationId: string;
        isAdmin?: boolean;
        name?: string;
        email?: string;
      };
    };
    result: {
      /** A signed JWT. */
      token: string;
    };
  };
  '/v1/organizations/add': Operations['/v2/organizations/add'];
  '/v1/organizations/get': Operations['/v2/organizations/get'];
  '/v1/organizations/update': Operations['/v2/organizations/update'];
  '/v1/organizations/delete': Operations['/v2/organizations/delete'];
  '/v1/organizations/access/disablestate/update': Operations['/v2/organizations/access/disablestate/update'];
  '/v1/organizations/folders/add': Operations['/v2/organizations/folders/add'];
  '/v1/organizations/folders/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** Returns only this folder, with its subfolders as `subFolders`. */
      folderId?: string;
      /** Number of levels to return. */
      maxDepth?: number;
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: OrganizationsFoldersGetV1ResultSchema0[];
    item: NonNullable<EarlierOperations['/v1/organizations/folders/get']['result'][number]>;
  };
  '/v1/organizations/folders/update': Operations['/v2/organizations/folders/update'];
  '/v1/organizations/folders/delete': Operations['/v2/organizations/folders/delete'];
  '/v1/organizations/folders/access/update': Operations['/v2/organizations/folders/access/update'];
  '/v1/organizations/documents/add': Operations['/v2/organizations/documents/add'];
  '/v1/organizations/documents/get': Operations['/v2/organizations/documents/get'];
  '/v1/organizations/documents/update': Operations['/v2/organizations/documents/update'];
  '/v1/organizations/documents/move': Operations['/v2/organizations/documents/move'];
  '/v1/organizations/documents/delete': Operations['/v2/organizations/documents/delete'];
  '/v1/organizations/documents/access/update': Operations['/v2/organizations/documents/access/update'];
  '/v1/organizations/documents/access/disablestate/update': Operations['/v2/organizations/documents/access/disablestate/update'];
  '/v1/organizations/documents/locations/update': {
    data: {
      /** API key id, as listed in `apiKeyList`. */
      apiKey: string;
      /** Auth token of the API key. */
      authToken: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      migrate: {
        /** Location within the document, with the id that annotations use. */
        oldLocation: {
          id: string | number;
          [key: string]: unknown;
        };
        /** Location within the document, with the id that annotations use. */
        newLocation: {
          id: string | number;
          [key: string]: unknown;
        };
      };
      /** If true, the new location may already have data. */
      merge?: boolean;
    };
    result: null;
  };
  '/v1/organizations/documents/locations/data/delete': {
    data: {
      /** API key id, as listed in `apiKeyList`. */
      apiKey: string;
      /** Auth token of the API key. */
      authToken: string;
      /** Organization id, assigned by the caller. */
      organizationId?: string;
      /** Document id within the organization, assigned by the caller. */
      documentId: string;
      /** Location within the document, with the id that annotations use. */
      location: {
        id: string | number;
        [key: string]: unknown;
      };
    };
    result: null;
  };
  '/v1/organizations/usergroups/add': Operations['/v2/organizations/usergroups/add'];
  '/v1/organizations/usergroups/users/add': Operations['/v2/organizations/usergroups/users/add'];
  '/v1/organizations/usergroups/users/delete': Operations['/v2/organizations/usergroups/users/delete'];
  '/v1/users/add': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      /** Additional fields of each entry are stored with the user. This version has no roles. */
      users: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        /** Defaults to the first letter of the user's name. */
        initial?: string;
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v1/users/get': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** Returns only the entries with these ids. */
      userIds?: string[];
      /** Returns only members of at least one of these user groups. */
      organizationUserGroupIds?: string[];
      /** Maximum number of entries in one response. */
      pageSize?: number;
      /** `nextPageToken` of the previous response; the list continues after it. */
      pageToken?: string;
    };
    result: {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      [key: string]: unknown;
    }[];
    item: NonNullable<EarlierOperations['/v1/users/get']['result'][number]>;
  };
  '/v1/users/update': {
    data: {
      /** Organization id, assigned by the caller. */
      organizationId: string;
      /** The users of this document. */
      documentId?: string;
      /** The users of this folder. */
      folderId?: string;
      /** Additional fields of each entry are stored with the user. This version has no roles. */
      users: {
        /** User id, assigned by the caller. */
        userId: string;
        name?: string;
        email?: string;
        /** Defaults to the first letter of the user's name. */
        initial?: string;
        [key: string]: unknown;
      }[];
    };
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
    }>;
  };
  '/v1/users/delete': Operations['/v2/users/delete'];
  '/v1/commentannotations/add': Operations['/v2/commentannotations/add'];
  '/v1/commentannotations/get': Operations['/v2/commentannotations/get'];
  '/v1/commentannotations/update': Operations['/v2/commentannotations/update'];
  '/v1/commentannotations/delete': Operations['/v2/commentannotations/delete'];
  '/v1/commentannotations/count/get': Operations['/v2/commentannotations/count/get'];
  '/v1/commentannotations/comments/add': Operations['/v2/commentannotations/comments/add'];
  '/v1/commentannotations/comments/get': Operations['/v2/commentannotations/comments/get'];
  '/v1/commentannotations/comments/update': Operations['/v2/commentannotations/comments/update'];
  '/v1/commentannotations/comments/delete': Operations['/v2/commentannotations/comments/delete'];
  '/v1/notifications/add': Operations['/v2/notifications/add'];
  '/v1/notifications/get': Operations['/v2/notifications/get'];
  '/v1/notifications/update': Operations['/v2/notifications/update'];
  '/v1/notifications/delete': Operations['/v2/notifications/delete'];
  '/v1/notifications/config/get': Operations['/v2/notifications/config/get'];
  '/v1/notifications/config/set': Operations['/v2/notifications/config/set'];
}

export interface OrganizationsFoldersGetResultSchema0 {
  folderId: string;
  folderName: string;
  organizationId: string;
  /** Parent folder; `root` is the top level. */
  parentFolderId: string;
  apiKey: string;
  createdAt: number;
  lastUpdated: number;
  /** Folders from `root` down to the folder's parent. */
  ancestors: string[];
  /** Access type of documents in the folder that have none of their own. */
  accessType: 'public' | 'organizationPrivate' | 'restricted';
  inheritAccessFromParent: boolean;
  subFolders?: OrganizationsFoldersGetResultSchema0[];
  [key: string]: unknown;
}

export interface OrganizationsFoldersGetV1ResultSchema0 {
  folderId: string;
  folderName: string;
  organizationId: string;
  /** Parent folder; `root` is the top level. */
  parentFolderId: string;
  apiKey: string;
  createdAt: number;
  lastUpdated: number;
  /** Folders from `root` down to the folder's parent. */
  ancestors: string[];
  /** Access type of documents in the folder that have none of their own. */
  accessType: 'public' | 'organizationPrivate' | 'restricted';
  inheritAccessFromParent: boolean;
  subFolders?: OrganizationsFoldersGetV1ResultSchema0[];
  [key: string]: unknown;
}
