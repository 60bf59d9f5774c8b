import type { WebhookEventType } from './webhook-catalog.ts';

/**
 * Which fields of a record are free of anything personal: `true` for a plain value or a list of such, the
 * fields of a record or of each record of a list otherwise. `*` stands for every key, where ids are the keys.
 */
export type Kept = true | { readonly [field: string]: Kept };

const person = { userId: true } as const;
const coded = { id: true, type: true } as const;
const visibility = { type: true, userIds: true, organizationIds: true, organizationId: true } as const;
/** Of what it found only how bad that is; a finding's type is in the agent's own words. */
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
} as const satisfies Kept;

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
} as const satisfies Kept;

const metadata = {
  apiKey: true,
  document: { documentId: true },
  organization: { organizationId: true },
  locationId: true,
  location: { id: true },
} as const satisfies Kept;

const ofEditor = {
  crdtData: { id: true, lastUpdate: true, lastUpdatedBy: true, sessionId: true },
  actionUser: person,
  metadata,
} as const satisfies Kept;

const ofComment = {
  commentAnnotation,
  targetComment,
  actionUser: person,
  metadata,
  visibility,
  oldStatus: coded,
  newStatus: coded,
  newPriority: { id: true },
} as const satisfies Kept;

const place = { organizationId: true, documentId: true, folderId: true } as const;
const user = { ...place, userId: true, accessRole: true } as const;
const userGroup = { organizationId: true, organizationUserGroupId: true, userId: true } as const;
const activity = { organizationId: true, activityId: true } as const;
const agentItself = { agentId: true, version: true } as const;
const organization = { organizationId: true, disabled: true } as const;
const document = { ...place, disabled: true, newDocumentId: true, migrationId: true } as const;

/** Of the data of every event. Whatever is not here, the caller's own fields too, goes. */
const keptOfData: Record<WebhookEventType, Kept> = {
  'comment_annotation.add': ofComment,
  'comment_annotation.update': ofComment,
  'comment_annotation.delete': ofComment,
  'comment_annotation.assign': ofComment,
  'comment_annotation.status_change': ofComment,
  'comment_annotation.priority_change': ofComment,
  'comment_annotation.suggestion_accept': ofComment,
  'comment_annotation.suggestion_reject': ofComment,
  'comment.add': ofComment,
  'comment.update': ofComment,
  'comment.delete': ofComment,
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
  'crdt.update_data': ofEditor,
  'agent.add': agentItself,
  'agent.update': agentItself,
  'agent.delete': agentItself,
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

/** Of a body for advanced endpoints. */
export const keptOf = (type: WebhookEventType): Kept => ({
  ...envelope,
  event: true,
  source: true,
  data: keptOfData[type],
});

/** Of a body for basic ones, which is flat and only of comments and editors. */
export const KEPT_OF_BASIC: Kept = {
  ...envelope,
  ...ofComment,
  ...ofEditor,
  notificationSource: true,
  assigned: person,
};
