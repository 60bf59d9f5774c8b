import { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { hasTooManyTags, isScriptUrl, MAX_TAGS } from '../../lib/text/html.ts';
import { MAX_BATCH } from '../batch.ts';
import { agentId, annotationId, documentId, executionId, organizationId, userId } from '../id-fields.ts';
import { type User, user } from '../user.ts';
import { agentSources } from './annotation.ts';

const fields = z.record(z.string(), z.unknown());

export const commentId = z
  .number()
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('A comment within its annotation.');

/** Which annotation the comments are in. */
export const onAnnotation = { organizationId, documentId, annotationId };

/** The answer about one comment of a batch, under its number. */
export const commentResult = z.object({ success: z.boolean(), id: z.number(), message: z.string() });

/** Where a link leads; whoever shows it may put it into a page. */
const link = z.string().refine((url) => !isScriptUrl(url), { error: 'must not be a script' });

const html = z
  .string()
  .refine((text) => !hasTooManyTags(text), { error: `must not have more than ${MAX_TAGS} tags` });

export const author = user.extend({ userId });

const attachment = z
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
  .describe('A file that lies elsewhere.');

const attachments = z.array(attachment).max(100);
const context = fields.describe("The caller's own; comes back as it is.");

/** What a comment says, whether it is new or changed. */
const content = {
  commentText: z
    .string()
    .optional()
    .describe('Plain text. `{{userId}}` stands for a person who is mentioned.'),
  commentHtml: html
    .optional()
    .describe('The same as HTML. What could run or load anything is taken out before it is stored.'),
  replaceContentText: z.string().optional(),
  replaceContentHtml: html.optional(),
  context: context.optional(),
  isCommentResolverUsed: z
    .boolean()
    .optional()
    .describe('The text is kept elsewhere, and only its reader asks for it.'),
  isCommentTextAvailable: z
    .boolean()
    .optional()
    .describe('False for a comment of attachments only. By default, whether there is a text.'),
  attachments: attachments.optional(),
  triggerNotification: z
    .boolean()
    .default(false)
    .describe('Whether others hear of it. Of what users do with a token of their own they always hear.'),
};

const contact = author.extend({ name: z.string().optional(), email: z.string().optional() });
const newMentions = z
  .array(z.looseObject({ userId, contact, text: z.string().optional() }))
  .max(MAX_BATCH)
  .describe('Who is mentioned.');
const mentions = z
  .array(
    z.looseObject({
      text: z.string(),
      userId,
      contact: author.extend({ name: z.string(), email: z.string() }),
    }),
  )
  .max(MAX_BATCH)
  .describe('Who is mentioned.');

const severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);

/** Who of the agents said it, and why. */
export const agentBlock = z
  .object({
    agentSource: z.enum(agentSources).describe('`platform`: an agent kept here; `external`: any other.'),
    agentId: agentId.optional().describe('Required of an agent kept here.'),
    executionId: executionId.optional(),
    agentName: z.string().min(1).max(1_000).optional().describe('Required of an external agent.'),
    url: link.optional().describe('The page it is about.'),
    reason: z.looseObject({
      title: html,
      description: html,
      severity,
      findingId: z.string().optional(),
      findingType: z.enum(['text', 'pin', 'page']).optional(),
      issueType: z.string().optional(),
      confidence: z.number().int().min(0).max(100).optional(),
      suggestion: html.optional(),
      suggestedFix: html.optional(),
      htmlSnippet: html.optional().describe('What would run or load anything is stored as text.'),
      htmlSelector: z.string().optional(),
      source: z.enum(['instructions', 'knowledge']).optional(),
      knowledgeSection: z.string().optional(),
    }),
  })
  .refine((agent) => agent.agentSource !== 'platform' || agent.agentId !== undefined, {
    path: ['agentId'],
    error: 'is required',
  })
  .refine((agent) => agent.agentSource !== 'external' || agent.agentName !== undefined, {
    path: ['agentName'],
    error: 'is required',
  });
export type AgentBlock = z.infer<typeof agentBlock>;

const at = z.union([
  z.number().int().min(0).max(8_640_000_000_000_000),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
]);

/** A comment as a caller sends it, alone or as part of a new annotation. */
export const newComment = z.object({
  ...content,
  commentId: commentId.optional().describe('By default a new one.'),
  type: z.enum(['text', 'voice']).default('text'),
  from: author.optional().describe('The author; required unless the caller is one, or an agent is.'),
  createdAt: at.optional().describe('Epoch milliseconds or ISO 8601; by default now.'),
  lastUpdated: at.optional().describe('Epoch milliseconds or ISO 8601; by default `createdAt`, else now.'),
  taggedUserContacts: newMentions.optional(),
  agent: agentBlock.optional(),
  triggerActivities: z
    .boolean()
    .default(false)
    .describe('Whether it goes into the log of activities. What users do with a token always does.'),
});
export type NewComment = z.infer<typeof newComment>;

export const newComments = z.array(newComment).min(1).max(MAX_BATCH);

/** What may be changed of a comment; what is not sent stays. */
export const commentChanges = z.object({
  ...content,
  from: author.optional().describe('The author; required unless the caller is a user.'),
  taggedUserContacts: mentions.optional(),
});
export type CommentChanges = z.infer<typeof commentChanges>;

export const comment = z.looseObject({
  commentId: z.number().int(),
  type: z.string().optional().describe('`text` or `voice`.'),
  status: z.string().optional().describe('`added` or `updated`.'),
  sourceType: z.string().optional().describe('`agent` where an agent wrote it.'),
  commentText: z.string().optional(),
  commentHtml: z.string().optional(),
  from: user.optional(),
  to: z.array(user).optional().describe('Who is mentioned.'),
  createdAt: z.number().describe('Epoch milliseconds.'),
  lastUpdated: z.string().describe('ISO 8601.'),
});
export type Comment = z.infer<typeof comment>;

/** The fields of a comment's record that have no column; rows of earlier versions may lack any of the known ones. */
export interface CommentBody extends Fields {
  type?: string;
  status?: string;
  sourceType?: string;
  commentText?: string;
  commentHtml?: string;
  from?: User;
  to?: User[];
  agent?: Fields;
}
