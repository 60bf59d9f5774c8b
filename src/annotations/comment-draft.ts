import { type Issue, invalidRequest, permissionDenied } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { safeHtml, safeSnippet, safeText } from '../lib/text/html.ts';
import type { AgentBlock, CommentChanges, NewComment } from '../shapes/annotations/comment.ts';
import type { User } from '../shapes/user.ts';

/** A comment as it goes into the database. */
export interface PreparedComment {
  /** As the caller chose it; where there is none, a free one is found. */
  commentId: number | undefined;
  from: User;
  /** The record's fields on the wire that no column holds. */
  body: Fields;
  createdAt: number;
  lastUpdated: number;
  mentioned: User[];
  triggerNotification: boolean;
  /** Whether it is for the log of activities. */
  triggerActivities: boolean;
}

type Agent = AgentBlock & { agentType?: 'built-in' | 'custom' | 'external' | undefined };
interface Author {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}
type Draft = Omit<NewComment, 'agent' | 'from'> & {
  agent?: Agent | undefined;
  from?: Author | undefined;
};

interface Circumstances {
  now: number;
  /** Users say neither when they wrote nor that an agent did. */
  byUser: boolean;
  /** Where in the request they stand. */
  path: (string | number)[];
}

/** Makes comments of one annotation ready to be stored; all that is wrong with them is told at once. */
export function prepareComments(comments: Draft[], { now, byUser, path }: Circumstances): PreparedComment[] {
  if (byUser && comments.some(({ agent }) => agent)) {
    throw permissionDenied('A user can only act as themselves: agent names an agent.');
  }
  const issues: Issue[] = [];
  const ids = new Set<number>();
  const prepared = comments.flatMap((comment, index) => {
    const { commentId, createdAt, lastUpdated, ...draft } = comment;
    const at = [...path, index];
    const from = authorOf(draft);
    if (!from) issues.push(issueAt([...at, 'from'], 'is required'));
    if (commentId !== undefined) {
      if (ids.has(commentId)) issues.push(issueAt([...at, 'commentId'], 'is that of another comment'));
      ids.add(commentId);
    }
    const times = byUser ? {} : { createdAt, lastUpdated };
    return from ? [prepareComment({ ...draft, commentId, from, ...times }, now)] : [];
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return prepared;
}

const issueAt = (path: (string | number)[], message: string): Issue => {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return { path, code: 'custom', message: `${name.slice(1)} ${message}.` };
};

function authorOf({ from, agent }: Draft): User | undefined {
  if (from) return { ...from };
  if (agent?.agentId === undefined) return undefined;
  return { userId: agent.agentId, ...(agent.agentName !== undefined && { name: agent.agentName }) };
}

/** The whole record of a new comment, with nothing in its HTML that would act. */
export function prepareComment(comment: Draft & { from: User }, now: number): PreparedComment {
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
    },
    createdAt,
    lastUpdated,
    mentioned: mentionedIn(comment),
    triggerNotification: comment.triggerNotification,
    triggerActivities: comment.triggerActivities,
  };
}

/** What a change writes over the record of a comment: the fields that were sent, and that it was edited. */
export const prepareChanges = (changes: CommentChanges, now: number): Fields => ({
  ...((changes.commentText !== undefined || changes.commentHtml !== undefined) && {
    isCommentTextAvailable: hasText(changes),
  }),
  ...contentOf(changes),
  ...(changes.from && { from: changes.from }),
  status: 'updated',
  isEdited: true,
  editedAt: now,
});

/** The fields of the record that say what was sent; those that were not are left out. */
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
}: Partial<Draft>): Fields {
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
    to: taggedUserContacts && mentionedIn({ taggedUserContacts }),
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

const hasText = ({ commentText, commentHtml }: Pick<Draft, 'commentText' | 'commentHtml'>): boolean =>
  Boolean(commentText || commentHtml);

/** Each person once. */
export const mentionedIn = ({ taggedUserContacts = [] }: Pick<Draft, 'taggedUserContacts'>): User[] => [
  ...new Map(
    taggedUserContacts.map(({ userId, contact }) => [userId, { ...contact, userId }] as const),
  ).values(),
];

/** An agent's words about a page, which may be those of the page. */
export const safeAgent = <A extends { reason: Fields }>(agent: A): A => ({
  ...agent,
  reason: Object.fromEntries(
    Object.entries(agent.reason).map(([name, value]) => [
      name,
      typeof value !== 'string' ? value : name === 'htmlSnippet' ? safeSnippet(value) : safeText(value),
    ]),
  ),
});
