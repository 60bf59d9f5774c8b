import type { WebhookEventType } from './webhook-catalog.ts';

/**
 * An allow-list of fields without personal data. `true` allows a plain value or a list of plain values; an object
 * lists the allowed fields of a record, or of each record of a list. `*` matches every key of a record keyed by ids.
 */
export type AllowedFields = true | { readonly [field: string]: AllowedFields };

const person = { userId: true } as const;
const coded = { id: true, type: true } as const;
const visibility = { type: true, userIds: true, organizationIds: true, organizationId: true } as const;
// An agent words its findings itself, so only ids and ratings are allowed.
const agent = {
  agentSource: true,
  agentId: true,
  executionId: true,
  reason: { severity: true, findingId: true, findingType: true, confidence: true, source: true },
} as const;

const commentAnnotation = {
  annotationId: true,
  annotationNumber: true,
  annotationIndex: true,
  type: true,
  sourceType: true,
  commentType: true,
  isDraft: true,
  hasDraftComments: true,
  from: person,
  assignedTo: person,
  resolvedByUserId: true,
  statusUpdatedByUserId: true,
  involvedUserIds: true,
  mentionedUserIds: true,
  subscribedUsers: { '*': { user: person, type: true } },
  unsubscribedUsers: { '*': { user: person, type: true } },
  status: coded,
  priority: { id: true },
  visibilityConfig: visibility,
  suggestion: { status: true, resolvedAt: true, driftDetected: true },
  agent,
  location: { id: true },
  locationId: true,
  isPageAnnotation: true,
  metadata: { apiKey: true, organizationId: true, documentId: true },
  createdAt: true,
  lastUpdated: true,
} as const satisfies AllowedFields;

const targetComment = {
  commentId: true,
  type: true,
  status: true,
  sourceType: true,
  from: person,
  to: person,
  taggedUserContacts: person,
  isCommentResolverUsed: true,
  isCommentTextAvailable: true,
  triggerNotification: true,
  agent,
  createdAt: true,
  lastUpdated: true,
} as const satisfies AllowedFields;

const metadata = {
  apiKey: true,
  document: { documentId: true },
  organization: { organizationId: true },
  locationId: true,
  location: { id: true },
} as const satisfies AllowedFields;

const editorData = {
  crdtData: { id: true, lastUpdate: true, lastUpdatedBy: true, sessionId: true },
  actionUser: person,
  metadata,
} as const satisfies AllowedFields;

const commentData = {
  commentAnnotation,
  targetComment,
  actionUser: person,
  metadata,
  visibility,
  oldStatus: coded,
  newStatus: coded,
  newPriority: { id: true },
} as const satisfies AllowedFields;

const place = { organizationId: true, documentId: true, folderId: true } as const;
const user = { ...place, userId: true, accessRole: true } as const;
const userGroup = { organizationId: true, organizationUserGroupId: true, userId: true } as const;
const activity = { organizationId: true, activityId: true } as const;
const agentRecord = { agentId: true, version: true } as const;
const organization = { organizationId: true, disabled: true } as const;
const document = { ...place, disabled: true, newDocumentId: true, migrationId: true } as const;

/** Allowed fields of each event's `data`. Everything else is removed, fields that callers define included. */
const allowedData: Record<WebhookEventType, AllowedFields> = {
  'comment_annotation.add': commentData,
  'comment_annotation.update': commentData,
  'comment_annotation.delete': commentData,
  'comment_annotation.assign': commentData,
  'comment_annotation.status_change': commentData,
  'comment_annotation.priority_change': commentData,
  'comment_annotation.suggestion_accept': commentData,
  'comment_annotation.suggestion_reject': commentData,
  'comment.add': commentData,
  'comment.update': commentData,
  'comment.delete': commentData,
  'organization.add': organization,
  'organization.update': organization,
  'organization.delete': organization,
  'folder.add': place,
  'folder.update': place,
  'folder.delete': place,
  'document.add': document,
  'document.update': document,
  'document.delete': document,
  'document.migrate': document,
  'user.add': user,
  'user.update': user,
  'user.delete': user,
  'user.data_delete': { jobId: true, userIds: true },
  'user_group.add': userGroup,
  'user_group.delete': userGroup,
  'user_group.user_add': userGroup,
  'user_group.user_delete': userGroup,
  'activity.add': activity,
  'activity.update': activity,
  'activity.delete': activity,
  'presence.update': { ...place, users: { userId: true, status: true } },
  'presence.delete': { ...place, userIds: true },
  'live_state.broadcast': { ...place, liveStateDataId: true },
  'crdt.update_data': editorData,
  'agent.add': agentRecord,
  'agent.update': agentRecord,
  'agent.delete': agentRecord,
  'notification.add': {
    ...place,
    notificationId: true,
    notificationSource: true,
    notification: { id: true, notificationSource: true, actionUser: person, location: { id: true } },
    notifyAll: true,
    notifyUserIds: true,
  },
  'memory.judgment_add': {
    ...place,
    recordId: true,
    annotationId: true,
    origin: true,
    decision: true,
    judgeType: true,
    confidence: true,
    taggedUserContacts: person,
    actionUser: person,
    agent: { agentId: true, agentType: true, executionId: true },
    createdAt: true,
  },
  'agent_execution.completed': {
    ...place,
    executionId: true,
    agentId: true,
    agentVersion: true,
    status: true,
    error: { code: true, retryable: true },
    startedAt: true,
    completedAt: true,
    resultsSummary: {
      totalFindings: true,
      totalAnnotationsCreated: true,
      urlsProcessed: true,
      urlsWithFindings: true,
      urlsErrored: true,
      urlsSkipped: true,
      issuesCreated: true,
      heldBack: true,
      severityCounts: { critical: true, high: true, medium: true, low: true, info: true },
    },
    llmModel: true,
    tokenUsage: { promptTokens: true, completionTokens: true, totalTokens: true },
  },
  'message.attempt.exhausted': {
    endpointId: true,
    webhookId: true,
    eventType: true,
    attempts: true,
    lastAttempt: { at: true, status: true },
  },
  'endpoint.failing': { endpointId: true, percent: true, failingSince: true, disablesAt: true },
  'endpoint.disabled': { endpointId: true, reason: true, failingSince: true },
};

const channels = { '*': { inbox: true, email: true } } as const;

const envelope = {
  webhookId: true,
  actionType: true,
  platform: true,
  createdAt: true,
  truncated: true,
  usersOrganizationNotificationsConfig: channels,
  usersDocumentNotificationsConfig: channels,
} as const;

/** Allowed fields of a body for advanced endpoints. */
export const allowedFieldsOf = (type: WebhookEventType): AllowedFields => ({
  ...envelope,
  event: true,
  source: true,
  data: allowedData[type],
});

/** Allowed fields of a body for basic endpoints, which is flat and concerns comments and editors only. */
export const BASIC_ALLOWED_FIELDS: AllowedFields = {
  ...envelope,
  ...commentData,
  ...editorData,
  notificationSource: true,
  assigned: person,
};

export interface PickLimits {
  /** Longest list, and most keys of a record keyed by ids. */
  entries: number;
  /** Longest text in characters; a longer one is left out. */
  text: number;
}

const UNLIMITED: PickLimits = { entries: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY };

/** Copies the allowed fields of a record. A value of another kind than the list expects is left out. */
export function pickFields(record: unknown, allowed: AllowedFields, limits: PickLimits = UNLIMITED): unknown {
  if (Array.isArray(record)) {
    return record
      .slice(0, limits.entries)
      .filter((item) => !Array.isArray(item))
      .map((item) => pickFields(item, allowed, limits))
      .filter((item) => item !== undefined);
  }
  if (record === null) return null;
  if (typeof record !== 'object') return allowed === true ? pickPlain(record, limits) : undefined;
  if (allowed === true) return undefined;
  const each = allowed['*'];
  const entries = each
    ? Object.entries(record)
        .slice(0, limits.entries)
        .map(([key, value]) => [key, pickFields(value, each, limits)])
    : Object.entries(allowed)
        .filter(([key]) => Object.hasOwn(record, key))
        .map(([key, inner]) => [key, pickFields((record as Record<string, unknown>)[key], inner, limits)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const pickPlain = (value: unknown, { text }: PickLimits): unknown =>
  typeof value === 'string' && value.length > text ? undefined : value;
