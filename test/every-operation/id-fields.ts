/** The kind of object that an id refers to. */
export type Kind =
  | 'organization'
  | 'folder'
  | 'document'
  | 'user'
  | 'userGroup'
  | 'location'
  | 'annotation'
  | 'comment'
  | 'notification'
  | 'activity'
  | 'editor'
  | 'snapshot'
  | 'liveState'
  | 'migration'
  | 'deletionJob'
  | 'judgment'
  | 'knowledgeSource'
  | 'memoryAlert'
  | 'webhookEndpoint'
  | 'webhookMessage'
  | 'agent'
  | 'agentGroup'
  | 'execution'
  | 'finding'
  | 'review'
  | 'schedule'
  | 'attachment'
  | 'workspace'
  | 'member'
  | 'invitation'
  | 'session'
  | 'personalToken'
  | 'apiKey'
  | 'authToken'
  | 'pageToken';

const BY_NAME: Record<string, Kind> = {
  organizationId: 'organization',
  organizationIds: 'organization',
  orgId: 'organization',
  folderId: 'folder',
  folderIds: 'folder',
  parentFolderId: 'folder',
  documentId: 'document',
  documentIds: 'document',
  docId: 'document',
  excludeDocumentIds: 'document',
  newDocumentId: 'document',
  userId: 'user',
  userIds: 'user',
  mentionedUserIds: 'user',
  readByUserIds: 'user',
  viewedByUserIds: 'user',
  unviewedByUserIds: 'user',
  unreadFor: 'user',
  resolvedBy: 'user',
  resolvedByUserId: 'user',
  statusUpdatedByUserId: 'user',
  reviewerId: 'user',
  organizationUserGroupId: 'userGroup',
  organizationUserGroupIds: 'userGroup',
  locationId: 'location',
  locationIds: 'location',
  annotationId: 'annotation',
  annotationIds: 'annotation',
  commentId: 'comment',
  commentIds: 'comment',
  notificationId: 'notification',
  notificationIds: 'notification',
  activityIds: 'activity',
  editorId: 'editor',
  editorIds: 'editor',
  snapshotId: 'snapshot',
  liveStateDataId: 'liveState',
  liveStateDataIds: 'liveState',
  migrationId: 'migration',
  jobId: 'deletionJob',
  alertId: 'memoryAlert',
  targetUserId: 'user',
  sourceId: 'knowledgeSource',
  recordId: 'judgment',
  recordIds: 'judgment',
  endpointId: 'webhookEndpoint',
  webhookId: 'webhookMessage',
  agentId: 'agent',
  agentIds: 'agent',
  groupId: 'agentGroup',
  executionId: 'execution',
  reviewId: 'review',
  scheduleId: 'schedule',
  findingId: 'finding',
  findingIds: 'finding',
  attachmentId: 'attachment',
  workspaceId: 'workspace',
  memberId: 'member',
  invitationId: 'invitation',
  sessionId: 'session',
  tokenId: 'personalToken',
  apiKey: 'apiKey',
  apiKeys: 'apiKey',
  // For operations with credentials in the body.
  authToken: 'authToken',
  pageToken: 'pageToken',
  iterator: 'pageToken',
};

/** Fields whose kind depends on the fields around them, matched by the end of their place. */
const BY_PLACE: Record<string, Kind> = {
  'organizationUserGroups.*.groupId': 'userGroup',
  'resources.*.id': 'organization',
  'permissions.*.resourceId': 'document',
  'notifications.*.id': 'notification',
  'activities.*.id': 'activity',
  'judgments.*.id': 'judgment',
  'location.id': 'location',
  'oldLocation.id': 'location',
  'newLocation.id': 'location',
};

/** Fields that look like ids but refer to nothing that a tenant stores, with the reason. */
const FREE: Record<string, string> = {
  'mcpServers.*.id': "names an entry of the agent's own list",
  'endpoints.*.id': "names an entry of the agent's own list",
  'userContextFields.*.id': "names an entry of the agent's own list",
  checklistId: "the origin of the agent, in the caller's system",
  memoryRuleIds: "the origin of the agent, in the caller's system",
  sourceOfTruthKnowledgeSourceId: 'looked up only when the agent runs',
  workflowExecutionId: "the caller's own run, stored unchanged",
  serviceId: 'one of a fixed list',
  commentTemplateId: "a template of the caller's mail service",
  tagTemplateId: "a template of the caller's mail service",
  'attachments.*.attachmentId':
    'numbers files that are stored elsewhere; `src/api/attachments` tests the others',
  statusIds: "the caller's own statuses",
  'status.id': "the caller's own statuses",
  'priority.id': "the caller's own priorities",
  'webhookServiceConfig.authToken': "a secret of the caller's own service",
  uid: "the caller's own name for an endpoint",
  reactionId: 'an emoji, or a name of the caller',
  clientId: 'the address of the document of an OAuth client',
  elementId: "an element of the caller's page",
  demoId: "an example in the caller's system",
  'reason.findingId': 'a finding within the agent block that carries it',
  causeId: 'a group of findings within the execution',
  targetId: 'the subject of a suggestion of the caller, or a filter of the own audit log',
  actorId: 'a filter of the own audit log',
  targetEntityId: 'the subject of an activity of the caller',
  targetSubEntityId: 'the subject of an activity of the caller',
};

const LOOKS_LIKE_ID = /^(id|uid|apiKeys?|pageToken|iterator|resolvedBy)$|Ids?$/;

/** A field within `data`; `*` stands for every element of a list. */
export type Place = readonly string[];

const nameOf = (place: Place): string => place.findLast((part) => part !== '*') ?? '';

const byEnd = <T>(table: Record<string, T>, place: Place): T | undefined => {
  const key = (place.at(-1) === '*' ? place.slice(0, -1) : place).join('.');
  return Object.entries(table).find(([end]) => key === end || key.endsWith(`.${end}`))?.[1];
};

export const kindOf = (place: Place): Kind | undefined => {
  if (byEnd(FREE, place) !== undefined) return undefined;
  return byEnd(BY_PLACE, place) ?? BY_NAME[nameOf(place)];
};

/** True if a field looks like an id, but none of the tables above lists it. */
export const isUnclassified = (place: Place): boolean =>
  LOOKS_LIKE_ID.test(nameOf(place)) && kindOf(place) === undefined && byEnd(FREE, place) === undefined;
