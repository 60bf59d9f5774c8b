import { sql } from 'kysely';
import { z } from 'zod';
import { annotationEvent } from '../../annotations/annotation-event.ts';
import { recordOfComment, type StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json, rowOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { Position } from '../../lib/cursor.ts';
import { failedPrecondition, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import {
  MAX_KINDS,
  MAX_OF_USER,
  MAX_REACTIONS,
  type ReactionRecord,
} from '../../shapes/annotations/reaction.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { shownTo } from '../annotations/annotation-filter.ts';
import { requireAnnotation } from '../annotations/list-comments.ts';
import { listProfiles } from '../users/user-profiles.ts';

/** The comment id of reactions on an annotation itself, since a primary key has no nulls. */
export const ON_ANNOTATION = -1;

export interface ReactionRef extends AnnotationRef {
  commentId: number | undefined;
  reactionId: string;
}

export interface ReactionContext {
  from: User;
  reader: Reader | undefined;
  loud: boolean;
}

/** Adds a reaction unless the user has it already. Returns whether it is new, and how many users have it now. */
export async function addReaction(
  tx: Tx,
  scope: Scope,
  reaction: ReactionRef,
  context: ReactionContext,
): Promise<{ changed: boolean; count: number }> {
  const annotation = await lockTarget(tx, scope, reaction, context.reader);
  const targetComment = await commentOf(tx, scope, reaction);
  if (reaction.commentId !== undefined && !targetComment) throw notFound('Comment not found.');
  const { from } = context;
  const key = keyOf(scope, reaction);
  const known = await countBefore(tx, key, from.userId);
  if (known.isThere) return { changed: false, count: known.count };
  refuseFlood(known);
  const createdAt = Date.now();
  await tx
    .insertInto('reactions')
    .values({ ...key, userId: from.userId, author: json(from), createdAt })
    .execute();
  const details = { ...detailsOf(reaction, context, targetComment), createdAt };
  await emit(tx, scope, 'comment.reaction_add', eventOf(annotation, details));
  return { changed: true, count: known.count + 1 };
}

/** Removes the user's reaction if there is one. Returns whether there was one, and how many users still have it. */
export async function deleteReaction(
  tx: Tx,
  scope: Scope,
  reaction: ReactionRef,
  context: ReactionContext,
): Promise<{ changed: boolean; count: number }> {
  const annotation = await lockTarget(tx, scope, reaction, context.reader);
  const { from } = context;
  const key = keyOf(scope, reaction);
  const known = await countBefore(tx, key, from.userId);
  if (!known.isThere) return { changed: false, count: known.count };
  const { createdAt } = await tx
    .deleteFrom('reactions')
    .where('apiKeyId', '=', key.apiKeyId)
    .where('organizationId', '=', key.organizationId)
    .where('documentId', '=', key.documentId)
    .where('annotationId', '=', key.annotationId)
    .where('commentId', '=', key.commentId)
    .where('reactionId', '=', key.reactionId)
    .where('userId', '=', from.userId)
    .returning('createdAt')
    .executeTakeFirstOrThrow();
  const targetComment = await commentOf(tx, scope, reaction);
  const details = { ...detailsOf(reaction, context, targetComment), createdAt };
  await emit(tx, scope, 'comment.reaction_delete', eventOf(annotation, details));
  return { changed: true, count: known.count - 1 };
}

const keyOf = (
  { apiKeyId }: Scope,
  { organizationId, documentId, annotationId, commentId = ON_ANNOTATION, reactionId }: ReactionRef,
) => ({ apiKeyId, organizationId, documentId, annotationId, commentId, reactionId });

/** Locks the annotation, so that concurrent reactions are counted. Throws NOT_FOUND if the reader may not see it. */
async function lockTarget(
  tx: Tx,
  scope: Scope,
  { organizationId, documentId, annotationId }: ReactionRef,
  reader: Reader | undefined,
): Promise<StoredAnnotation> {
  const annotation = await tx
    .selectFrom('annotations')
    .selectAll()
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', annotationId)
    .where(shownTo(reader))
    .forNoKeyUpdate('annotations')
    .executeTakeFirst();
  if (annotation) return annotation;
  await requireAnnotation(tx, scope, { organizationId, documentId, annotationId }, reader);
  throw notFound('Annotation not found.');
}

async function commentOf(tx: Tx, { apiKeyId }: Scope, reaction: ReactionRef) {
  if (reaction.commentId === undefined) return undefined;
  const row = await tx
    .selectFrom('comments')
    .select(['commentId', 'body', 'createdAt', 'lastUpdated'])
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', reaction.organizationId)
    .where('documentId', '=', reaction.documentId)
    .where('annotationId', '=', reaction.annotationId)
    .where('commentId', '=', reaction.commentId)
    .executeTakeFirst();
  return row && recordOfComment(row);
}

const countsRow = z.object({
  isThere: z.boolean(),
  count: z.int(),
  kinds: z.int(),
  ofUser: z.int(),
  all: z.int(),
});
type Counts = z.output<typeof countsRow>;

const countBefore = (tx: Tx, key: ReturnType<typeof keyOf>, userId: string): Promise<Counts> => {
  const onTarget = sql`comment_id = cast(${key.commentId} as bigint)`;
  const ofKind = sql`${onTarget} and reaction_id = ${key.reactionId}`;
  return rowOf(
    tx,
    countsRow,
    sql`
    select count(*) filter (where ${ofKind} and user_id = ${userId}) > 0 as is_there,
      cast(count(*) filter (where ${ofKind}) as integer) as count,
      cast(count(distinct reaction_id) filter (where ${onTarget} and reaction_id <> ${key.reactionId}) as integer)
        as kinds,
      cast(count(*) filter (where ${onTarget} and user_id = ${userId}) as integer) as of_user,
      cast(count(*) as integer) as "all"
    from reactions where api_key_id = ${key.apiKeyId} and organization_id = ${key.organizationId}
      and document_id = ${key.documentId} and annotation_id = ${key.annotationId}`,
  );
};

function refuseFlood({ kinds, ofUser, all }: Counts): void {
  if (kinds >= MAX_KINDS) throw failedPrecondition(`At most ${MAX_KINDS} different reactions are possible.`);
  if (ofUser >= MAX_OF_USER)
    throw failedPrecondition(`A user can have at most ${MAX_OF_USER} reactions here.`);
  if (all >= MAX_REACTIONS) {
    throw failedPrecondition(`An annotation can have at most ${MAX_REACTIONS} reactions.`);
  }
}

const detailsOf = (
  { commentId, reactionId }: ReactionRef,
  { from, loud }: ReactionContext,
  targetComment: ReturnType<typeof recordOfComment> | undefined,
) => ({ commentId, reactionId, from, loud, targetComment });

const eventOf = (
  annotation: StoredAnnotation,
  { targetComment, from, loud, ...reaction }: ReturnType<typeof detailsOf> & { createdAt: number },
) => ({
  ...annotationEvent(annotation, { targetComment, actionUser: from, loud }),
  reaction: { ...reaction, from },
});

interface ReactionFilter {
  commentId?: number | undefined;
  reactionId?: string | undefined;
}

/** Reactions on an annotation and its comments, the newest first, with the current names of their users. */
export async function listReactions(
  db: Db,
  scope: Scope,
  annotation: AnnotationRef,
  { commentId, reactionId }: ReactionFilter,
  { position, size }: { position: Position; size: number },
): Promise<{ records: ReactionRecord[]; next: Position | undefined }> {
  let query = db
    .selectFrom('reactions')
    .select(['commentId', 'reactionId', 'userId', 'author', 'createdAt'])
    .where('apiKeyId', '=', scope.apiKeyId)
    .where('organizationId', '=', annotation.organizationId)
    .where('documentId', '=', annotation.documentId)
    .where('annotationId', '=', annotation.annotationId);
  if (commentId !== undefined) query = query.where('commentId', '=', commentId);
  if (reactionId !== undefined) query = query.where('reactionId', '=', reactionId);
  const [createdAt, afterComment, afterReaction, afterUser] = position;
  if (afterUser !== undefined) {
    query = query.where((eb) =>
      eb(
        eb.refTuple('createdAt', 'commentId', 'reactionId', 'userId'),
        '<',
        eb.tuple(Number(createdAt), Number(afterComment), String(afterReaction), String(afterUser)),
      ),
    );
  }
  const rows = await query
    .orderBy('createdAt', 'desc')
    .orderBy('commentId', 'desc')
    .orderBy('reactionId', 'desc')
    .orderBy('userId', 'desc')
    .limit(size + 1)
    .execute();
  const shown = rows.slice(0, size);
  const profiles = await listProfiles(db, scope, [...new Set(shown.map((row) => row.userId))]);
  const last = rows.length > size ? shown.at(-1) : undefined;
  return {
    records: shown.map((row) => recordOf({ ...row, author: { ...row.author, ...profiles.get(row.userId) } })),
    next: last && [last.createdAt, last.commentId, last.reactionId, last.userId],
  };
}

interface ReactionRow {
  commentId: number;
  reactionId: string;
  author: User;
  createdAt: number;
}

export const recordOf = ({ commentId, reactionId, author, createdAt }: ReactionRow): ReactionRecord => ({
  reactionId,
  ...(commentId !== ON_ANNOTATION && { commentId }),
  from: author,
  createdAt,
});
