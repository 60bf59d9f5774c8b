import { type RawBuilder, sql } from 'kysely';
import { idsOf } from '../../annotations/annotation-draft.ts';
import {
  type AnnotationEvent,
  annotationEvent,
  MAX_EVENT_CHARS,
  outlineOf,
  recordSizeOf,
} from '../../annotations/annotation-event.ts';
import { audienceOf, isInAudience } from '../../annotations/audience.ts';
import { mentionedUsers, prepareChanges } from '../../annotations/comment-draft.ts';
import {
  recordOfComment,
  type StoredAnnotation,
  subscriptionsOf,
} from '../../annotations/present-annotation.ts';
import { inTransaction, prepared, type Statement } from '../../db/prepared.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { permissionDenied } from '../../lib/errors.ts';
import { asObject, type Fields } from '../../lib/json.ts';
import type { Caller } from '../../lib/scope.ts';
import type { CommentChanges } from '../../shapes/annotations/comment.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import { loadReader, type Reader } from '../access/visibility-sql.ts';
import { releaseAttachments } from '../attachments/attachments.ts';
import { judgmentChanges, syncCommentJudgments } from '../memory/change-judgments.ts';
import { withIds, withSubscribers } from './annotation-sql.ts';
import { markViewed } from './annotation-views.ts';
import { eventOfAnnotation, type Thread, type ThreadChange, threadChanges } from './change-threads.ts';
import { hasAnnotation, listComments } from './list-comments.ts';

const changedColumns = ['commentId', 'body', 'createdAt', 'lastUpdated'] as const;
type ChangedComment = Pick<DocumentTables['comments'], (typeof changedColumns)[number]>;

interface AnnotationKey extends AnnotationRef, Fields {
  apiKeyId: string;
}

const keyOf = (
  { apiKeyId }: Caller,
  { organizationId, documentId, annotationId }: AnnotationRef,
): AnnotationKey => ({ apiKeyId, organizationId, documentId, annotationId });

interface RowChanges extends AnnotationKey {
  commentIds: number[];
  /** A JSON text that is written over the body. */
  patch: string;
  /** Null keeps the author. */
  authorId: string | null;
  now: number;
}

const changeRows = prepared((db, row: RowChanges) =>
  db
    .updateTable('comments')
    .set({
      body: sql`body || cast(${row.patch} as jsonb)`,
      lastUpdated: row.now,
      authorId: sql`coalesce(cast(${row.authorId} as text), author_id)`,
    })
    .where('apiKeyId', '=', row.apiKeyId)
    .where('organizationId', '=', row.organizationId)
    .where('documentId', '=', row.documentId)
    .where('annotationId', '=', row.annotationId)
    .where('commentId', '=', sql<number>`any(cast(${row.commentIds} as bigint[]))`)
    .returning(changedColumns),
);

interface CommentUpdate {
  caller: Caller;
  /** Undefined for an API key. */
  reader: Reader | undefined;
  annotation: AnnotationRef;
  commentIds: number[];
  changes: CommentChanges;
}

export interface UpdatedComment {
  commentId: number;
}

/** Comments of one request up to which they are changed without a transaction. */
const FEW_COMMENTS = 5;

const changing = threadChanges<UpdatedComment>();

/**
 * A statement that applies the same changes to comments of an annotation, and returns those that exist. It throws
 * PERMISSION_DENIED if a user other than an admin names comments of other authors.
 */
export function commentUpdate(update: CommentUpdate): Statement<UpdatedComment> {
  const { caller, annotation, commentIds, changes } = update;
  const work = (tx: Tx) => updateComments(tx, update);
  // Mentions of an annotation are collected from all of its comments.
  if (commentIds.length > FEW_COMMENTS || changes.taggedUserContacts) return inTransaction(work);
  return changing({
    scope: caller,
    annotation,
    reads: { commentIds, userIds: [], mentions: false },
    size: JSON.stringify(changes).length * 2,
    changeOf: (thread, now) => changeOf(thread, update, now),
    inTransaction: work,
  });
}

/** A user who changes a comment does not become its author; an API key may set the author. */
const newAuthor = ({ user }: Caller, from: User | undefined): User | undefined => (user ? undefined : from);

/** The same as `updateComments`, for a thread that has been read. */
function changeOf(
  { row, comments, judgments }: Thread,
  { caller, reader, changes: { triggerNotification, from, ...changes } }: CommentUpdate,
  now: number,
): ThreadChange<UpdatedComment> | undefined {
  const { user } = caller;
  const isOwn = ({ body }: { body: Fields }) =>
    (body.from as User | undefined)?.userId === user?.userId || user?.isAdmin;
  if (comments.length === 0 || (user && !comments.every(isOwn))) return undefined;
  if (reader && !isInAudience(audienceOf(row), row.organizationId, reader.userId, reader)) return undefined;
  const author = newAuthor(caller, from);
  const sent = { ...changes, triggerNotification, from: author };
  const patch = plain(prepareChanges(sent, now, caller.assistant));
  const changed = comments.map((comment) => ({
    ...comment,
    authorId: author?.userId ?? comment.authorId,
    body: { ...comment.body, ...patch },
    lastUpdated: now,
    patch,
  }));
  const body = withPeople(row.body, author ? [author] : []);
  const { gone, changed: rewordings } = judgmentChanges({ body }, judgments, { changed, deleted: [] });
  if (gone.length > 0) return undefined;
  const lastUpdated = Math.max(now, row.lastUpdated);
  const { organizationId, documentId, annotationId } = row;
  return {
    annotation: { ...row, body, lastUpdated },
    comments: changed.map(({ body: _, ...comment }) => comment),
    judgments: rewordings,
    views: from ? [{ userId: from.userId, viewedAt: lastUpdated }] : [],
    events: changed.map((comment) =>
      eventOfAnnotation('comment.update', {
        organizationId,
        documentId,
        annotationId,
        actionUser: from,
        targetComment: recordOfComment(comment),
        loud: user !== undefined || triggerNotification,
      }),
    ),
    rows: changed.map(({ commentId }) => ({ commentId })),
  };
}

/** The fields as they are once they have been stored. */
const plain = (fields: Fields): Fields => JSON.parse(JSON.stringify(fields)) as Fields;

/** The body with participants and subscribers, as `writingPeople` stores it. */
function withPeople(body: Fields, people: readonly User[]): Fields {
  const involved = (body.involvedUserIds ?? []) as string[];
  const added = idsOf(people).filter((id) => !involved.includes(id));
  const unsubscribed = asObject(body.unsubscribedUsers);
  const subscribed = asObject(body.subscribedUsers);
  const joining = Object.entries(subscriptionsOf(people)).filter(
    ([key]) => !Object.hasOwn(unsubscribed, key) && !Object.hasOwn(subscribed, key),
  );
  return {
    ...body,
    involvedUserIds: body.involvedUserIds && added.length === 0 ? involved : [...involved, ...added],
    mentionedUserIds: body.mentionedUserIds ?? [],
    subscribedUsers:
      body.subscribedUsers && joining.length === 0
        ? body.subscribedUsers
        : { ...Object.fromEntries(joining), ...subscribed },
  };
}

/** In the order in which their events are raised, which a statement does not guarantee. */
const inOrder = (comments: readonly ChangedComment[]): ChangedComment[] =>
  comments.toSorted((one, other) => one.commentId - other.commentId);

/** Makes any such change in a transaction. */
async function updateComments(
  tx: Tx,
  {
    caller,
    reader,
    annotation,
    commentIds,
    changes: { triggerNotification, from, ...changes },
  }: CommentUpdate,
): Promise<UpdatedComment[]> {
  if (!(await lockForChange(tx, caller, reader, annotation, commentIds))) return [];
  const now = Date.now();
  const author = newAuthor(caller, from);
  const rows = await changeRows(tx, {
    ...keyOf(caller, annotation),
    commentIds,
    patch: JSON.stringify(
      prepareChanges({ ...changes, triggerNotification, from: author }, now, caller.assistant),
    ),
    authorId: author?.userId ?? null,
    now,
  });
  const comments = inOrder(rows);
  const mentioned = changes.taggedUserContacts && mentionedUsers(changes);
  await applyToAnnotation(tx, caller, annotation, comments, {
    event: 'comment.update',
    participants: [...(author ? [author] : []), ...(mentioned ?? [])],
    mentionsChanged: mentioned !== undefined,
    actionUser: from,
    loud: caller.user !== undefined || triggerNotification,
    now,
  });
  return comments.map(({ commentId }) => ({ commentId }));
}

/** Deletes comments of an annotation, by default all. The annotation stays, even without comments. */
export async function deleteComments(
  tx: Tx,
  caller: Caller,
  annotation: AnnotationRef,
  commentIds: number[] | undefined,
): Promise<Set<number>> {
  const reader = await loadReader(tx, caller, annotation.organizationId);
  if (!(await lockForChange(tx, caller, reader, annotation, commentIds))) return new Set();
  let query = tx
    .deleteFrom('comments')
    .where('apiKeyId', '=', caller.apiKeyId)
    .where('organizationId', '=', annotation.organizationId)
    .where('documentId', '=', annotation.documentId)
    .where('annotationId', '=', annotation.annotationId);
  if (commentIds) query = query.where('commentId', 'in', commentIds);
  const comments = inOrder(await query.returning(changedColumns).execute());
  const gone = comments.map(({ commentId }) => commentId);
  if (gone.length > 0) {
    await tx
      .deleteFrom('reactions')
      .where('apiKeyId', '=', caller.apiKeyId)
      .where('organizationId', '=', annotation.organizationId)
      .where('documentId', '=', annotation.documentId)
      .where('annotationId', '=', annotation.annotationId)
      .where('commentId', 'in', gone)
      .execute();
    await releaseAttachments(tx, caller, annotation, gone, []);
  }
  const { user } = caller;
  await applyToAnnotation(tx, caller, annotation, comments, {
    event: 'comment.delete',
    participants: [],
    mentionsChanged: true,
    actionUser: user && { userId: user.userId, name: user.name, email: user.email },
    loud: user !== undefined,
    now: Date.now(),
  });
  return new Set(gone);
}

export const lockAnnotation = prepared((db, key: AnnotationKey) =>
  db
    .selectFrom('annotations')
    .select('annotationId')
    .where('apiKeyId', '=', key.apiKeyId)
    .where('organizationId', '=', key.organizationId)
    .where('documentId', '=', key.documentId)
    .where('annotationId', '=', key.annotationId)
    .forNoKeyUpdate(),
);

/**
 * Locks the annotation against concurrent changes of its comments. Returns false if it does not exist or the caller
 * may not see it; throws PERMISSION_DENIED if a user other than an admin names comments of other authors.
 */
async function lockForChange(
  tx: Tx,
  caller: Caller,
  reader: Reader | undefined,
  annotation: AnnotationRef,
  commentIds: number[] | undefined,
): Promise<boolean> {
  const { user } = caller;
  const [locked] = await lockAnnotation(tx, keyOf(caller, annotation));
  if (!locked || !user) return locked !== undefined;
  if (!(await hasAnnotation(tx, caller, annotation, reader))) return false;
  const comments = user.isAdmin ? [] : await listComments(tx, caller, annotation, { commentIds });
  if (comments.some(({ from }) => from?.userId !== user.userId)) {
    throw permissionDenied('A user can only change their own comments.');
  }
  return true;
}

interface CommentChange {
  event: 'comment.update' | 'comment.delete';
  /** New participants of the annotation. */
  participants: User[];
  /** True if the mentioned users must be collected anew from the comments. */
  mentionsChanged: boolean;
  actionUser: User | undefined;
  loud: boolean;
  now: number;
}

/** Updates the annotation, its judgments and views after a change of its comments, and raises the events. */
async function applyToAnnotation(
  tx: Tx,
  caller: Caller,
  { annotationId, ...document }: AnnotationRef,
  comments: ChangedComment[],
  { event, participants, mentionsChanged, actionUser, loud, now }: CommentChange,
): Promise<void> {
  if (comments.length === 0) return;
  const annotation = await updateParticipants(
    tx,
    caller,
    { annotationId, ...document },
    { participants, mentionsChanged, now },
  );
  await syncCommentJudgments(
    tx,
    caller,
    annotation,
    event === 'comment.update'
      ? { changed: comments, deleted: [] }
      : { changed: [], deleted: comments.map(({ commentId }) => commentId) },
  );
  if (actionUser) {
    const viewedAt = Math.max(now, annotation.lastUpdated);
    await markViewed(tx, caller, document, [{ annotationId, userId: actionUser.userId, viewedAt }]);
  }
  const fits = comments.length * recordSizeOf(annotation) <= MAX_EVENT_CHARS;
  const shown = fits ? annotation : outlineOf(annotation);
  await emitAll(
    tx,
    caller,
    event,
    comments.map(
      (comment): AnnotationEvent =>
        annotationEvent(shown, {
          actionUser,
          targetComment: recordOfComment(comment),
          loud,
        }),
    ),
  );
}

async function updateParticipants(
  tx: Tx,
  caller: Caller,
  annotation: AnnotationRef,
  { participants, mentionsChanged, now }: Pick<CommentChange, 'participants' | 'mentionsChanged' | 'now'>,
): Promise<StoredAnnotation> {
  const write = mentionsChanged ? writePeopleAnew : addPeople;
  const [row] = await write(tx, {
    ...keyOf(caller, annotation),
    involved: JSON.stringify(idsOf(participants)),
    subscribed: JSON.stringify(subscriptionsOf(participants)),
    now,
  });
  return row!;
}

interface People extends AnnotationKey {
  /** JSON texts. */
  involved: string;
  subscribed: string;
  now: number;
}

/** Adds people to an annotation. `mentioned` is the list of those whom its comments mention. */
const writingPeople = (mentioned: (row: People) => RawBuilder<unknown>) =>
  prepared((db, row: People) =>
    db
      .updateTable('annotations')
      .set({
        lastUpdated: sql`greatest(last_updated, cast(${row.now} as bigint))`,
        body: sql`body || jsonb_build_object(
          'involvedUserIds', ${withIds('involvedUserIds', sql`cast(${row.involved} as jsonb)`)},
          'mentionedUserIds', ${mentioned(row)},
          'subscribedUsers', ${withSubscribers(sql`cast(${row.subscribed} as jsonb)`)})`,
      })
      .where('apiKeyId', '=', row.apiKeyId)
      .where('organizationId', '=', row.organizationId)
      .where('documentId', '=', row.documentId)
      .where('annotationId', '=', row.annotationId)
      .returningAll(),
  );

const addPeople = writingPeople(() => sql`coalesce(body -> 'mentionedUserIds', '[]')`);

/** Collects those who are mentioned from the comments, as they are now. */
const writePeopleAnew = writingPeople(
  (row) => sql`(select coalesce(jsonb_agg(distinct mentioned.person ->> 'userId'), '[]')
    from comments, jsonb_array_elements(comments.body -> 'to') as mentioned(person)
    where comments.api_key_id = ${row.apiKeyId} and comments.organization_id = ${row.organizationId}
      and comments.document_id = ${row.documentId} and comments.annotation_id = ${row.annotationId})`,
);
