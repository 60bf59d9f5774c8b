import { type Issue, invalidRequest, permissionDenied } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { safeHtml, safeSnippet, safeText } from '../lib/text/html.ts';
import type { AgentBlock, CommentChanges, NewComment } from '../shapes/annotations/comment.ts';
import type { User } from '../shapes/user.ts';

/** A comment ready to be stored. */
export interface PreparedComment {
  /** Undefined unless the caller chose it; the store then draws a free number. */
  commentId: number | undefined;
  from: User;
  /** Fields of the API's record that have no database column of their own. */
  body: Fields;
  createdAt: number;
  lastUpdated: number;
  mentioned: User[];
  triggerNotification: boolean;
  /** True if the comment belongs in the activity log. */
  triggerActivities: boolean;
}

type Agent = AgentBlock & { agentType?: 'built-in' | 'custom' | 'external' | undefined };
interface Author {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}
type CommentDraft = Omit<NewComment, 'agent' | 'from'> & {
  agent?: Agent | undefined;
  from?: Author | undefined;
};

interface PrepareOptions {
  now: number;
  /** If true, times in the request are ignored and comments by agents are refused. */
  byUser: boolean;
  /** The name of the assistant through which the comments are written. */
  assistant?: string | undefined;
  /** Path of the list within the request, for issues. */
  path: (string | number)[];
}

/**
 * Prepares the comments of one annotation. Throws INVALID_ARGUMENT that lists the issues of all of them:
 * a missing author, or a number used twice.
 */
export function prepareComments(
  comments: CommentDraft[],
  { now, byUser, assistant, path }: PrepareOptions,
): PreparedComment[] {
  if (byUser && comments.some(({ agent }) => agent)) {
    throw permissionDenied('A user cannot comment as an agent: omit agent.');
  }
  const issues: Issue[] = [];
  const ids = new Set<number>();
  const prepared = comments.flatMap((comment, index) => {
    const { commentId, createdAt, lastUpdated, ...draft } = comment;
    const at = [...path, index];
    const from = authorOf(draft);
    if (!from) issues.push(issueAt([...at, 'from'], 'is required'));
    if (commentId !== undefined) {
      if (ids.has(commentId)) issues.push(issueAt([...at, 'commentId'], 'is used twice'));
      ids.add(commentId);
    }
    const times = byUser ? {} : { createdAt, lastUpdated };
    return from ? [prepareComment({ ...draft, commentId, from, ...times }, now, assistant)] : [];
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return prepared;
}

const issueAt = (path: (string | number)[], message: string): Issue => {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return { path, code: 'custom', message: `${name.slice(1)} ${message}.` };
};

function authorOf({ from, agent }: CommentDraft): User | undefined {
  if (from) return { ...from };
  if (agent?.agentId === undefined) return undefined;
  return { userId: agent.agentId, ...(agent.agentName !== undefined && { name: agent.agentName }) };
}

/** The whole record of a new comment, with its HTML sanitized. */
function prepareComment(
  comment: CommentDraft & { from: User },
  now: number,
  assistant: string | undefined,
): PreparedComment {
  const { commentId, from, createdAt = now, lastUpdated = createdAt, type } = comment;
  const content = contentOf(comment);
  return {
    commentId,
    from,
    body: {
      type,
      status: 'added',
      sourceType: comment.agent ? 'agent' : 'rest-api',
      isDraft: false,
      isEdited: false,
      isCommentResolverUsed: false,
      isCommentTextAvailable: hasText(comment),
      from,
      to: [],
      taggedUserContacts: [],
      attachments: [],
      ...content,
      ...(comment.agent && { agent: safeAgent(comment.agent) }),
      ...markOf(assistant),
    },
    createdAt,
    lastUpdated,
    mentioned: mentionedUsers(comment),
    triggerNotification: comment.triggerNotification,
    triggerActivities: comment.triggerActivities,
  };
}

const markOf = (assistant: string | undefined): Fields =>
  assistant === undefined ? {} : { assistant: { name: assistant } };

/**
 * The patch that a change writes over a comment's body: the sent fields, and the mark that it was edited. A comment that
 * an assistant wrote or edited stays marked.
 */
export const prepareChanges = (changes: CommentChanges, now: number, assistant?: string): Fields => ({
  ...((changes.commentText !== undefined || changes.commentHtml !== undefined) && {
    isCommentTextAvailable: hasText(changes),
  }),
  ...contentOf(changes),
  ...(changes.from && { from: changes.from }),
  ...markOf(assistant),
  status: 'updated',
  isEdited: true,
  editedAt: now,
});

/** The record's fields for what was sent; fields that were not sent are left out. */
function contentOf({
  commentText,
  commentHtml,
  replaceContentText,
  replaceContentHtml,
  context,
  isCommentResolverUsed,
  isCommentTextAvailable,
  attachments,
  taggedUserContacts,
}: Partial<CommentDraft>): Fields {
  const sent: Fields = {
    commentText,
    commentHtml: commentHtml === undefined ? undefined : safeHtml(commentHtml),
    replaceContentText,
    replaceContentHtml: replaceContentHtml === undefined ? undefined : safeHtml(replaceContentHtml),
    context,
    isCommentResolverUsed,
    isCommentTextAvailable,
    attachments,
    taggedUserContacts,
    to: taggedUserContacts && mentionedUsers({ taggedUserContacts }),
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

const hasText = ({ commentText, commentHtml }: Pick<CommentDraft, 'commentText' | 'commentHtml'>): boolean =>
  Boolean(commentText || commentHtml);

/** The mentioned users without duplicates. */
export const mentionedUsers = ({
  taggedUserContacts = [],
}: Pick<CommentDraft, 'taggedUserContacts'>): User[] => [
  ...new Map(
    taggedUserContacts.map(({ userId, contact }) => [userId, { ...contact, userId }] as const),
  ).values(),
];

/** Sanitizes an agent's reasons, which may quote an untrusted page. */
export const safeAgent = <A extends { reason: Fields }>(agent: A): A => ({
  ...agent,
  reason: Object.fromEntries(
    Object.entries(agent.reason).map(([name, value]) => [
      name,
      typeof value !== 'string' ? value : name === 'htmlSnippet' ? safeSnippet(value) : safeText(value),
    ]),
  ),
});
