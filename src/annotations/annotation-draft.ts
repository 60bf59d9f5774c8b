import type { Fields } from '../lib/json.ts';
import type { AnnotationChanges, Visibility } from '../shapes/annotations/annotation.ts';
import { completeStatus } from '../shapes/annotations/annotation.ts';
import type { NewAnnotation } from '../shapes/annotations/new-annotation.ts';
import type { User } from '../shapes/user.ts';
import type { PreparedComment } from './comment-draft.ts';
import { type StoredAnnotation, subscriptionsOf, visibilityColumn } from './present-annotation.ts';

/** Fields of the record that the service sets itself; values that a caller sends under these names are ignored. */
const OWN_FIELDS = new Set([
  'agent',
  'annotationId',
  'annotationIndex',
  'annotationNumber',
  'apiKey',
  'commentData',
  'comments',
  'createdAt',
  'decidedByAssistant',
  'documentId',
  'folderId',
  'from',
  'hasDraftComments',
  'involvedUserIds',
  'isDraft',
  'isUnread',
  'lastUpdated',
  'locationId',
  'mentionedUserIds',
  'organizationId',
  'resolvedByUser',
  'resolvedByUserId',
  'sourceType',
  'statusUpdatedByUserId',
  'subscribedUsers',
  'type',
  'unsubscribedUsers',
  'viewedBy',
  'viewedByUserIds',
  'visibilityConfig',
]);

/** The sent fields without those that the service sets itself. */
export const customFields = (sent: Fields): Fields =>
  Object.fromEntries(Object.entries(sent).filter(([key]) => !OWN_FIELDS.has(key)));

/** An annotation before it has its number. */
export interface AnnotationDraft {
  row: Omit<StoredAnnotation, 'annotationNumber'>;
  comments: PreparedComment[];
}

interface DraftOptions {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  annotationId: string;
  now: number;
  /** True ignores the times that were sent: only an API key may set them. */
  byUser: boolean;
  /** The name of the assistant that adds it for a person. */
  assistant?: string | undefined;
}

/** The row of a new annotation. Author and agent are those of its first comment, of which there must be one. */
export function draftAnnotation(
  annotation: NewAnnotation,
  comments: PreparedComment[],
  { now, byUser, assistant, ...keys }: DraftOptions,
): AnnotationDraft {
  const { annotationId, commentData, createdAt, lastUpdated, visibility, suggestion, location, ...sent } =
    annotation;
  const { from, body: first } = comments[0]!;
  const agent = first.agent as Fields | undefined;
  const type = typeOf(annotation);
  const status = completeStatus(annotation.status ?? { id: 'OPEN' });
  const mentioned = comments.flatMap((comment) => comment.mentioned);
  const authors = comments.map((comment) => comment.from);
  const assignees = annotation.assignedTo ? [annotation.assignedTo] : [];
  const visibilityConfig = completeVisibility(visibility ?? { type: 'public' }, keys.organizationId);
  const made = (byUser ? undefined : createdAt) ?? now;
  return {
    comments,
    row: {
      ...keys,
      authorId: from.userId,
      statusId: status.id,
      locationId: location?.id ?? null,
      agentId: (agent?.agentId ?? agent?.agentName ?? null) as string | null,
      executionId: (agent?.executionId ?? null) as string | null,
      agentUrl: typeof agent?.url === 'string' ? (pageAddress(agent.url) ?? null) : null,
      suggestionStatus: type === 'suggestion' ? 'pending' : null,
      causeId: null,
      visibility: visibilityColumn(visibilityConfig),
      body: {
        ...customFields(sent),
        type,
        sourceType: agent ? 'agent' : 'rest-api',
        isDraft: false,
        hasDraftComments: false,
        from,
        status,
        ...(assistant !== undefined &&
          status.type !== 'default' && { decidedByAssistant: { status: assistant } }),
        visibilityConfig,
        ...(agent && { agent }),
        ...(location && { location }),
        ...(annotation.context && { context: completeContext(annotation.context) }),
        ...((suggestion || type === 'suggestion') && { suggestion: { ...suggestion, status: 'pending' } }),
        involvedUserIds: idsOf([...authors, ...assignees]),
        mentionedUserIds: idsOf(mentioned),
        subscribedUsers: subscriptionsOf([...authors, ...assignees, ...mentioned]),
      },
      createdAt: made,
      // Filters on createdAt rely on `lastUpdated >= createdAt`.
      lastUpdated: Math.max(
        made,
        (byUser ? undefined : lastUpdated) ?? Math.max(...comments.map((comment) => comment.lastUpdated)),
      ),
    },
  };
}

const typeOf = ({ type, commentType, suggestion }: NewAnnotation): 'comment' | 'suggestion' =>
  type ?? (commentType === 'suggestion' || suggestion ? 'suggestion' : 'comment');

/** Adds the document's organization to `organizationPrivate` if the caller named none. */
export const completeVisibility = (visibility: Visibility, organizationId: string): Visibility =>
  visibility.type === 'organizationPrivate' && !visibility.organizationId && !visibility.organizationIds
    ? { ...visibility, organizationId }
    : visibility;

type Context = NonNullable<AnnotationChanges['context']>;

/** Adds `accessFields`: the fields of `access` as `field:value` pairs, the form in which grants have them. */
export const completeContext = (context: Context): Fields => ({
  ...context,
  ...(context.access && {
    accessFields: Object.entries(context.access).flatMap(([field, value]) =>
      [value].flat().map((entry) => `${field}:${entry}`),
    ),
  }),
});

export const idsOf = (users: readonly User[]): string[] => [...new Set(users.map(({ userId }) => userId))];

/** The URL without its fragment; undefined unless it is an http or https URL. */
export function pageAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return undefined;
  parsed.hash = '';
  return parsed.href;
}
