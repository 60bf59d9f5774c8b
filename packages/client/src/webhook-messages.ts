// Generated from the OpenAPI document: `npm run docs` writes this file.

/** The messages of webhooks, by event. Text is absent if the message is protected or truncated. */
export interface WebhookMessages {
  /** An annotation was added, with its first comment. */
  'comment_annotation.add': {
    event: 'comment_annotation.add';
    actionType: 'newlyAdded';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** An annotation was changed in a way that no other event covers. */
  'comment_annotation.update': {
    event: 'comment_annotation.update';
    actionType: 'updated' | 'accessModeChanged';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** An annotation was deleted, with its comments. */
  'comment_annotation.delete': {
    event: 'comment_annotation.delete';
    actionType: 'deleted';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** An annotation was assigned to a user, or its assignment was removed. */
  'comment_annotation.assign': {
    event: 'comment_annotation.assign';
    actionType: 'assigned';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** The status of an annotation changed. */
  'comment_annotation.status_change': {
    event: 'comment_annotation.status_change';
    actionType: 'statusChanged';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      oldStatus: {
        id?: string;
        name?: string;
        type?: 'default' | 'ongoing' | 'terminal';
        [key: string]: unknown;
      };
      newStatus: {
        id?: string;
        name?: string;
        type?: 'default' | 'ongoing' | 'terminal';
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** The priority of an annotation changed or was removed. */
  'comment_annotation.priority_change': {
    event: 'comment_annotation.priority_change';
    actionType: 'priorityChanged';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      newPriority: {
        id: string;
        name?: string;
        [key: string]: unknown;
      } | null;
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A suggestion was accepted. */
  'comment_annotation.suggestion_accept': {
    event: 'comment_annotation.suggestion_accept';
    actionType: 'suggestionAccepted';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A suggestion was rejected. */
  'comment_annotation.suggestion_reject': {
    event: 'comment_annotation.suggestion_reject';
    actionType: 'suggestionRejected';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A comment was added to an annotation. */
  'comment.add': {
    event: 'comment.add';
    actionType: 'added';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A comment was changed. */
  'comment.update': {
    event: 'comment.update';
    actionType: 'updated';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A comment was deleted. */
  'comment.delete': {
    event: 'comment.delete';
    actionType: 'deleted';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A user reacted to an annotation or comment. */
  'comment.reaction_add': {
    event: 'comment.reaction_add';
    actionType: 'reactionAdded';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      /** The reaction. */
      reaction: {
        reactionId: string;
        /** Absent for a reaction to the annotation itself. */
        commentId?: number;
        from: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Epoch milliseconds. */
        createdAt: number;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A user took a reaction to an annotation or comment back. */
  'comment.reaction_delete': {
    event: 'comment.reaction_delete';
    actionType: 'reactionDeleted';
    source: 'comment';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The annotation after the change, without its comments. `targetComment` is the affected comment. */
      commentAnnotation: {
        annotationId: string;
        annotationNumber?: number;
        /** `comment` or `suggestion`. */
        type?: string;
        status?: {
          id?: string;
          name?: string;
          type?: 'default' | 'ongoing' | 'terminal';
          [key: string]: unknown;
        };
        priority?: {
          id: string;
          name?: string;
          [key: string]: unknown;
        };
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        assignedTo?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        suggestion?: Record<string, unknown>;
        /** The AI assistants that decided on the suggestion, or changed the status, for a person. */
        decidedByAssistant?: {
          suggestion?: string;
          status?: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        /** Epoch milliseconds. */
        lastUpdated?: number;
        [key: string]: unknown;
      };
      /** The comment that was added, changed or deleted. */
      targetComment?: {
        commentId: number;
        commentText?: string;
        commentHtml?: string;
        from?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** The AI assistant that wrote or edited it for the person in `from`. */
        assistant?: {
          name: string;
        };
        /** Epoch milliseconds. */
        createdAt?: number;
        lastUpdated?: string | number;
        [key: string]: unknown;
      };
      /** The user who made the change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      /** Present only if not every reader of the document may see the annotation. */
      visibility?: {
        type: string;
        userIds?: string[];
        organizationIds?: string[];
        organizationId?: string;
        [key: string]: unknown;
      };
      /** The reaction. */
      reaction: {
        reactionId: string;
        /** Absent for a reaction to the annotation itself. */
        commentId?: number;
        from: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        /** Epoch milliseconds. */
        createdAt: number;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    /** Which notifications the involved users want, by userId. */
    usersOrganizationNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    /** Which notifications the involved users want, by userId. */
    usersDocumentNotificationsConfig?: Record<string, {
      inbox?: string;
      email?: string;
    }>;
    [key: string]: unknown;
  };
  /** A live editor was changed. Sent 5 seconds after the last change, and every 20 seconds while changes continue. */
  'crdt.update_data': {
    event: 'crdt.update_data';
    actionType: 'updateData';
    source: 'crdt';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      /** The editor that was changed. */
      crdtData: {
        /** The editorId. */
        id: string;
        /** The whole content at that moment: a string, an object or a list. Left out, with `truncated`, if it is large; crdt/get returns it. */
        data?: unknown;
        /** An ISO 8601 time. */
        lastUpdate: string;
        /** The userId; null if a backend made the last change. */
        lastUpdatedBy: string | null;
        /** The connection that made the last change. */
        sessionId: string | null;
        [key: string]: unknown;
      };
      /** The user who made the last change, if known. */
      actionUser?: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      /** The organization, document and page. Names are those of the moment when the message was made. */
      metadata: {
        apiKey: string;
        document: {
          documentId: string;
          documentName?: string;
          [key: string]: unknown;
        };
        documentMetadata?: Record<string, unknown>;
        organization: {
          organizationId: string;
          organizationName?: string;
          [key: string]: unknown;
        };
        organizationMetadata?: Record<string, unknown>;
        pageInfo?: Record<string, unknown>;
        locationId?: number;
        location?: Record<string, unknown>;
        [key: string]: unknown;
      };
      [key: string]: unknown;
    };
    [key: string]: unknown;
  };
  /** Users joined a document, or their presence on it changed. */
  'presence.update': {
    event: 'presence.update';
    actionType: 'updated';
    source: 'presence';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
      users: {
        userId: string;
        status: 'online' | 'away' | 'offline';
        [key: string]: unknown;
      }[];
    };
    [key: string]: unknown;
  };
  /** Users left a document. */
  'presence.delete': {
    event: 'presence.delete';
    actionType: 'deleted';
    source: 'presence';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
      userIds: string[];
    };
    [key: string]: unknown;
  };
  /** Live state of a document was broadcast. */
  'live_state.broadcast': {
    event: 'live_state.broadcast';
    actionType: 'broadcast';
    source: 'liveState';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
      liveStateDataId: string;
      data?: Record<string, unknown>;
    };
    [key: string]: unknown;
  };
  /** A document was added, on its own or with its first content. */
  'document.add': {
    event: 'document.add';
    actionType: 'added';
    source: 'document';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
      documentName?: string;
    };
    [key: string]: unknown;
  };
  /** The name, folder, access type or metadata of a document changed, or it was disabled or enabled. */
  'document.update': {
    event: 'document.update';
    actionType: 'updated';
    source: 'document';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
      documentName?: string;
      disabled: boolean;
    };
    [key: string]: unknown;
  };
  /** A document was deleted, with everything on it. */
  'document.delete': {
    event: 'document.delete';
    actionType: 'deleted';
    source: 'document';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
    };
    [key: string]: unknown;
  };
  /** A document got a new id, or was merged into another document, with everything on it. */
  'document.migrate': {
    event: 'document.migrate';
    actionType: 'migrated';
    source: 'document';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId: string;
      newDocumentId: string;
      migrationId: string;
    };
    [key: string]: unknown;
  };
  /** A user was added to an organization, folder or document. */
  'user.add': {
    event: 'user.add';
    actionType: 'added';
    source: 'user';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId?: string;
      folderId?: string;
      userId: string;
      name?: string;
      email?: string;
      accessRole?: 'viewer' | 'editor';
    };
    [key: string]: unknown;
  };
  /** A user was changed. */
  'user.update': {
    event: 'user.update';
    actionType: 'updated';
    source: 'user';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId?: string;
      folderId?: string;
      userId: string;
      name?: string;
      email?: string;
      accessRole?: 'viewer' | 'editor';
    };
    [key: string]: unknown;
  };
  /** A user was removed from an organization, folder or document. */
  'user.delete': {
    event: 'user.delete';
    actionType: 'deleted';
    source: 'user';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId?: string;
      folderId?: string;
      userId: string;
    };
    [key: string]: unknown;
  };
  /** All data of some users was deleted. */
  'user.data_delete': {
    event: 'user.data_delete';
    actionType: 'dataDeleted';
    source: 'user';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      jobId: string;
      userIds: string[];
    };
    [key: string]: unknown;
  };
  /** An organization was added. */
  'organization.add': {
    event: 'organization.add';
    actionType: 'added';
    source: 'organization';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      organizationName?: string;
    };
    [key: string]: unknown;
  };
  /** An organization was changed, disabled or enabled. */
  'organization.update': {
    event: 'organization.update';
    actionType: 'updated';
    source: 'organization';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      organizationName?: string;
      disabled: boolean;
    };
    [key: string]: unknown;
  };
  /** An organization was deleted, with everything in it. */
  'organization.delete': {
    event: 'organization.delete';
    actionType: 'deleted';
    source: 'organization';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
    };
    [key: string]: unknown;
  };
  /** A folder was added. */
  'folder.add': {
    event: 'folder.add';
    actionType: 'added';
    source: 'folder';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      folderId: string;
      folderName?: string;
    };
    [key: string]: unknown;
  };
  /** A folder was changed. */
  'folder.update': {
    event: 'folder.update';
    actionType: 'updated';
    source: 'folder';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      folderId: string;
      folderName?: string;
    };
    [key: string]: unknown;
  };
  /** A folder was deleted. */
  'folder.delete': {
    event: 'folder.delete';
    actionType: 'deleted';
    source: 'folder';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      folderId: string;
    };
    [key: string]: unknown;
  };
  /** A user group was added. */
  'user_group.add': {
    event: 'user_group.add';
    actionType: 'added';
    source: 'userGroup';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      organizationUserGroupId: string;
      groupName?: string;
    };
    [key: string]: unknown;
  };
  /** A user group was deleted. */
  'user_group.delete': {
    event: 'user_group.delete';
    actionType: 'deleted';
    source: 'userGroup';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      organizationUserGroupId: string;
    };
    [key: string]: unknown;
  };
  /** A user was added to a user group. */
  'user_group.user_add': {
    event: 'user_group.user_add';
    actionType: 'userAdded';
    source: 'userGroup';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      organizationUserGroupId: string;
      userId: string;
    };
    [key: string]: unknown;
  };
  /** A user was removed from a user group. */
  'user_group.user_delete': {
    event: 'user_group.user_delete';
    actionType: 'userDeleted';
    source: 'userGroup';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      organizationUserGroupId: string;
      userId: string;
    };
    [key: string]: unknown;
  };
  /** A run of an agent ended, successfully or not. */
  'agent_execution.completed': {
    event: 'agent_execution.completed';
    actionType: 'completed';
    source: 'agent';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      executionId: string;
      agentId: string;
      organizationId?: string;
      documentId?: string;
      agentName?: string;
      agentVersion: number;
      status: 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
      error?: {
        code: string;
        message?: string;
        retryable: boolean;
      };
      seedUrl?: string;
      startedAt: number;
      completedAt: number;
      resultsSummary: Record<string, unknown>;
      llmModel?: string;
      tokenUsage?: {
        promptTokens: number;
        completionTokens: number;
        thoughtsTokens?: number;
        totalTokens: number;
        requestCount?: number;
      };
    };
    [key: string]: unknown;
  };
  /** A review with several agents ended: one verdict over all of its executions. */
  'agent_review.completed': {
    event: 'agent_review.completed';
    actionType: 'completed';
    source: 'agent';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      reviewId: string;
      organizationId?: string;
      documentId?: string;
      urls?: string[];
      agentIds: string[];
      executionIds: string[];
      verdict: 'clean' | 'findings' | 'incomplete' | 'broken';
      counts: {
        findings: number;
        open: number;
        bySeverity: Record<string, number>;
        new?: number;
        fixed?: number;
        pages: number;
      };
      startedAt: number;
      completedAt: number;
    };
    [key: string]: unknown;
  };
  /** An agent was created. */
  'agent.add': {
    event: 'agent.add';
    actionType: 'added';
    source: 'agent';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      agentId: string;
      name?: string;
      version: number;
    };
    [key: string]: unknown;
  };
  /** An agent was changed; its version number went up. */
  'agent.update': {
    event: 'agent.update';
    actionType: 'updated';
    source: 'agent';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      agentId: string;
      name?: string;
      version: number;
    };
    [key: string]: unknown;
  };
  /** An agent was deleted. */
  'agent.delete': {
    event: 'agent.delete';
    actionType: 'deleted';
    source: 'agent';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      agentId: string;
    };
    [key: string]: unknown;
  };
  /** A judgment was remembered: a decision, a comment, a finding of an agent, or an imported judgment. */
  'memory.judgment_add': {
    event: 'memory.judgment_add';
    actionType: 'judgmentAdded';
    source: 'memory';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      recordId: string;
      organizationId?: string;
      documentId?: string;
      annotationId?: string;
      origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
      decision: string;
      reasoning?: string;
      taggedUserContacts?: {
        userId: string;
        [key: string]: unknown;
      }[];
      judgeType: 'human' | 'agent';
      confidence: number;
      actionUser: {
        userId: string;
        name?: string;
        email?: string;
        [key: string]: unknown;
      };
      agent: Record<string, unknown> | null;
      createdAt: number;
    };
    [key: string]: unknown;
  };
  /** A notification was added. */
  'notification.add': {
    event: 'notification.add';
    actionType: 'added';
    source: 'notification';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      documentId?: string;
      notificationId: string;
      notificationSource: string;
      notification: {
        id: string;
        actionUser?: {
          userId: string;
          name?: string;
          email?: string;
          [key: string]: unknown;
        };
        [key: string]: unknown;
      };
      notifyAll: boolean;
      notifyUserIds: string[];
    };
    [key: string]: unknown;
  };
  /** The last attempt to deliver a message failed. The message can be replayed. */
  'message.attempt.exhausted': {
    event: 'message.attempt.exhausted';
    actionType: 'exhausted';
    source: 'system';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      endpointId: string;
      webhookId: string;
      eventType: string;
      attempts: number;
      lastAttempt: {
        at: number;
        status?: number;
        error?: string;
      };
    };
    [key: string]: unknown;
  };
  /** An endpoint has failed without a success for half, or nine tenths, of the time after which it is disabled. */
  'endpoint.failing': {
    event: 'endpoint.failing';
    actionType: 'failing';
    source: 'system';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      endpointId: string;
      url?: string;
      percent: 50 | 90;
      failingSince: number;
      disablesAt: number;
    };
    [key: string]: unknown;
  };
  /** An endpoint was disabled, because it answered 410 Gone or failed for too long. */
  'endpoint.disabled': {
    event: 'endpoint.disabled';
    actionType: 'disabled';
    source: 'system';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      endpointId: string;
      reason: 'gone' | 'failing';
      failingSince?: number;
    };
    [key: string]: unknown;
  };
  /** An activity was logged. */
  'activity.add': {
    event: 'activity.add';
    actionType: 'added';
    source: 'activity';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      activityId: string;
    };
    [key: string]: unknown;
  };
  /** An activity was changed. */
  'activity.update': {
    event: 'activity.update';
    actionType: 'updated';
    source: 'activity';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      activityId: string;
    };
    [key: string]: unknown;
  };
  /** An activity was deleted. */
  'activity.delete': {
    event: 'activity.delete';
    actionType: 'deleted';
    source: 'activity';
    platform: 'sdk';
    /** Identifies the message: equal in every attempt and replay. */
    webhookId: string;
    /** The time of the event in epoch milliseconds. */
    createdAt: number;
    /** The message exceeded the size limit. It contains only ids, types, statuses, numbers and times, or lacks the content of the editor. */
    truncated?: true;
    data: {
      organizationId: string;
      activityId: string;
    };
    [key: string]: unknown;
  };
}

export type WebhookEventName = keyof WebhookMessages;

/** A message, told apart by `event`. Later versions of the service may send others. */
export type WebhookMessage = WebhookMessages[WebhookEventName];
