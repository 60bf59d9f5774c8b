import { z } from 'zod';

const organizationId = z.string();
const documentId = z.string();
const folder = z.object({ organizationId, folderId: z.string(), folderName: z.string() });
/** Without a document or folder, of the organization. */
const userPlace = { organizationId, documentId: documentId.optional(), folderId: z.string().optional() };
const userGroup = { organizationId, organizationUserGroupId: z.string() };
const user = z.object({
  ...userPlace,
  userId: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  accessRole: z.enum(['viewer', 'editor']),
});
const record = z.record(z.string(), z.unknown());
const ofAnnotation = {
  organizationId,
  documentId,
  annotationId: z.string(),
  /** As on the wire, without its comments. */
  commentAnnotation: record,
  targetComment: record.optional(),
  actionUser: record.optional(),
  /** Present if not all users of the document may see it. */
  visibility: record.optional(),
  /** The audience before the change, if the change altered it. */
  seenBefore: z
    .object({
      visibility: record.optional(),
      accessFields: z.unknown().optional(),
      author: z.object({ userId: z.string() }),
    })
    .optional(),
  /** True if users are notified: changes by an API key are silent unless the comment asks for it. */
  loud: z.boolean(),
  /** True if it goes to the activity log; as `loud` if absent. */
  logged: z.boolean().optional(),
};
const reaction = z.object({
  reactionId: z.string(),
  /** Absent for a reaction to the annotation itself. */
  commentId: z.number().int().optional(),
  from: record,
  createdAt: z.number(),
});
const activity = z.object({ organizationId, activityId: z.string() });
const agent = z.object({ agentId: z.string(), name: z.string(), version: z.number().int() });

const run = {
  executionId: z.string(),
  agentId: z.string(),
  /** Present for runs on a document. */
  organizationId: organizationId.optional(),
  documentId: documentId.optional(),
};

/** Events for live clients alone: they are too many for webhooks. */
export const liveOnlyEvents = {
  'agent_execution.started': z.object({
    ...run,
    agentName: z.string(),
    seedUrl: z.string(),
    startedAt: z.number(),
  }),
  /** At most about one a second for a run. */
  'agent_execution.progress': z.object({
    ...run,
    phase: z.enum(['planning', 'reviewing', 'comparing', 'finishing']),
    message: z.string(),
    /** Pages. */
    done: z.number().int(),
    total: z.number().int(),
    findings: z.number().int(),
  }),
  'agent_execution.page': z.object({
    ...run,
    url: z.string(),
    status: z.enum(['completed', 'failed', 'skipped']),
    /** On this page. */
    findings: z.number().int(),
  }),
} as const;

/** Every event that a change can raise, with its payload. Ids are the caller's own. */
export const events = {
  ...liveOnlyEvents,
  'organization.add': z.object({ organizationId, organizationName: z.string() }),
  'organization.update': z.object({ organizationId, organizationName: z.string(), disabled: z.boolean() }),
  'organization.delete': z.object({ organizationId }),
  'folder.add': folder,
  'folder.update': folder,
  'folder.delete': z.object({ organizationId, folderId: z.string() }),
  'document.add': z.object({ organizationId, documentId, documentName: z.string() }),
  'document.update': z.object({
    organizationId,
    documentId,
    documentName: z.string(),
    disabled: z.boolean(),
  }),
  'document.delete': z.object({ organizationId, documentId }),
  'document.migrate': z.object({
    organizationId,
    documentId,
    newDocumentId: z.string(),
    migrationId: z.string(),
  }),
  'user.add': user,
  'user.update': user,
  'user.delete': z.object({ ...userPlace, userId: z.string() }),
  'user.data_delete': z.object({ jobId: z.string(), userIds: z.array(z.string()) }),
  'user_group.add': z.object({ ...userGroup, groupName: z.string() }),
  'user_group.delete': z.object(userGroup),
  'user_group.user_add': z.object({ ...userGroup, userId: z.string() }),
  'user_group.user_delete': z.object({ ...userGroup, userId: z.string() }),
  'activity.add': activity,
  'activity.update': activity,
  'activity.delete': activity,
  'presence.update': z.object({
    organizationId,
    documentId,
    users: z.array(z.looseObject({ userId: z.string(), status: z.enum(['online', 'away', 'offline']) })),
  }),
  'presence.delete': z.object({ organizationId, documentId, userIds: z.array(z.string()) }),
  /** With the state as it is now. */
  'live_state.broadcast': z.object({
    organizationId,
    documentId,
    liveStateDataId: z.string(),
    data: record,
  }),
  /** An editor was changed; one event for many changes. */
  'crdt.update_data': z.object({
    organizationId,
    documentId,
    editorId: z.string(),
    crdtData: z.object({
      id: z.string(),
      /** The current content; absent if it is large, and if no subscriber gets it. */
      data: z.unknown().optional(),
      lastUpdate: z.string(),
      lastUpdatedBy: z.string().nullable(),
      sessionId: z.string().nullable(),
    }),
    actionUser: z.object({ userId: z.string() }).optional(),
    truncated: z.literal(true).optional(),
  }),
  'agent.add': agent,
  'agent.update': agent,
  'agent.delete': z.object({ agentId: z.string() }),
  'comment_annotation.add': z.object(ofAnnotation),
  'comment_annotation.delete': z.object(ofAnnotation),
  'comment_annotation.assign': z.object(ofAnnotation),
  'comment_annotation.status_change': z.object({ ...ofAnnotation, oldStatus: record, newStatus: record }),
  'comment_annotation.priority_change': z.object({ ...ofAnnotation, newPriority: record.nullable() }),
  'comment_annotation.suggestion_accept': z.object(ofAnnotation),
  'comment_annotation.suggestion_reject': z.object(ofAnnotation),
  /** Raised by any other change: of the location, the target, the visibility and so on. */
  'comment_annotation.update': z.object({ ...ofAnnotation, visibilityChanged: z.boolean().optional() }),
  'comment.add': z.object(ofAnnotation),
  'comment.update': z.object(ofAnnotation),
  'comment.delete': z.object(ofAnnotation),
  'comment.reaction_add': z.object({ ...ofAnnotation, reaction }),
  'comment.reaction_delete': z.object({ ...ofAnnotation, reaction }),
  'notification.add': z.object({
    organizationId,
    documentId: documentId.optional(),
    notificationId: z.string(),
    notificationSource: z.string(),
    notification: record,
    notifyAll: z.boolean(),
    notifyUserIds: z.array(z.string()),
  }),
  'memory.judgment_add': z.object({
    recordId: z.string(),
    organizationId: organizationId.optional(),
    documentId: documentId.optional(),
    annotationId: z.string().optional(),
    /** Source of the judgment. */
    origin: z.enum(['import', 'suggestion', 'status', 'comment', 'finding']),
    decision: z.string(),
    reasoning: z.string(),
    /** Who is mentioned in it. */
    taggedUserContacts: z.array(z.looseObject({ userId: z.string() })).optional(),
    judgeType: z.enum(['human', 'agent']),
    confidence: z.number(),
    actionUser: z.looseObject({ userId: z.string() }),
    agent: record.nullable(),
    createdAt: z.number(),
  }),
  'agent_execution.completed': z.object({
    ...run,
    agentName: z.string(),
    agentVersion: z.number().int(),
    status: z.enum(['passed', 'failed', 'partial', 'error', 'skipped']),
    /** Present if the status is `error`. */
    error: z.object({ code: z.string(), message: z.string().optional(), retryable: z.boolean() }).optional(),
    seedUrl: z.string(),
    startedAt: z.number(),
    completedAt: z.number(),
    resultsSummary: z.record(z.string(), z.unknown()),
    llmModel: z.string().optional(),
    tokenUsage: z
      .object({
        promptTokens: z.number(),
        completionTokens: z.number(),
        thoughtsTokens: z.number().optional(),
        totalTokens: z.number(),
        requestCount: z.number().optional(),
      })
      .optional(),
  }),
  /** The last execution of a review ended. */
  'agent_review.completed': z.object({
    reviewId: z.string(),
    organizationId: organizationId.optional(),
    documentId: documentId.optional(),
    urls: z.array(z.string()),
    agentIds: z.array(z.string()),
    executionIds: z.array(z.string()),
    verdict: z.enum(['clean', 'findings', 'incomplete', 'broken']),
    counts: z.object({
      findings: z.number().int(),
      open: z.number().int(),
      bySeverity: z.record(z.string(), z.number().int()),
      new: z.number().int().optional(),
      fixed: z.number().int().optional(),
      pages: z.number().int(),
    }),
    startedAt: z.number(),
    completedAt: z.number(),
  }),
  /** The last attempt to deliver a webhook message failed. */
  'message.attempt.exhausted': z.object({
    endpointId: z.string(),
    webhookId: z.string(),
    eventType: z.string(),
    attempts: z.number().int(),
    lastAttempt: z.object({ at: z.number(), status: z.number().optional(), error: z.string().optional() }),
  }),
  /** A failing endpoint nears the time at which it is disabled. */
  'endpoint.failing': z.object({
    endpointId: z.string(),
    url: z.string().optional(),
    percent: z.union([z.literal(50), z.literal(90)]),
    failingSince: z.number(),
    disablesAt: z.number(),
  }),
  'endpoint.disabled': z.object({
    endpointId: z.string(),
    reason: z.enum(['gone', 'failing']),
    failingSince: z.number().optional(),
  }),
} as const;

export type EventName = keyof typeof events;
export type WebhookEventName = Exclude<EventName, keyof typeof liveOnlyEvents>;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;

export type Event = {
  [Name in EventName]: {
    id: string;
    /** Increases with each change of the same subject. */
    seq: number;
    name: Name;
    payload: EventPayload<Name>;
    workspaceId: string;
    apiKeyId: string;
    createdAt: number;
  };
}[EventName];
