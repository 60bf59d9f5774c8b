import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Comment } from '../../shapes/annotations/comment-record.ts';
import { MAX_NAMED_USERS, type ReactionSummary } from '../../shapes/annotations/reaction.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { listProfiles } from '../users/user-profiles.ts';
import { ON_ANNOTATION } from './reaction-rows.ts';

/** The reactions of one kind on one target, as the database gathers them. */
export type GatheredReactions = [
  commentId: number,
  reactionId: string,
  count: number,
  users: User[],
  isOwn: boolean | null,
];

/** A JSON list of `GatheredReactions`, null without any. `here` is the condition for the rows of `reactions`. */
export const reactionsInSql = (here: RawBuilder<unknown>, reader: Reader | undefined) => sql`
  (select json_agg(json_build_array(kind.comment_id, kind.reaction_id, kind.count, kind.users, kind.is_own)
      order by kind.first_at, kind.reaction_id)
    from (select comment_id, reaction_id, count(*) as count, min(created_at) as first_at,
        to_jsonb((array_agg(author order by created_at, user_id))[1:${sql.lit(MAX_NAMED_USERS)}]) as users,
        ${reader ? sql`bool_or(user_id = ${reader.userId})` : sql`null::boolean`} as is_own
      from reactions where ${here} group by comment_id, reaction_id) as kind)`;

/** The reactions of a record by their target: `ON_ANNOTATION` or a comment id. */
export const summariesOf = (
  gathered: readonly GatheredReactions[] | null,
): Map<number, ReactionSummary[]> => {
  const byTarget = new Map<number, ReactionSummary[]>();
  for (const [commentId, reactionId, count, users, isOwn] of gathered ?? []) {
    const summary = { reactionId, count, users, ...(isOwn !== null && { isOwn }) };
    byTarget.set(commentId, [...(byTarget.get(commentId) ?? []), summary]);
  }
  return byTarget;
};

/** Adds the reactions on comments of an annotation to their records. */
export async function withReactions(
  db: Db,
  scope: Scope,
  { organizationId, documentId, annotationId }: AnnotationRef,
  reader: Reader | undefined,
  comments: readonly Comment[],
): Promise<Comment[]> {
  const here = sql`api_key_id = ${scope.apiKeyId} and organization_id = ${organizationId}
    and document_id = ${documentId} and annotation_id = ${annotationId} and comment_id <> ${sql.lit(ON_ANNOTATION)}`;
  const { rows } = await sql<{ reactions: GatheredReactions[] | null }>`
    select ${reactionsInSql(here, reader)} as reactions`.execute(db);
  const byComment = summariesOf(rows[0]?.reactions ?? null);
  if (byComment.size === 0) return [...comments];
  const userIds = [...byComment.values()].flat().flatMap(({ users }) => users.map(({ userId }) => userId));
  const profiles = await listProfiles(db, scope, [...new Set(userIds)]);
  return comments.map((comment) => {
    const reactions = byComment.get(comment.commentId)?.map((summary) => ({
      ...summary,
      users: summary.users.map((one) => ({ ...one, ...profiles.get(one.userId) })),
    }));
    return reactions ? { ...comment, reactions } : comment;
  });
}
