import { z } from 'zod';
import { grounding, precedent, severity } from '../agents/execution.ts';
import { named } from '../named.ts';
import { user } from '../user.ts';
import {
  agentSources,
  agentTypes,
  location,
  pageInfo,
  priority,
  targetElement,
  visibility,
} from './annotation.ts';
import { readAttachment } from './attachment.ts';

/*
 * What annotations and comments contain. They are parsed by looser schemas, so that whatever is stored can be read.
 */

const at = z.number().describe('Epoch milliseconds.');

const status = named(
  'Status',
  z.looseObject({
    id: z.string().describe('`OPEN`, `IN_PROGRESS`, `RESOLVED`, or an id of the caller.'),
    name: z.string(),
    type: z.enum(['default', 'ongoing', 'terminal']).describe('`terminal` is resolved.'),
    color: z.string().optional(),
    lightColor: z.string().optional(),
    svg: z.string().optional(),
    iconUrl: z.string().optional(),
  }),
);

const suggestion = named(
  'Suggestion',
  z.looseObject({
    status: z.enum(['pending', 'accepted', 'rejected']),
    summary: z.string().optional().describe('The suggested fix, in words.'),
    targetId: z.string().optional(),
    targetType: z.string().optional(),
    oldValue: z.unknown().optional(),
    newValue: z.unknown().optional(),
    driftDetected: z.boolean().optional(),
    rejectReason: z.string().optional(),
    resolvedBy: z.union([z.string(), user]).optional().describe('The user who decided, or their userId.'),
    resolvedAt: at.optional(),
  }),
);

const assistantName = z.string().optional().describe('Name of the assistant.');
const decidedByAssistant = z.object({ suggestion: assistantName, status: assistantName });
export type DecidedByAssistant = z.infer<typeof decidedByAssistant>;

const reason = named(
  'AnnotationReason',
  z.looseObject({
    title: z.string(),
    description: z.string(),
    severity,
    findingId: z.string().optional().describe('Id of the finding in its execution.'),
    findingType: z.enum(['text', 'pin', 'page']).optional(),
    issueType: z.string().optional().describe('Lower-case, hyphenated tag, such as `broken-link`.'),
    confidence: z.number().optional().describe('From 0 to 100.'),
    suggestion: z.string().optional(),
    suggestedFix: z.string().optional(),
    htmlSnippet: z.string().optional(),
    htmlSelector: z.string().optional().describe('CSS selector of the element; empty if there is none.'),
    targetElementXpath: z.string().optional(),
    textBefore: z.string().optional().describe('Text of the page before the target text.'),
    textAfter: z.string().optional().describe('Text of the page after the target text.'),
    source: z.enum(['instructions', 'knowledge']).optional(),
    knowledgeSection: z.string().optional(),
    groundedBy: z.array(grounding).optional(),
    precedent: precedent.optional(),
    url: z.string().optional().describe('The address that the finding is about.'),
    artifactId: z.string().optional().describe('Stored file that shows the finding.'),
    cause: z
      .looseObject({ id: z.string(), places: z.number(), pages: z.number() })
      .optional()
      .describe('The cause that the annotation is about, with the number of its places and pages.'),
  }),
);

export const annotationAgent = named(
  'AnnotationAgent',
  z.looseObject({
    agentId: z.string().optional(),
    agentName: z.string().optional(),
    agentSource: z.enum(agentSources).describe('`platform`: an agent of this service.'),
    agentType: z.enum(agentTypes).optional(),
    executionId: z.string().optional(),
    url: z.string().optional().describe('URL of the page.'),
    injected: z.boolean().optional().describe('True if the page contains instructions to models.'),
    reason,
  }),
);

const subscriptions = z
  .record(z.string(), z.looseObject({ user, type: z.string().optional() }))
  .describe('Keyed by the MD5 hash of the userId.');

export const annotationMetadata = named(
  'AnnotationMetadata',
  z.looseObject({
    apiKey: z.string(),
    organizationId: z.string(),
    documentId: z.string(),
    folderId: z.string().optional(),
  }),
);

/** Fields of an annotation beside those by which it is parsed. */
export const annotationDocumentation = {
  type: z.enum(['comment', 'suggestion']).optional(),
  sourceType: z.string().optional().describe('`agent` if an agent created it, otherwise `rest-api`.'),
  commentType: z.string().optional().describe('`manual`, `chart` or `suggestion`.'),
  status: status.optional(),
  suggestion: suggestion.optional().describe('Present in annotations of the type `suggestion`.'),
  decidedByAssistant: decidedByAssistant
    .optional()
    .describe(
      'The AI assistants that made the latest decision on the suggestion, and the latest change of the status, for the person who is named there. A person who decides takes the place of the assistant. Set by the service alone.',
    ),
  agent: annotationAgent.optional().describe('The agent that created it, with the page and the reason.'),
  assignedTo: user.optional(),
  priority: priority.optional(),
  location: location.optional(),
  locationId: z.number().optional().describe('Number that stands for the id of the location.'),
  targetElement: targetElement.optional(),
  visibilityConfig: visibility,
  context: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Arbitrary data of the caller. `accessFields` are the pairs of `access`.'),
  metadata: annotationMetadata.describe(
    'Ids of its API key, organization, document and folder, and data of the caller.',
  ),
  pageInfo: pageInfo
    .extend({
      path: z.string().optional(),
      queryParams: z.string().optional(),
      deviceInfo: z
        .looseObject({ deviceType: z.string().optional() })
        .optional()
        .describe('The viewport in which an agent loaded the page.'),
    })
    .optional()
    .describe('The web page of the annotation.'),
  isPageAnnotation: z.boolean().optional().describe('True if it is about the page as a whole.'),
  positionX: z.number().nullish().describe('CSS pixels from the left of the page.'),
  positionY: z.number().nullish().describe('CSS pixels from the top of the page.'),
  elementWidth: z.number().optional().describe('Width of the element, in CSS pixels.'),
  elementHeight: z.number().optional().describe('Height of the element, in CSS pixels.'),
  screenWidth: z.number().nullish(),
  screenHeight: z.number().nullish(),
  screenScrollHeight: z.number().nullish(),
  screenScrollTop: z.number().nullish(),
  annotationIndex: z.number().int().describe('Same as annotationNumber.'),
  isDraft: z.boolean().optional(),
  hasDraftComments: z.boolean().optional(),
  isUnread: z
    .boolean()
    .optional()
    .describe(
      'True if the user of the token, or that of `unreadFor`, has not viewed it since its last change.',
    ),
  involvedUserIds: z.array(z.string()).optional().describe('Authors and assignees.'),
  mentionedUserIds: z.array(z.string()).optional(),
  subscribedUsers: subscriptions.optional(),
  unsubscribedUsers: subscriptions.optional(),
  viewedByUserIds: z.array(z.string()).optional(),
  resolvedByUserId: z.string().optional(),
  statusUpdatedByUserId: z.string().optional(),
};

/** Fields of a comment beside those by which it is parsed. */
export const commentDocumentation = {
  isDraft: z.boolean().optional(),
  isEdited: z.boolean().optional(),
  editedAt: at.optional(),
  isCommentResolverUsed: z.boolean().optional().describe('True if the text is stored elsewhere.'),
  isCommentTextAvailable: z.boolean().optional().describe('False if there is no text.'),
  replaceContentText: z.string().optional(),
  replaceContentHtml: z.string().optional(),
  context: z.record(z.string(), z.unknown()).optional().describe('Arbitrary data of the caller.'),
  attachments: z.array(readAttachment).optional(),
  taggedUserContacts: z
    .array(
      named('Mention', z.looseObject({ userId: z.string(), contact: user, text: z.string().optional() })),
    )
    .optional()
    .describe('The mentioned users, with the text that mentions them.'),
  agent: annotationAgent.optional().describe('The agent that wrote it, with its reason.'),
  assistant: z
    .object({ name: z.string() })
    .optional()
    .describe('The AI assistant that wrote or edited it for the person in `from`. Set by the service alone.'),
};
