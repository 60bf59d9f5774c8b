import type { EventName } from '../../events/event-catalog.ts';

const place = { organizationId: 'acme', documentId: 'pricing-page' };
const at = 1_767_260_000_000;

const ana = { userId: 'ana', name: 'Ana Sousa', email: 'ana@acme.example' };
const ben = { userId: 'ben', name: 'Ben Okoro', email: 'ben@acme.example' };

const open = { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' };
const resolved = {
  id: 'RESOLVED',
  name: 'Resolved',
  type: 'terminal',
  color: '#1F8A5B',
  lightColor: '#DFF3EA',
};
const high = { id: 'P1', name: 'High' };

const commentAnnotation = {
  annotationId: 'annotation_2Xb7Q',
  annotationNumber: 4,
  annotationIndex: 4,
  type: 'comment',
  sourceType: 'rest-api',
  from: ana,
  status: open,
  visibilityConfig: { type: 'public' },
  involvedUserIds: ['ana', 'ben'],
  mentionedUserIds: [],
  metadata: { apiKey: 'key_4Rk1', ...place },
  createdAt: at,
  lastUpdated: at,
};
const targetComment = {
  commentId: 412_087,
  type: 'text',
  commentText: 'The yearly price is missing here.',
  commentHtml: '<p>The yearly price is missing here.</p>',
  from: ana,
  createdAt: at,
  lastUpdated: new Date(at).toISOString(),
};
const metadata = {
  apiKey: 'key_4Rk1',
  document: { documentId: 'pricing-page', documentName: 'Pricing' },
  documentMetadata: { team: 'web' },
  organization: { organizationId: 'acme', organizationName: 'Acme' },
  organizationMetadata: {},
  pageInfo: { url: 'https://www.acme.example/pricing' },
};
const ofComment = { commentAnnotation, targetComment, actionUser: ana, metadata };
const ofAnnotation = { commentAnnotation, actionUser: ben, metadata };
const suggestion = (status: string) => ({
  ...ofAnnotation,
  commentAnnotation: {
    ...commentAnnotation,
    type: 'suggestion',
    suggestion: { oldValue: '9 EUR', newValue: '9 EUR a month', status, resolvedAt: at },
  },
});

const user = { organizationId: 'acme', ...ben, accessRole: 'editor' };
const userGroup = { organizationId: 'acme', organizationUserGroupId: 'designers' };
const activity = { organizationId: 'acme', activityId: 'activity_9Jd2' };
const agent = { agentId: 'agent_7Tc5', name: 'Prices', version: 2 };

/** An example of the data of every event. */
export const samples: Record<EventName, Record<string, unknown>> = {
  'comment_annotation.add': ofComment,
  'comment_annotation.update': ofAnnotation,
  'comment_annotation.delete': ofAnnotation,
  'comment_annotation.assign': {
    ...ofAnnotation,
    commentAnnotation: { ...commentAnnotation, assignedTo: ben },
  },
  'comment_annotation.status_change': {
    ...ofAnnotation,
    commentAnnotation: { ...commentAnnotation, status: resolved },
    oldStatus: open,
    newStatus: resolved,
  },
  'comment_annotation.priority_change': {
    ...ofAnnotation,
    commentAnnotation: { ...commentAnnotation, priority: high },
    newPriority: high,
  },
  'comment_annotation.suggestion_accept': suggestion('accepted'),
  'comment_annotation.suggestion_reject': suggestion('rejected'),
  'comment.add': ofComment,
  'comment.update': ofComment,
  'comment.delete': ofComment,
  'organization.add': { organizationId: 'acme', organizationName: 'Acme' },
  'organization.update': { organizationId: 'acme', organizationName: 'Acme Ltd', disabled: false },
  'organization.delete': { organizationId: 'acme' },
  'folder.add': { organizationId: 'acme', folderId: 'site', folderName: 'Site' },
  'folder.update': { organizationId: 'acme', folderId: 'site', folderName: 'Website' },
  'folder.delete': { organizationId: 'acme', folderId: 'site' },
  'document.add': { ...place, documentName: 'Pricing' },
  'document.update': { ...place, documentName: 'Prices', disabled: false },
  'document.delete': place,
  'document.migrate': { ...place, newDocumentId: 'prices-page', migrationId: 'migration_5Hn8' },
  'user.add': user,
  'user.update': { ...user, accessRole: 'viewer' },
  'user.delete': { organizationId: 'acme', userId: 'ben' },
  'user.data_delete': { jobId: 'deletion_3Wm6', userIds: ['ben'] },
  'user_group.add': { ...userGroup, groupName: 'Designers' },
  'user_group.delete': userGroup,
  'user_group.user_add': { ...userGroup, userId: 'ben' },
  'user_group.user_delete': { ...userGroup, userId: 'ben' },
  'activity.add': activity,
  'activity.update': activity,
  'activity.delete': activity,
  'presence.update': { ...place, users: [{ userId: 'ben', name: 'Ben Okoro', status: 'online' }] },
  'presence.delete': { ...place, userIds: ['ben'] },
  'live_state.broadcast': { ...place, liveStateDataId: 'cursor', data: { slide: 3 } },
  'crdt.update_data': {
    crdtData: {
      id: 'intro',
      data: 'Nine euros a month, and nothing else.',
      lastUpdate: new Date(at).toISOString(),
      lastUpdatedBy: 'ana',
      sessionId: 'session_7Kq2',
    },
    actionUser: { userId: 'ana' },
    metadata,
  },
  'agent.add': { ...agent, version: 1 },
  'agent.update': agent,
  'agent.delete': { agentId: agent.agentId },
  'notification.add': {
    ...place,
    notificationId: 'notification_8Yp4',
    notificationSource: 'custom',
    notification: {
      id: 'notification_8Yp4',
      notificationSource: 'custom',
      actionUser: ana,
      displayHeadlineMessageTemplate: '{actionUser} approved {page}',
      displayHeadlineMessageTemplateData: { actionUser: ana, page: 'Pricing' },
    },
    notifyAll: false,
    notifyUserIds: ['ben'],
  },
  'memory.judgment_add': {
    recordId: 'jdg_8Wd1',
    ...place,
    annotationId: 'annotation_2Xb7Q',
    origin: 'suggestion',
    decision: 'reject',
    reasoning: 'Prices are always shown with tax.',
    judgeType: 'human',
    confidence: 1,
    actionUser: ana,
    agent: null,
    createdAt: at,
  },
  'agent_execution.completed': {
    executionId: 'execution_6Vz3',
    agentId: agent.agentId,
    agentName: 'Prices',
    agentVersion: 2,
    ...place,
    status: 'failed',
    seedUrl: 'https://www.acme.example/pricing',
    startedAt: at,
    completedAt: at + 42_000,
    resultsSummary: {
      totalFindings: 1,
      totalAnnotationsCreated: 1,
      urlsProcessed: 1,
      urlsWithFindings: 1,
      urlsErrored: 0,
      severityCounts: { medium: 1 },
      summary: 'Found 1 issue across 1 page. 1 annotation created.',
    },
  },
  'message.attempt.exhausted': {
    endpointId: 'ep_1Fs9',
    webhookId: 'evt_0Lq2',
    eventType: 'comment.add',
    attempts: 8,
    lastAttempt: { at, status: 500 },
  },
  'endpoint.failing': {
    endpointId: 'ep_1Fs9',
    url: 'https://hooks.acme.example/redpen',
    percent: 50,
    failingSince: at,
    disablesAt: at + 5 * 24 * 3_600_000,
  },
  'endpoint.disabled': { endpointId: 'ep_1Fs9', reason: 'failing', failingSince: at },
};
