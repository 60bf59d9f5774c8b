import type { Connection } from '../connection.ts';
import { newId } from '../ids.ts';
import type { LiveEvent } from '../live-events.ts';
import type {
  AddedAnnotation,
  BatchResult,
  Comment,
  CommentannotationsAddRequest,
  CommentannotationsGetRequest,
  CommentannotationsUpdateRequest,
  CommentChanges,
  CommentResult,
  NewComment,
  Operations,
  User,
} from '../operations.ts';
import { DOCUMENT_EVENTS, liveList } from './live-list.ts';
import type { UnsentWrite } from './outbox.ts';
import type { Store, StoreState } from './store.ts';
import { FOLDER, idsOf, showWrite, type Thread } from './thread-writes.ts';

export type { Thread } from './thread-writes.ts';

/** The document, and conditions as in `annotations.list`. */
export type ThreadsQuery = Omit<
  CommentannotationsGetRequest,
  | 'documentId'
  | 'documentIds'
  | 'folderId'
  | 'order'
  | 'groupByDocumentId'
  | 'fields'
  | 'pageSize'
  | 'pageToken'
> & { documentId: string };

export interface ThreadsState extends StoreState {
  /** The last changed first. */
  readonly threads: readonly Thread[];
  /** Number of writes that the service has not answered. */
  readonly pending: number;
  /** Writes of earlier pages that were refused, or are too old to be sent. */
  readonly unsent: readonly UnsentWrite[];
}

type NewAnnotation = CommentannotationsAddRequest['commentAnnotations'][number];
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
export type NewThread = Partial<Omit<Known<NewAnnotation>, 'commentData'>> & { [field: string]: unknown };
export type ThreadChanges = NonNullable<CommentannotationsUpdateRequest['updatedData']>;

export interface ReactionTarget {
  /** Without it, the reaction is to the thread itself. */
  commentId?: number | undefined;
  /** The user who reacts; required with an API key. */
  from?: User | undefined;
}

type Reacted<O extends 'add' | 'delete'> = Operations[`/v2/commentannotations/reactions/${O}`]['result'];

/**
 * The threads of a document. A change is shown at once, and undone if the service refuses it; the promise has the answer
 * of the service. Without a connection, changes are kept and sent later.
 */
export interface ThreadsStore extends Store<ThreadsState> {
  /** Starts a thread with a comment. */
  add(comment: NewComment, thread?: NewThread): Promise<AddedAnnotation>;
  /** Adds a comment, and returns its id. */
  reply(annotationId: string, comment: NewComment): Promise<number>;
  editComment(annotationId: string, commentId: number, changes: CommentChanges): Promise<CommentResult>;
  deleteComment(annotationId: string, commentId: number): Promise<CommentResult>;
  /** Changes status, priority, assignee and other fields. */
  update(annotationId: string, changes: ThreadChanges): Promise<BatchResult[string]>;
  delete(annotationId: string): Promise<BatchResult[string]>;
  react(annotationId: string, reactionId: string, target?: ReactionTarget): Promise<Reacted<'add'>>;
  unreact(annotationId: string, reactionId: string, target?: ReactionTarget): Promise<Reacted<'delete'>>;
  /** Marks a thread, or all of the document, as read by the user of the token. */
  markRead(annotationId?: string): Promise<void>;
  /** Forgets an unsent write. */
  discard(id: string): Promise<void>;
}

/** Chosen by chance, so that two clients hardly choose the same. */
const newCommentId = (): number => Math.floor((1 + Math.random()) * 2 ** 51);

export function threadsStore(
  connection: Connection,
  { organizationId, documentId, ...filter }: ThreadsQuery,
  initial: ThreadsState,
): ThreadsStore {
  const place = { organizationId, documentId };
  const { annotationIds } = filter;
  const reader = connection.tokens ? undefined : connection.options.session?.user;
  const isWanted = (id: string) => annotationIds?.includes(id) ?? true;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const list = liveList<Thread, ThreadsState>(connection, {
    initial,
    events: { ...place, families: DOCUMENT_EVENTS },
    path: `${FOLDER}get`,
    // A session names its user where a token would.
    query: { ...(reader && { unreadFor: reader.userId }), ...place, ...filter },
    idsField: 'annotationIds',
    idOf: ({ annotationId }) => annotationId,
    apply: (event, threads, user) => applyEvent(event, threads, isFiltered, user).filter(isWanted),
    place: JSON.stringify(place),
    idsOf: (write) => idsOf(write)?.filter(isWanted),
    show(write, ...given) {
      if (idsOf(write)?.some(isWanted) ?? true) showWrite(write, ...given);
    },
    view: (threads, writes) => ({
      threads: threads.sort(
        (a, b) => b.lastUpdated - a.lastUpdated || b.annotationNumber - a.annotationNumber,
      ),
      ...writes,
    }),
  });

  /** Changes a thread after earlier changes of it. */
  const write = <T>(operation: string, annotationId: string, data: object): Promise<T> =>
    list.write(annotationId, FOLDER + operation, { ...place, ...data }) as Promise<T>;
  const onThread = <T>(operation: string, annotationId: string, data: object) =>
    write<T>(operation, annotationId, { annotationId, ...data });
  const onThreads = async (operation: string, annotationId: string, data?: object) =>
    (await write<BatchResult>(operation, annotationId, { annotationIds: [annotationId], ...data }))[
      annotationId
    ]!;
  const onComment = async (operation: string, annotationId: string, commentId: number, data?: object) =>
    (
      await onThread<Record<number, CommentResult>>(operation, annotationId, {
        commentIds: [commentId],
        ...data,
      })
    )[commentId]!;

  return {
    get: list.get,
    subscribe: list.subscribe,
    discard: list.discard,
    async add(comment, { annotationId = `ann_${newId()}`, ...fields } = {}) {
      const id = String(annotationId);
      const commentData = [{ ...comment, commentId: comment.commentId ?? newCommentId() }];
      const commentAnnotations = [{ ...fields, annotationId, commentData }];
      const data = { ...place, commentAnnotations };
      // In the order in which they were begun, by which they are numbered.
      const added = await list.write(id, `${FOLDER}add`, data, 'new threads');
      return (added as Record<string, AddedAnnotation>)[id]!;
    },
    async reply(annotationId, comment) {
      const commentData = [{ ...comment, commentId: comment.commentId ?? newCommentId() }];
      return (await onThread<[number]>('comments/add', annotationId, { commentData }))[0];
    },
    editComment: (annotationId, commentId, updatedData) =>
      onComment('comments/update', annotationId, commentId, { updatedData }),
    deleteComment: (annotationId, commentId) => onComment('comments/delete', annotationId, commentId),
    update: (annotationId, updatedData) => onThreads('update', annotationId, { updatedData }),
    delete: (annotationId) => onThreads('delete', annotationId),
    react: (annotationId, reactionId, target) =>
      onThread('reactions/add', annotationId, { reactionId, ...target }),
    unreact: (annotationId, reactionId, target) =>
      onThread('reactions/delete', annotationId, { reactionId, ...target }),
    async markRead(annotationId) {
      if (annotationId === undefined) return void (await write('unread/clear', '', {}));
      const user = list.user();
      const viewedByUserIds = [(user instanceof Promise ? await user : user)?.userId];
      await onThreads('update', annotationId, { updatedData: { viewedByUserIds } });
    },
  };
}

/** Applies what an event says. The service decides about filters, and about threads that are not known. */
function applyEvent(
  { event, data }: LiveEvent,
  threads: Map<string, Thread>,
  isFiltered: boolean,
  user: User | undefined,
): string[] {
  const { annotationId, commentAnnotation, targetComment, actionUser } = data as Partial<Subject>;
  if (annotationId === undefined || !event.startsWith('comment')) return [];
  if (event === 'comment_annotation.delete') {
    threads.delete(annotationId);
    return [];
  }
  const known = threads.get(annotationId);
  // Events of a large thread only have its outline, and those of reactions not their sum.
  const isWhole = commentAnnotation?.from && !event.includes('reaction');
  if (isFiltered || !known || !isWhole || commentAnnotation.lastUpdated < known.lastUpdated)
    return [annotationId];
  const { isUnread, reactions, comments = [] } = known;
  const target = comments.find(({ commentId }) => commentId === targetComment?.commentId);
  const others = comments.filter((comment) => comment !== target);
  if (targetComment && event !== 'comment.delete')
    others.push({ ...targetComment, reactions: target?.reactions } as Comment);
  threads.set(annotationId, {
    ...(commentAnnotation as Thread),
    reactions,
    comments: others.sort((a, b) => a.createdAt - b.createdAt || a.commentId - b.commentId),
    isUnread: isUnread === undefined ? isUnread : actionUser?.userId !== user?.userId,
  } as Thread);
  return [];
}

interface Subject {
  annotationId: string;
  commentAnnotation: Partial<Thread> & { lastUpdated: number };
  targetComment: Partial<Comment>;
  actionUser: { userId: string };
}
