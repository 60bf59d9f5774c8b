import { z } from 'zod';

/*
 * Text is optional everywhere, because data protection and truncation remove it. Ids stay in every form.
 */

const fields = z.record(z.string(), z.unknown());
const at = z.number().describe('Epoch milliseconds.');

export const person = z.looseObject({
  userId: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
});

const status = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  type: z.enum(['default', 'ongoing', 'terminal']).optional(),
});
const priority = z.looseObject({ id: z.string(), name: z.string().optional() });

const commentAnnotation = z
  .looseObject({
    annotationId: z.string(),
    annotationNumber: z.number().int().optional(),
    type: z.string().optional().describe('`comment` or `suggestion`.'),
    status: status.optional(),
    priority: priority.optional(),
    from: person.optional(),
    assignedTo: person.optional(),
    suggestion: fields.optional(),
    createdAt: at.optional(),
    lastUpdated: at.optional(),
  })
  .describe(
    'The annotation as the change left it, without its comments: targetComment is the one concerned.',
  );

const targetComment = z
  .looseObject({
    commentId: z.number().int(),
    commentText: z.string().optional(),
    commentHtml: z.string().optional(),
    from: person.optional(),
    createdAt: at.optional(),
    lastUpdated: z.union([z.string(), z.number()]).optional(),
  })
  .describe('The comment that was added, changed or deleted.');

export const metadata = z
  .looseObject({
    apiKey: z.string(),
    document: z.looseObject({ documentId: z.string(), documentName: z.string().optional() }),
    documentMetadata: fields.optional(),
    organization: z.looseObject({ organizationId: z.string(), organizationName: z.string().optional() }),
    organizationMetadata: fields.optional(),
    pageInfo: fields.optional(),
    locationId: z.number().optional(),
    location: fields.optional(),
  })
  .describe('Where it happened. Names are those of the moment when the message was made.');

const visibility = z
  .looseObject({
    type: z.string(),
    userIds: z.array(z.string()).optional(),
    organizationIds: z.array(z.string()).optional(),
    organizationId: z.string().optional(),
  })
  .describe('Only where not everybody who may read the document may see it.');

const ofComment = {
  commentAnnotation,
  targetComment: targetComment.optional(),
  actionUser: person.optional().describe('Who did it, as far as that is known.'),
  metadata,
  visibility: visibility.optional(),
};
const data = z.looseObject(ofComment);

/** Events of annotations and comments. Those that few receivers want are opt-in. */
export const commentEvents = {
  'comment_annotation.add': {
    description: 'An annotation was added, with its first comment.',
    source: 'comment',
    actionType: 'newlyAdded',
    data,
  },
  'comment_annotation.update': {
    description: 'Something of an annotation changed that no other event tells of.',
    source: 'comment',
    actionType: 'updated',
    otherActionType: 'accessModeChanged',
    data,
  },
  'comment_annotation.delete': {
    description: 'An annotation was deleted, with its comments.',
    source: 'comment',
    actionType: 'deleted',
    data,
  },
  'comment_annotation.assign': {
    description: 'An annotation was assigned to somebody, or to nobody any more.',
    source: 'comment',
    actionType: 'assigned',
    data,
  },
  'comment_annotation.status_change': {
    description: 'An annotation got another status.',
    source: 'comment',
    actionType: 'statusChanged',
    data: data.extend({ oldStatus: status, newStatus: status }),
  },
  'comment_annotation.priority_change': {
    description: 'An annotation got another priority, or lost it.',
    source: 'comment',
    actionType: 'priorityChanged',
    data: data.extend({ newPriority: priority.nullable() }),
  },
  'comment_annotation.suggestion_accept': {
    description: 'A suggestion was accepted.',
    source: 'comment',
    actionType: 'suggestionAccepted',
    optIn: true,
    data,
  },
  'comment_annotation.suggestion_reject': {
    description: 'A suggestion was rejected.',
    source: 'comment',
    actionType: 'suggestionRejected',
    optIn: true,
    data,
  },
  'comment.add': {
    description: 'A comment was added to an annotation.',
    source: 'comment',
    actionType: 'added',
    data,
  },
  'comment.update': {
    description: 'A comment was changed.',
    source: 'comment',
    actionType: 'updated',
    data,
  },
  'comment.delete': {
    description: 'A comment was deleted.',
    source: 'comment',
    actionType: 'deleted',
    data,
  },
} as const;

export type CommentEventType = keyof typeof commentEvents;

export const isCommentEvent = (name: string): name is CommentEventType => Object.hasOwn(commentEvents, name);
