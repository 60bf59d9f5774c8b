import type { Fields } from '../lib/json.ts';
import type { AnnotationChanges, Visibility } from '../shapes/annotations/annotation.ts';
import { wholeStatus } from '../shapes/annotations/annotation.ts';
import type { NewAnnotation } from '../shapes/annotations/new-annotation.ts';
import type { User } from '../shapes/user.ts';
import { subscriptionsOf } from '../store/annotations/comments.ts';
import type { PreparedComment } from './comment-draft.ts';
import { type StoredAnnotation, visibilityColumn } from './record.ts';

/** What the service says of an annotation itself, whatever a caller sends under these names. */
const OWN_FIELDS = new Set([
  'agent',
  'annotationId',
  'annotationIndex',
  'annotationNumber',
  'apiKey',
  'commentData',
  'comments',
  'createdAt',
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

/** The caller's own fields among those that are sent. */
export const customFields = (sent: Fields): Fields =>
  Object.fromEntries(Object.entries(sent).filter(([key]) => !OWN_FIELDS.has(key)));

/** An annotation before it has its number. */
export interface AnnotationDraft {
  row: Omit<StoredAnnotation, 'annotationNumber'>;
  comments: PreparedComment[];
}

interface Circumstances {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  annotationId: string;
  now: number;
  /** Users do not say when they wrote. */
  byUser: boolean;
}

/** A new annotation with all that follows from what was sent. */
export function draftAnnotation(
  annotation: NewAnnotation,
  comments: PreparedComment[],
  { now, byUser, ...place }: Circumstances,
): AnnotationDraft {
  const { annotationId, commentData, createdAt, lastUpdated, visibility, suggestion, location, ...sent } =
    annotation;
  const { from, body: first } = comments[0]!;
  const agent = first.agent as Fields | undefined;
  const type = typeOf(annotation);
  const status = wholeStatus(annotation.status ?? { id: 'OPEN' });
  const mentioned = comments.flatMap((comment) => comment.mentioned);
  const authors = comments.map((comment) => comment.from);
  const assignees = annotation.assignedTo ? [annotation.assignedTo] : [];
  const visibilityConfig = wholeVisibility(visibility ?? { type: 'public' }, place.organizationId);
  const made = (byUser ? undefined : createdAt) ?? now;
  return {
    comments,
    row: {
      ...place,
      authorId: from.userId,
      statusId: status.id,
      locationId: location?.id ?? null,
      agentId: (agent?.agentId ?? agent?.agentName ?? null) as string | null,
      executionId: (agent?.executionId ?? null) as string | null,
      agentUrl: typeof agent?.url === 'string' ? (pageAddress(agent.url) ?? null) : null,
      suggestionStatus: type === 'suggestion' ? 'pending' : null,
      visibility: visibilityColumn(visibilityConfig),
      body: {
        ...customFields(sent),
        type,
        sourceType: agent ? 'agent' : 'rest-api',
        isDraft: false,
        hasDraftComments: false,
        from,
        status,
        visibilityConfig,
        ...(agent && { agent }),
        ...(location && { location }),
        ...(annotation.context && { context: wholeContext(annotation.context) }),
        ...((suggestion || type === 'suggestion') && { suggestion: { ...suggestion, status: 'pending' } }),
        involvedUserIds: idsOf([...authors, ...assignees]),
        mentionedUserIds: idsOf(mentioned),
        subscribedUsers: subscriptionsOf([...authors, ...assignees, ...mentioned]),
      },
      createdAt: made,
      // Nothing is updated before it is made, which lists count on.
      lastUpdated: Math.max(
        made,
        (byUser ? undefined : lastUpdated) ?? Math.max(...comments.map((comment) => comment.lastUpdated)),
      ),
    },
  };
}

/** What proposes something is a suggestion, unless it is said to be none. */
const typeOf = ({ type, commentType, suggestion }: NewAnnotation): 'comment' | 'suggestion' =>
  type ?? (commentType === 'suggestion' || suggestion ? 'suggestion' : 'comment');

/** An organization's own visibility names the organization, also where it is that of the document. */
export const wholeVisibility = (visibility: Visibility, organizationId: string): Visibility =>
  visibility.type === 'organizationPrivate' && !visibility.organizationId && !visibility.organizationIds
    ? { ...visibility, organizationId }
    : visibility;

type Context = NonNullable<AnnotationChanges['context']>;

/** The fields of access once more as `field:value`, which is what readers hold. */
export const wholeContext = (context: Context): Fields => ({
  ...context,
  ...(context.access && {
    accessFields: Object.entries(context.access).flatMap(([field, value]) =>
      [value].flat().map((one) => `${field}:${one}`),
    ),
  }),
});

export const idsOf = (users: readonly User[]): string[] => [...new Set(users.map(({ userId }) => userId))];

/** The page a URL names: what comes behind # is a place in it. Undefined where it names none. */
export function pageAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return undefined;
  parsed.hash = '';
  return parsed.href;
}
