import { recordOfComment } from '../../annotations/present-annotation.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Comment } from '../../shapes/annotations/comment-record.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import type { Reader } from '../access/visibility-sql.ts';
import { documentExists, documentMissing } from '../documents/documents.ts';
import { shownTo } from './annotation-filter.ts';

/** True if the annotation exists and the reader may see it. */
export async function hasAnnotation(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId, annotationId }: AnnotationRef,
  reader: Reader | undefined,
): Promise<boolean> {
  const row = await db
    .selectFrom('annotations')
    .select('annotationId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', annotationId)
    .where(shownTo(reader))
    .executeTakeFirst();
  return row !== undefined;
}

/** Throws NOT_FOUND for the document or the annotation; one that the reader may not see counts as missing. */
export async function requireAnnotation(
  db: Db,
  scope: Scope,
  annotation: AnnotationRef,
  reader: Reader | undefined,
): Promise<void> {
  if (await hasAnnotation(db, scope, annotation, reader)) return;
  if (!(await documentExists(db, scope, annotation))) throw documentMissing();
  throw notFound('Annotation not found.');
}

interface CommentFilter {
  commentIds?: number[] | undefined;
  /** Ids of authors. */
  userIds?: string[] | undefined;
}

/** Comments of an annotation, oldest first, with the current names of their authors. */
export async function listComments(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, documentId, annotationId }: AnnotationRef,
  { commentIds, userIds }: CommentFilter,
): Promise<Comment[]> {
  let query = db
    .selectFrom('comments')
    .leftJoin('users', (join) =>
      join.on('users.apiKeyId', '=', apiKeyId).onRef('users.userId', '=', 'comments.authorId'),
    )
    .select(['commentId', 'comments.body', 'comments.createdAt', 'lastUpdated', 'name', 'email'])
    .where('comments.apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', annotationId);
  // An empty list matches nothing.
  if (commentIds?.length === 0 || userIds?.length === 0) return [];
  if (commentIds) query = query.where('commentId', 'in', commentIds);
  if (userIds) query = query.where('authorId', 'in', userIds);
  const rows = await query.orderBy('comments.createdAt').orderBy('commentId').execute();
  return rows.map(({ name, email, ...row }) => {
    const record = recordOfComment(row);
    const profile = { ...(name !== null && { name }), ...(email !== null && { email }) };
    return {
      ...record,
      ...(record.from && { from: { ...record.from, ...profile } }),
    };
  });
}
