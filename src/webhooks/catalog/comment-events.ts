import { z } from 'zod';
import type { EventName } from '../../events/event-catalog.ts';
import {
  allowedMetadata,
  allowedPerson,
  ana,
  ben,
  metadata,
  person,
  SAMPLE_TIME,
  sampleMetadata,
  samplePlace,
  type WebhookEvent,
} from './webhook-event.ts';

const at = z.number().describe('Epoch milliseconds.');

const status = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  type: z.enum(['default', 'ongoing', 'terminal']).optional(),
});
const priority = z.looseObject({ id: z.string(), name: z.string().optional() });

export const commentAnnotation = z
  .looseObject({
    annotationId: z.string(),
    annotationNumber: z.number().int().optional(),
    type: z.string().optional().describe('`comment` or `suggestion`.'),
    status: status.optional(),
    priority: priority.optional(),
    from: person.optional(),
    assignedTo: person.optional(),
    suggestion: z.record(z.string(), z.unknown()).optional(),
    decidedByAssistant: z
      .object({ suggestion: z.string().optional(), status: z.string().optional() })
      .optional()
      .describe('The AI assistants that decided on the suggestion, or changed the status, for a person.'),
    createdAt: at.optional(),
    lastUpdated: at.optional(),
  })
  .describe(
    'The annotation after the change, without its comments. `targetComment` is the affected comment.',
  );

export const targetComment = z
  .looseObject({
    commentId: z.number().int(),
    commentText: z.string().optional(),
    commentHtml: z.string().optional(),
    from: person.optional(),
    assistant: z
      .object({ name: z.string() })
      .optional()
      .describe('The AI assistant that wrote or edited it for the person in `from`.'),
    createdAt: at.optional(),
    lastUpdated: z.union([z.string(), z.number()]).optional(),
  })
  .describe('The comment that was added, changed or deleted.');

export const visibility = z
  .looseObject({
    type: z.string(),
    userIds: z.array(z.string()).optional(),
    organizationIds: z.array(z.string()).optional(),
    organizationId: z.string().optional(),
  })
  .describe('Present only if not every reader of the document may see the annotation.');

export const commentData = z.looseObject({
  commentAnnotation,
  targetComment: targetComment.optional(),
  actionUser: person.optional().describe('The user who made the change, if known.'),
  metadata,
  visibility: visibility.optional(),
});

const coded = { id: true, type: true } as const;
const allowedVisibility = { type: true, userIds: true, organizationIds: true, organizationId: true } as const;
// An agent words its findings itself, so only ids and ratings are allowed.
const allowedAgent = {
  agentSource: true,
  agentId: true,
  executionId: true,
  reason: { severity: true, findingId: true, findingType: true, confidence: true, source: true },
} as const;

const allowedAnnotation = {
  annotationId: true,
  annotationNumber: true,
  annotationIndex: true,
  type: true,
  sourceType: true,
  commentType: true,
  isDraft: true,
  hasDraftComments: true,
  from: allowedPerson,
  assignedTo: allowedPerson,
  resolvedByUserId: true,
  statusUpdatedByUserId: true,
  involvedUserIds: true,
  mentionedUserIds: true,
  subscribedUsers: { '*': { user: allowedPerson, type: true } },
  unsubscribedUsers: { '*': { user: allowedPerson, type: true } },
  status: coded,
  priority: { id: true },
  visibilityConfig: allowedVisibility,
  suggestion: { status: true, resolvedAt: true, driftDetected: true },
  decidedByAssistant: { suggestion: true, status: true },
  agent: allowedAgent,
  location: { id: true },
  locationId: true,
  isPageAnnotation: true,
  metadata: { apiKey: true, organizationId: true, documentId: true },
  createdAt: true,
  lastUpdated: true,
} as const;

const allowedComment = {
  commentId: true,
  type: true,
  status: true,
  sourceType: true,
  from: allowedPerson,
  to: allowedPerson,
  taggedUserContacts: allowedPerson,
  isCommentResolverUsed: true,
  isCommentTextAvailable: true,
  triggerNotification: true,
  agent: allowedAgent,
  assistant: { name: true },
  createdAt: true,
  lastUpdated: true,
} as const;

export const allowedCommentData = {
  commentAnnotation: allowedAnnotation,
  targetComment: allowedComment,
  actionUser: allowedPerson,
  metadata: allowedMetadata,
  visibility: allowedVisibility,
  oldStatus: coded,
  newStatus: coded,
  newPriority: { id: true },
  reaction: { reactionId: true, commentId: true, from: allowedPerson, createdAt: true },
} as const;

const open = { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' };
const resolved = {
  id: 'RESOLVED',
  name: 'Resolved',
  type: 'terminal',
  color: '#1F8A5B',
  lightColor: '#DFF3EA',
};
const high = { id: 'P1', name: 'High' };

const sampleAnnotation = {
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
  metadata: { apiKey: 'key_4Rk1', ...samplePlace },
  createdAt: SAMPLE_TIME,
  lastUpdated: SAMPLE_TIME,
};
const sampleComment = {
  commentId: 412_087,
  type: 'text',
  commentText: 'The yearly price is missing here.',
  commentHtml: '<p>The yearly price is missing here.</p>',
  from: ana,
  createdAt: SAMPLE_TIME,
  lastUpdated: new Date(SAMPLE_TIME).toISOString(),
};

/** The sample of an annotation by Ana that Ben has changed. */
const changedByBen = (change: object): Record<string, unknown> => ({
  commentAnnotation: { ...sampleAnnotation, ...change },
  actionUser: ben,
  metadata: sampleMetadata,
});

const decided = (decision: 'accepted' | 'rejected'): Record<string, unknown> =>
  changedByBen({
    type: 'suggestion',
    suggestion: {
      oldValue: '9 EUR',
      newValue: '9 EUR a month',
      status: decision,
      resolvedAt: SAMPLE_TIME,
    },
  });

const shared = { source: 'comment', data: commentData, allowed: allowedCommentData } as const;
const ofComment = {
  ...shared,
  sample: {
    commentAnnotation: sampleAnnotation,
    targetComment: sampleComment,
    actionUser: ana,
    metadata: sampleMetadata,
  },
};
export const reaction = z
  .looseObject({
    reactionId: z.string(),
    commentId: z.number().int().optional().describe('Absent for a reaction to the annotation itself.'),
    from: person,
    createdAt: at,
  })
  .describe('The reaction.');
export const reactionData = commentData.extend({ reaction });
const ofReaction = {
  ...shared,
  optIn: true,
  data: reactionData,
  sample: {
    ...ofComment.sample,
    actionUser: ben,
    reaction: { reactionId: '👍', commentId: sampleComment.commentId, from: ben, createdAt: SAMPLE_TIME },
  },
} as const;
const ofAnnotation = { ...shared, sample: changedByBen({}) };

/** Events of annotations and comments. */
export const commentEvents = {
  'comment_annotation.add': {
    ...ofComment,
    description: 'An annotation was added, with its first comment.',
    actionType: 'newlyAdded',
  },
  'comment_annotation.update': {
    ...ofAnnotation,
    description: 'An annotation was changed in a way that no other event covers.',
    actionType: 'updated',
    otherActionType: 'accessModeChanged',
  },
  'comment_annotation.delete': {
    ...ofAnnotation,
    description: 'An annotation was deleted, with its comments.',
    actionType: 'deleted',
  },
  'comment_annotation.assign': {
    ...shared,
    description: 'An annotation was assigned to a user, or its assignment was removed.',
    actionType: 'assigned',
    sample: changedByBen({ assignedTo: ben }),
  },
  'comment_annotation.status_change': {
    ...shared,
    description: 'The status of an annotation changed.',
    actionType: 'statusChanged',
    data: commentData.extend({ oldStatus: status, newStatus: status }),
    sample: { ...changedByBen({ status: resolved }), oldStatus: open, newStatus: resolved },
  },
  'comment_annotation.priority_change': {
    ...shared,
    description: 'The priority of an annotation changed or was removed.',
    actionType: 'priorityChanged',
    data: commentData.extend({ newPriority: priority.nullable() }),
    sample: { ...changedByBen({ priority: high }), newPriority: high },
  },
  'comment_annotation.suggestion_accept': {
    ...shared,
    description: 'A suggestion was accepted.',
    actionType: 'suggestionAccepted',
    optIn: true,
    sample: decided('accepted'),
  },
  'comment_annotation.suggestion_reject': {
    ...shared,
    description: 'A suggestion was rejected.',
    actionType: 'suggestionRejected',
    optIn: true,
    sample: decided('rejected'),
  },
  'comment.add': {
    ...ofComment,
    description: 'A comment was added to an annotation.',
    actionType: 'added',
  },
  'comment.update': { ...ofComment, description: 'A comment was changed.', actionType: 'updated' },
  'comment.delete': { ...ofComment, description: 'A comment was deleted.', actionType: 'deleted' },
  'comment.reaction_add': {
    ...ofReaction,
    description: 'A user reacted to an annotation or comment.',
    actionType: 'reactionAdded',
  },
  'comment.reaction_delete': {
    ...ofReaction,
    description: 'A user took a reaction to an annotation or comment back.',
    actionType: 'reactionDeleted',
  },
} satisfies Partial<Record<EventName, WebhookEvent>>;

export type CommentEventType = keyof typeof commentEvents;

export const isCommentEvent = (name: string): name is CommentEventType => Object.hasOwn(commentEvents, name);
