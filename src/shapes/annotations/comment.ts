import { z } from 'zod';
import { hasTooManyTags, isScriptUrl, MAX_TAGS } from '../../lib/text/html.ts';
import { MAX_BATCH } from '../batch.ts';
import { agentId, annotationId, documentId, executionId, organizationId, userId } from '../id-fields.ts';
import { named } from '../named.ts';
import { user } from '../user.ts';
import { agentSources } from './annotation.ts';

const fields = z.record(z.string(), z.unknown());

export const commentId = z
  .number()
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('Comment id within the annotation.');

/** Fields that identify the annotation of comments. */
export const onAnnotation = { organizationId, documentId, annotationId };

/** The result for one comment of a batch. */
export const commentResult = named(
  'CommentResult',
  z.object({ success: z.boolean(), id: z.number(), message: z.string() }),
);

/** A link target. Clients may render it as HTML, so it must not run scripts. */
const link = z.string().refine((url) => !isScriptUrl(url), { error: 'must not be a script' });

const html = z
  .string()
  .refine((text) => !hasTooManyTags(text), { error: `must not have more than ${MAX_TAGS} tags` });

export const author = user.extend({ userId });

export const attachment = named(
  'Attachment',
  z
    .looseObject({
      attachmentId: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      name: z.string().optional(),
      bucketPath: z.string().optional(),
      size: z.number().min(0).optional().describe('In bytes.'),
      type: z.string().optional().describe('For example `image`, `video`, `document`.'),
      url: link.optional(),
      thumbnail: link.optional(),
      thumbnailWithPlayIconUrl: link.optional(),
      mimeType: z.string().optional(),
      metadata: fields.optional(),
    })
    .describe('A file that is stored elsewhere.'),
);

const attachments = z.array(attachment).max(100);
const context = fields.describe('Arbitrary data of the caller, returned unchanged.');

/** The content of a comment, new or changed. */
const content = {
  commentText: z.string().optional().describe('Plain text. `{{userId}}` stands for a mentioned user.'),
  commentHtml: html
    .optional()
    .describe(
      'The comment as HTML. Scripts and anything that loads resources are removed before it is stored.',
    ),
  replaceContentText: z.string().optional(),
  replaceContentHtml: html.optional(),
  context: context.optional(),
  isCommentResolverUsed: z
    .boolean()
    .optional()
    .describe('True if the text is stored elsewhere, and clients fetch it from there.'),
  isCommentTextAvailable: z
    .boolean()
    .optional()
    .describe('False for a comment with attachments only. Defaults to whether there is a text.'),
  attachments: attachments.optional(),
  triggerNotification: z
    .boolean()
    .default(false)
    .describe('Notifies other users. Always true for requests with a user token.'),
};

const contact = author.extend({ name: z.string().optional(), email: z.string().optional() });
const newMentions = z
  .array(z.looseObject({ userId, contact, text: z.string().optional() }))
  .max(MAX_BATCH)
  .describe('The mentioned users.');
const mentions = z
  .array(
    z.looseObject({
      text: z.string(),
      userId,
      contact: author.extend({ name: z.string(), email: z.string() }),
    }),
  )
  .max(MAX_BATCH)
  .describe('The mentioned users.');

export const severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);

/** The agent that wrote a comment, and its reason. */
export const agentBlock = named(
  'AgentBlock',
  z
    .object({
      agentSource: z
        .enum(agentSources)
        .describe('`platform`: an agent of this service; `external`: any other agent.'),
      agentId: agentId.optional().describe('Required for an agent of this service.'),
      executionId: executionId.optional(),
      agentName: z.string().min(1).max(1_000).optional().describe('Required for an external agent.'),
      url: link.optional().describe('URL of the page that the comment is about.'),
      reason: named(
        'AgentReason',
        z.looseObject({
          title: html,
          description: html,
          severity,
          findingId: z.string().optional(),
          findingType: z.enum(['text', 'pin', 'page']).optional(),
          issueType: z.string().optional(),
          confidence: z.number().int().min(0).max(100).optional(),
          suggestion: html.optional(),
          suggestedFix: html.optional(),
          htmlSnippet: html
            .optional()
            .describe('Scripts and anything that loads resources are stored as text.'),
          htmlSelector: z.string().optional(),
          source: z.enum(['instructions', 'knowledge']).optional(),
          knowledgeSection: z.string().optional(),
        }),
      ),
    })
    .refine((agent) => agent.agentSource !== 'platform' || agent.agentId !== undefined, {
      path: ['agentId'],
      error: 'is required',
    })
    .refine((agent) => agent.agentSource !== 'external' || agent.agentName !== undefined, {
      path: ['agentName'],
      error: 'is required',
    }),
);
export type AgentBlock = z.infer<typeof agentBlock>;

const at = z.union([
  z.number().int().min(0).max(8_640_000_000_000_000),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
]);

/** A comment as a caller sends it, alone or as part of a new annotation. */
export const newComment = named(
  'NewComment',
  z.object({
    ...content,
    commentId: commentId.optional().describe('Generated by default.'),
    type: z.enum(['text', 'voice']).default('text'),
    from: author.optional().describe('The author. Required unless the caller is a user or `agent` is sent.'),
    createdAt: at.optional().describe('Epoch milliseconds or ISO 8601. Defaults to now.'),
    lastUpdated: at
      .optional()
      .describe('Epoch milliseconds or ISO 8601. Defaults to `createdAt`, then to now.'),
    taggedUserContacts: newMentions.optional(),
    agent: agentBlock.optional(),
    triggerActivities: z
      .boolean()
      .default(false)
      .describe('Adds an entry to the activity log. Always true for requests with a user token.'),
  }),
);
export type NewComment = z.infer<typeof newComment>;

export const newComments = z.array(newComment).min(1).max(MAX_BATCH);

/** Changes of a comment. Fields that are not sent keep their values. */
export const commentChanges = named(
  'CommentChanges',
  z.object({
    ...content,
    from: author.optional().describe('The author. Required unless the caller is a user.'),
    taggedUserContacts: mentions.optional(),
  }),
);
export type CommentChanges = z.infer<typeof commentChanges>;
