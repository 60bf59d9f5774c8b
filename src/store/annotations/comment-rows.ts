import { randomInt } from 'node:crypto';
import type { PreparedComment } from '../../annotations/comment-draft.ts';
import { alreadyExists } from '../../lib/errors.ts';

interface CommentOfAnnotation {
  annotationId: string;
  comment: PreparedComment;
}

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

export const commentExists = (commentId: number) => alreadyExists(`Comment already exists: ${commentId}`);
