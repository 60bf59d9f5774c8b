import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { ApiError, alreadyExists } from '../../lib/errors.ts';
import { md5 } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import { safeStoredHtml } from '../../lib/text/html.ts';
import type { Comment } from '../../shapes/annotations/comment.ts';
import type { User } from '../../shapes/user.ts';

export interface Place {
  organizationId: string;
  documentId: string;
}

export interface AnnotationRef extends Place {
  annotationId: string;
}

export interface PlacedComment {
  annotationId: string;
  comment: PreparedComment;
}

export const ROUNDS = 6;

/** A number of six digits, and of one more in each round that found none free. */
export const newCommentId = (round = 0): number => randomInt(10 ** (5 + round), 10 ** (6 + round));

/** Gives each comment a number that none of the others of its annotation has. */
export function numberComments(
  comments: readonly PlacedComment[],
  round = 0,
): (PlacedComment & { commentId: number })[] {
  const taken = new Set<string>();
  const keyOf = (annotationId: string, commentId: number) => `${commentId} ${annotationId}`;
  for (const { annotationId, comment } of comments) {
    if (comment.commentId !== undefined) taken.add(keyOf(annotationId, comment.commentId));
  }
  return comments.map((placed) => {
    const { annotationId, comment } = placed;
    let commentId = comment.commentId ?? newCommentId(round);
    while (comment.commentId === undefined && taken.has(keyOf(annotationId, commentId))) {
      commentId = newCommentId(round);
    }
    taken.add(keyOf(annotationId, commentId));
    return { ...placed, commentId };
  });
}

/**
 * Writes comments on annotations of one document that exist, and nothing else: neither the annotations nor
 * the events that tell of them. Answers the numbers in the order of the comments.
 */
export async function insertComments(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: Place,
  comments: readonly PlacedComment[],
): Promise<number[]> {
  const ids = new Map<PreparedComment, number>();
  let left = comments;
  for (let round = 0; round < ROUNDS && left.length > 0; round++) {
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
      // In the order of their keys, so that two batches at once cannot wait for each other's rows crosswise.
      .sort((a, b) =>
        a.annotationId === b.annotationId
          ? a.commentId - b.commentId
          : a.annotationId < b.annotationId
            ? -1
            : 1,
      );
    const { rows } = await sql<{ annotationId: string; commentId: number }>`
      insert into comments (api_key_id, organization_id, document_id, annotation_id, comment_id, author_id, body,
        created_at, last_updated)
      select ${apiKeyId}, ${organizationId}, ${documentId}, item.*
      from jsonb_to_recordset(${json(items)}) as item("annotationId" text, "commentId" bigint, "authorId" text,
        body jsonb, "createdAt" bigint, "lastUpdated" bigint)
      on conflict do nothing
      returning annotation_id, comment_id`.execute(tx);
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

/** Those who follow an annotation without having asked to, as its record lists them. */
export const subscriptionsOf = (users: readonly User[]): Record<string, { user: User; type: 'auto' }> =>
  Object.fromEntries(users.map((user) => [md5(user.userId), { user, type: 'auto' as const }]));

interface StoredComment {
  commentId: number;
  body: Record<string, unknown>;
  createdAt: number;
  lastUpdated: number;
}

/** The record on the wire. Its HTML was made safe as it came in, and is looked at again as it goes out. */
export const recordOfComment = ({ commentId, body, createdAt, lastUpdated }: StoredComment): Comment => ({
  ...body,
  ...Object.fromEntries(
    (['commentHtml', 'replaceContentHtml'] as const).flatMap((name) => {
      const html = body[name];
      return typeof html === 'string' ? [[name, safeStoredHtml(html)]] : [];
    }),
  ),
  commentId,
  createdAt,
  lastUpdated: new Date(lastUpdated).toISOString(),
});

/** Tells of comments whose authors may not write: which those are, and which others were written. */
export function authorsDenied(
  comments: readonly PreparedComment[],
  denied: readonly boolean[],
  commentIds: readonly number[],
): ApiError {
  const message = 'User does not have access to document';
  const written = [...commentIds];
  const details = comments.map(({ commentId }, index) => {
    if (denied[index]) {
      const key = commentId ?? `__redpen_denied:${index}`;
      return [key, { success: false, message, code: 'permission-denied' }] as const;
    }
    const id = written.shift()!;
    return [id, { success: true, id, message: 'Added Successfully' }] as const;
  });
  return new ApiError('PERMISSION_DENIED', message, {
    details: Object.fromEntries(details),
    commits: true,
  });
}
