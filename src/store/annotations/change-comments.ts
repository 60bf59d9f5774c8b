import { sql } from 'kysely';
import { mentionedIn, prepareChanges } from '../../annotations/comment-draft.ts';
import { eventOf, MAX_TOLD, outlineOf, type StoredAnnotation, sizeOf } from '../../annotations/record.ts';
import { json } from '../../db/sql-fragments.ts';
import type { DocumentTables } from '../../db/tables/document-tables.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import { permissionDenied } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import type { CommentChanges } from '../../shapes/annotations/comment.ts';
import type { User } from '../../shapes/user.ts';
import { loadReader } from '../access/visibility-sql.ts';
import { followComments } from '../memory/change-judgments.ts';
import { markViewed } from './annotation-views.ts';
import { withIds, withSubscribers } from './comment-people.ts';
import { type AnnotationRef, recordOfComment, subscriptionsOf } from './comments.ts';
import { hasAnnotation, listComments } from './list-comments.ts';

type CommentRow = DocumentTables['comments'];
const changed = ['commentId', 'body', 'createdAt', 'lastUpdated'] as const;
type ChangedComment = Pick<CommentRow, (typeof changed)[number]>;

/** Changes comments of an annotation, all in the same way; answers the numbers of those that are there. */
export async function updateComments(
  tx: Tx,
  caller: Caller,
  annotation: AnnotationRef,
  commentIds: number[],
  { triggerNotification, from, ...changes }: CommentChanges,
): Promise<Set<number>> {
  if (!(await mayChange(tx, caller, annotation, commentIds))) return new Set();
  const now = Date.now();
  // Who changes a comment with a token of their own is not made its author.
  const author = caller.user ? undefined : from;
  const body = json(prepareChanges({ ...changes, triggerNotification, from: author }, now));
  const comments = await tx
    .updateTable('comments')
    .set({ body: sql`body || ${body}`, lastUpdated: now, ...(author && { authorId: author.userId }) })
    .where('apiKeyId', '=', caller.apiKeyId)
    .where('organizationId', '=', annotation.organizationId)
    .where('documentId', '=', annotation.documentId)
    .where('annotationId', '=', annotation.annotationId)
    .where('commentId', 'in', commentIds)
    .returning(changed)
    .execute();
  const mentioned = changes.taggedUserContacts && mentionedIn(changes);
  await tellOf(tx, caller, annotation, comments, {
    event: 'comment.update',
    joined: [...(author ? [author] : []), ...(mentioned ?? [])],
    recount: mentioned !== undefined,
    actionUser: from,
    loud: caller.user !== undefined || triggerNotification,
    now,
  });
  return new Set(comments.map((comment) => comment.commentId));
}

/** Deletes comments of an annotation, by default all; the annotation stays, even without any. */
export async function deleteComments(
  tx: Tx,
  caller: Caller,
  annotation: AnnotationRef,
  commentIds: number[] | undefined,
): Promise<Set<number>> {
  if (!(await mayChange(tx, caller, annotation, commentIds))) return new Set();
  let query = tx
    .deleteFrom('comments')
    .where('apiKeyId', '=', caller.apiKeyId)
    .where('organizationId', '=', annotation.organizationId)
    .where('documentId', '=', annotation.documentId)
    .where('annotationId', '=', annotation.annotationId);
  if (commentIds) query = query.where('commentId', 'in', commentIds);
  const comments = await query.returning(changed).execute();
  const { user } = caller;
  await tellOf(tx, caller, annotation, comments, {
    event: 'comment.delete',
    joined: [],
    recount: true,
    actionUser: user && { userId: user.userId, name: user.name, email: user.email },
    loud: user !== undefined,
    now: Date.now(),
  });
  return new Set(comments.map((comment) => comment.commentId));
}

/**
 * Holds the annotation against other changes of its comments; false where there is none that the caller may
 * know of. Users change only what they wrote, unless they are admins.
 */
async function mayChange(
  tx: Tx,
  caller: Caller,
  annotation: AnnotationRef,
  commentIds: number[] | undefined,
): Promise<boolean> {
  const { user } = caller;
  const held = await tx
    .selectFrom('annotations')
    .select('annotationId')
    .where('apiKeyId', '=', caller.apiKeyId)
    .where('organizationId', '=', annotation.organizationId)
    .where('documentId', '=', annotation.documentId)
    .where('annotationId', '=', annotation.annotationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held || !user) return held !== undefined;
  const reader = await loadReader(tx, caller, annotation.organizationId);
  if (!(await hasAnnotation(tx, caller, annotation, reader))) return false;
  const comments = user.isAdmin ? [] : await listComments(tx, caller, annotation, { commentIds });
  if (comments.some(({ from }) => from?.userId !== user.userId)) {
    throw permissionDenied('A user can only change their own comments.');
  }
  return true;
}

interface Change {
  event: 'comment.update' | 'comment.delete';
  /** Who is part of the annotation's story from now on. */
  joined: User[];
  /** Whether others may be mentioned now than before. */
  recount: boolean;
  actionUser: User | undefined;
  loud: boolean;
  now: number;
}

/** Brings the annotation up to date with changes of its comments, and tells of each. */
async function tellOf(
  tx: Tx,
  caller: Caller,
  { annotationId, ...place }: AnnotationRef,
  comments: ChangedComment[],
  { event, joined, recount, actionUser, loud, now }: Change,
): Promise<void> {
  if (comments.length === 0) return;
  const involved = [...new Set(joined.map(({ userId }) => userId))];
  const ofAnnotation = sql`api_key_id = ${caller.apiKeyId} and organization_id = ${place.organizationId}
    and document_id = ${place.documentId} and annotation_id = ${annotationId}`;
  const mentioned = recount
    ? sql`(select coalesce(jsonb_agg(distinct mentioned.person ->> 'userId'), '[]')
        from comments, jsonb_array_elements(comments.body -> 'to') as mentioned(person) where ${ofAnnotation})`
    : sql`coalesce(body -> 'mentionedUserIds', '[]')`;
  const { rows } = await sql<StoredAnnotation>`
    update annotations set last_updated = greatest(last_updated, cast(${now} as bigint)),
      body = body || jsonb_build_object(
        'involvedUserIds', ${withIds('involvedUserIds', json(involved))},
        'mentionedUserIds', ${mentioned},
        'subscribedUsers', ${withSubscribers(json(subscriptionsOf(joined)))})
    where ${ofAnnotation}
    returning *`.execute(tx);
  const annotation = rows[0]!;
  await followComments(
    tx,
    caller,
    annotation,
    event === 'comment.update'
      ? { changed: comments, deleted: [] }
      : { changed: [], deleted: comments.map(({ commentId }) => commentId) },
  );
  if (actionUser) {
    const viewedAt = Math.max(now, annotation.lastUpdated);
    await markViewed(tx, caller, place, [{ annotationId, userId: actionUser.userId, viewedAt }]);
  }
  const fits = comments.length * sizeOf(annotation) <= MAX_TOLD;
  const shown = fits ? annotation : outlineOf(annotation);
  await emitAll(
    tx,
    caller,
    event,
    comments.map((comment) => eventOf(shown, { actionUser, targetComment: recordOfComment(comment), loud })),
  );
}
