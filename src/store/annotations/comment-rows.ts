import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { alreadyExists } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

interface CommentOfAnnotation {
  annotationId: string;
  comment: PreparedComment;
}

const MAX_ROUNDS = 6;

/** A random number of six digits, with one more digit in each further round. */
const drawNumber = (round: number): number => randomInt(10 ** (5 + round), 10 ** (6 + round));

/** Draws numbers for the comments that have none; unique among the given comments of an annotation. */
export function numberComments(
  comments: readonly CommentOfAnnotation[],
  round = 0,
): (CommentOfAnnotation & { commentId: number })[] {
  const taken = new Set<string>();
  const keyOf = (annotationId: string, commentId: number) => `${commentId} ${annotationId}`;
  for (const { annotationId, comment } of comments) {
    if (comment.commentId !== undefined) taken.add(keyOf(annotationId, comment.commentId));
  }
  return comments.map((item) => {
    const { annotationId, comment } = item;
    let commentId = comment.commentId ?? drawNumber(round);
    while (comment.commentId === undefined && taken.has(keyOf(annotationId, commentId))) {
      commentId = drawNumber(round);
    }
    taken.add(keyOf(annotationId, commentId));
    return { ...item, commentId };
  });
}

const insertedRow = z.object({ annotationId: z.string(), commentId: z.number() });

/**
 * Inserts comment rows on existing annotations of one document, without touching the annotations or raising events.
 * Returns the numbers in the order of the comments. Throws ALREADY_EXISTS if a chosen number is taken.
 */
export async function insertCommentRows(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  comments: readonly CommentOfAnnotation[],
): Promise<number[]> {
  const ids = new Map<PreparedComment, number>();
  let left = comments;
  for (let round = 0; round < MAX_ROUNDS && left.length > 0; round++) {
    const numbered = numberComments(left, round);
    const items = numbered
      .map(({ annotationId, commentId, comment }) => ({
        annotationId,
        commentId,
        authorId: comment.from.userId,
        body: comment.body,
        createdAt: comment.createdAt,
        lastUpdated: comment.lastUpdated,
      }))
      // Key order, so that concurrent batches lock rows in the same order and cannot deadlock.
      .sort((a, b) =>
        a.annotationId === b.annotationId
          ? a.commentId - b.commentId
          : a.annotationId < b.annotationId
            ? -1
            : 1,
      );
    const rows = await rowsOf(
      tx,
      insertedRow,
      sql`
      insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
        created_at, last_updated)
      select ${apiKeyId}, ${organizationId}, ${documentId}, item.*
      from jsonb_to_recordset(${json(items)}) as item("annotationId" text, "commentId" bigint, "authorId" text,
        body jsonb, "createdAt" bigint, "lastUpdated" bigint)
      on conflict do nothing
      returning annotation_id, comment_id`,
    );
    const written = new Set(rows.map((row) => `${row.commentId} ${row.annotationId}`));
    left = numbered.filter(({ annotationId, commentId, comment }) => {
      const clashed = !written.has(`${commentId} ${annotationId}`);
      if (!clashed) ids.set(comment, commentId);
      else if (comment.commentId !== undefined) throw commentExists(commentId);
      return clashed;
    });
  }
  if (left.length > 0) throw new Error('No free number was found for a comment.');
  return comments.map(({ comment }) => ids.get(comment)!);
}

export const commentExists = (commentId: number) => alreadyExists(`Comment already exists: ${commentId}`);
