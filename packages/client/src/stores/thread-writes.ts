import type { Annotation, Comment, ReactionSummary, User } from '../operations.ts';
import type { StoredWrite } from './outbox-storage.ts';

/** An annotation with its comments. */
export type Thread = Annotation & {
  /** It holds a change that the service has not confirmed. */
  pending?: true;
};

type Changes = Partial<Annotation>;

/** The fields of the requests that change threads, of which each has some. */
export interface ThreadWrite {
  organizationId: string;
  documentId: string;
  annotationId?: string;
  annotationIds?: string[];
  commentAnnotations?: (Changes & { annotationId: string; commentData: Partial<Comment>[] })[];
  commentData?: Partial<Comment>[];
  commentId?: number;
  commentIds?: number[];
  updatedData?: Changes & Partial<Comment> & { viewedByUserIds?: string[] };
  reactionId?: string;
  from?: User;
  userId?: string;
}

export const FOLDER = '/v2/commentannotations/';

/** The ids of the threads that a write changes; undefined if it changes all. */
export function idsOf({ data }: StoredWrite): readonly string[] | undefined {
  const { annotationId, annotationIds, commentAnnotations } = data as ThreadWrite;
  if (annotationId !== undefined) return [annotationId];
  return annotationIds ?? commentAnnotations?.map((one) => one.annotationId);
}

/** Shows what a write will have done. Shown over its own result, it changes nothing. */
export function showWrite(
  write: StoredWrite,
  threads: Map<string, Thread>,
  user: User | undefined,
  isPending: boolean,
): void {
  const data = write.data as ThreadWrite;
  const operation = write.path.slice(FOLDER.length);
  const [added] = data.commentAnnotations ?? [];
  if (added && !threads.has(added.annotationId)) {
    threads.set(added.annotationId, newThread(added, write, user));
  }
  for (const id of idsOf(write) ?? threads.keys()) {
    const thread = threads.get(id);
    if (operation === 'delete') threads.delete(id);
    else if (thread) {
      const changes = changesBy(operation, data, thread, write, user);
      threads.set(id, { ...thread, ...changes, ...(isPending && { pending: true }) });
    }
  }
}

function changesBy(
  operation: string,
  data: ThreadWrite,
  thread: Thread,
  write: StoredWrite,
  user: User | undefined,
): Changes {
  const { comments = [] } = thread;
  const { commentData = [], commentIds = [], commentId, updatedData } = data;
  const isNamed = (comment: Comment) => commentIds.includes(comment.commentId);
  switch (operation) {
    case 'comments/add':
      return {
        comments: [
          ...comments,
          ...commentData
            .filter((one) => !comments.some((comment) => comment.commentId === one.commentId))
            .map((one) => newComment(one, write, user)),
        ],
      };
    case 'comments/update':
      return {
        comments: comments.map((comment) =>
          isNamed(comment)
            ? ({ ...comment, ...updatedData, from: comment.from, isEdited: true } as Comment)
            : comment,
        ),
      };
    case 'comments/delete':
      return { comments: comments.filter((comment) => !isNamed(comment)) };
    case 'unread/clear':
      return { isUnread: false };
    case 'update':
      return updated(thread, updatedData!);
    case 'reactions/add':
    case 'reactions/delete': {
      const react = (target: Thread | Comment) => ({
        ...target,
        reactions: withReaction(target.reactions, operation.endsWith('add'), data, user),
      });
      if (commentId === undefined) return react(thread) as Thread;
      const reacted = comments.map((one) => (one.commentId === commentId ? react(one) : one));
      return { comments: reacted as Comment[] };
    }
  }
  return {};
}

const newComment = (comment: Partial<Comment>, { at }: StoredWrite, user: User | undefined) =>
  ({ from: user, ...comment, createdAt: at, lastUpdated: new Date(at).toISOString() }) as Comment;

function newThread(
  { commentData, ...fields }: NonNullable<ThreadWrite['commentAnnotations']>[number],
  write: StoredWrite,
  user: User | undefined,
): Thread {
  const { organizationId, documentId } = write.data as ThreadWrite;
  const comments = commentData.map((comment) => newComment(comment, write, user));
  return {
    type: 'comment',
    visibilityConfig: { type: 'public' },
    from: comments[0]?.from,
    ...fields,
    // The service gives it its number.
    annotationNumber: 0,
    annotationIndex: 0,
    comments,
    metadata: { ...fields.metadata, organizationId, documentId },
    createdAt: write.at,
    lastUpdated: write.at,
  } as Thread;
}

/** The service knows these statuses by their ids alone. */
const TYPE_OF_STATUS: Record<string, string> = {
  OPEN: 'default',
  IN_PROGRESS: 'ongoing',
  RESOLVED: 'terminal',
};

const updated = (
  thread: Thread,
  { viewedByUserIds, status, suggestion, ...changes }: NonNullable<ThreadWrite['updatedData']>,
): Changes =>
  ({
    ...changes,
    ...(status && { status: { ...thread.status, type: TYPE_OF_STATUS[status.id], ...(status as object) } }),
    ...(suggestion && { suggestion: { ...thread.suggestion, ...(suggestion as object) } }),
    ...(viewedByUserIds && { isUnread: false }),
  }) as Changes;

function withReaction(
  reactions: readonly ReactionSummary[] = [],
  isAdded: boolean,
  { reactionId, from, userId }: ThreadWrite,
  user: User | undefined,
): ReactionSummary[] {
  const by = from ?? user ?? { userId };
  const index = reactions.findIndex((one) => one.reactionId === reactionId);
  const known: Partial<ReactionSummary> = reactions[index] ?? {};
  const { count = 0, users = [] } = known;
  const others = users.filter((one) => one.userId !== by.userId);
  const isOwn = by.userId === user?.userId;
  const has = others.length < users.length || (isOwn && known.isOwn === true);
  const changed = [...reactions];
  if (has !== isAdded) {
    changed[index < 0 ? changed.length : index] = {
      ...known,
      reactionId,
      count: count + (isAdded ? 1 : -1),
      users: isAdded ? [...others, by] : others,
      ...(isOwn && { isOwn: isAdded }),
    } as ReactionSummary;
  }
  return changed.filter(({ count }) => count > 0);
}
