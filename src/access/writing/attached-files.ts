import { type AttachmentFacts, storedIdsOf, withFacts } from '../../annotations/attachment-record.ts';
import { inTransaction, type Statement } from '../../db/prepared.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { ApiError, failedPrecondition, type Issue, invalidRequest, notFound } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import { pathName } from '../../lib/text/storable-json.ts';
import type { Attachment } from '../../shapes/annotations/attachment.ts';
import type { CommentChanges } from '../../shapes/annotations/comment.ts';
import type { AnnotationRef, DocumentRef } from '../../shapes/refs.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { listAttachments } from '../../store/annotation-lists/list-attachments.ts';
import {
  commentUpdate,
  lockAnnotation,
  type UpdatedComment,
} from '../../store/annotations/change-comments.ts';
import { listComments } from '../../store/annotations/list-comments.ts';
import {
  type FoundAttachment,
  findAttachments,
  giveUpAttachment,
  type Holding,
  holdAttachments,
  releaseAttachments,
} from '../../store/attachments/attachments.ts';

type Path = (string | number)[];

interface Listed {
  attachments?: readonly Attachment[] | undefined;
}

const takenMeanwhile = () =>
  new ApiError('ABORTED', 'An attachment was used or deleted at the same time; nothing was written.', {
    retryAfterSeconds: 1,
  });

/**
 * Replaces what comments say about stored files by the facts. Throws one error for all files that these comments may not
 * hold. `held` names the comment that may hold its files already.
 */
export async function describeFiles<C extends Listed>(
  db: Db,
  caller: Caller,
  document: DocumentRef,
  comments: readonly C[],
  pathOf: (index: number) => Path,
  held?: AnnotationRef & { commentId: number },
): Promise<C[]> {
  const ids = comments.flatMap(({ attachments }) => storedIdsOf(attachments));
  if (ids.length === 0) return [...comments];
  const found = await findAttachments(db, caller, document, [...new Set(ids)]);
  const byId = new Map(found.map((file) => [file.attachmentId, file]));
  refuseUnfit(caller, comments, pathOf, byId, held);
  const facts: ReadonlyMap<string, AttachmentFacts> = byId;
  return comments.map((comment) =>
    comment.attachments ? { ...comment, attachments: withFacts(comment.attachments, facts) } : comment,
  );
}

function refuseUnfit(
  { user }: Caller,
  comments: readonly Listed[],
  pathOf: (index: number) => Path,
  found: ReadonlyMap<string, FoundAttachment>,
  held: (AnnotationRef & { commentId: number }) | undefined,
): void {
  const missing: Issue[] = [];
  const unfit: Issue[] = [];
  const seen = new Set<string>();
  for (const [index, { attachments }] of comments.entries()) {
    for (const [position, { attachmentId }] of (attachments ?? []).entries()) {
      if (typeof attachmentId !== 'string') continue;
      const path = [...pathOf(index), 'attachments', position, 'attachmentId'];
      const add = (issues: Issue[], problem: string) =>
        issues.push({ path, code: 'custom', message: `${pathName(path)} ${problem}: ${attachmentId}.` });
      const file = found.get(attachmentId);
      const isHeld =
        file?.commentId != null &&
        file.commentId === held?.commentId &&
        file.annotationId === held.annotationId;
      if (seen.has(attachmentId)) add(unfit, 'is used twice');
      // Until a comment holds it, a file belongs to the user who announced it.
      else if (!file || (user && file.commentId === null && file.uploaderId !== user.userId))
        add(missing, 'is not an attachment on this document');
      else if (file.uploadedAt === null) add(unfit, 'is not uploaded yet');
      else if (file.commentId !== null && !isHeld) add(unfit, 'belongs to another comment');
      seen.add(attachmentId);
    }
  }
  const issues = [...missing, ...unfit];
  if (issues.length === 0) return;
  const message = issues.map((issue) => issue.message).join('\n');
  throw new ApiError(missing.length > 0 ? 'NOT_FOUND' : 'FAILED_PRECONDITION', message, {
    details: { issues },
  });
}

/** A statement that writes comments, and then gives them their files in the same transaction. */
export function holdingFiles<Row>(
  caller: Caller,
  statement: Statement<Row>,
  /** True if any of the comments has a stored file; otherwise the statement stays as it is. */
  isNeeded: boolean,
  holdingsOf: (rows: readonly Row[]) => readonly Holding[],
): Statement<Row> {
  if (!isNeeded) return statement;
  return inTransaction(async (tx) => {
    const rows = await statement.run(tx);
    for (const holding of holdingsOf(rows)) {
      if (!(await holdAttachments(tx, caller, holding))) throw takenMeanwhile();
    }
    return rows;
  });
}

interface Update {
  annotation: AnnotationRef;
  commentIds: number[];
  changes: CommentChanges;
}

/** Prepares a change of comments with their files: those that are no longer listed are deleted. */
export async function updateWithFiles(
  db: Db,
  caller: Caller,
  { annotation, commentIds, changes }: Update,
): Promise<Statement<UpdatedComment>> {
  const reader = await loadReader(db, caller, annotation.organizationId);
  const { attachments } = changes;
  if (!attachments) return commentUpdate({ caller, reader, annotation, commentIds, changes });
  const ids = storedIdsOf(attachments);
  const [commentId, ...others] = new Set(commentIds);
  if (ids.length > 0 && others.length > 0) {
    const message = 'commentIds must name one comment, because a stored attachment belongs to one.';
    throw invalidRequest([{ path: ['commentIds'], code: 'custom', message }]);
  }
  const held = { ...annotation, commentId: commentId! };
  const [described] = await describeFiles(db, caller, annotation, [changes], () => ['updatedData'], held);
  return replacingFiles(
    caller,
    annotation,
    ids,
    commentUpdate({ caller, reader, annotation, commentIds, changes: described! }),
  );
}

const replacingFiles = (
  caller: Caller,
  annotation: AnnotationRef,
  attachmentIds: readonly string[],
  statement: Statement<UpdatedComment>,
): Statement<UpdatedComment> =>
  inTransaction(async (tx) => {
    const rows = await statement.run(tx);
    const updated = rows.map(({ commentId }) => commentId);
    if (updated.length === 0) return rows;
    await releaseAttachments(tx, caller, annotation, updated, attachmentIds);
    const holding = { ...annotation, commentId: updated[0]!, attachmentIds };
    if (!(await holdAttachments(tx, caller, holding))) throw takenMeanwhile();
    return rows;
  });

/** Deletes an attachment that the caller may see, and takes it out of its comment. */
export async function deleteAttachment(
  tx: Tx,
  caller: Caller,
  place: DocumentRef,
  attachmentId: string,
): Promise<void> {
  const reader = await loadReader(tx, caller, place.organizationId);
  const [row] = await listAttachments(tx, caller, { ...place, attachmentId }, reader, { limit: 1 });
  if (!row) throw notFound('Attachment not found.');
  const { annotationId, commentId } = row;
  if (annotationId === null || commentId === null) {
    if (!(await giveUpAttachment(tx, { apiKeyId: caller.apiKeyId, attachmentId }))) throw takenMeanwhile();
    return;
  }
  const annotation = { organizationId: place.organizationId, documentId: place.documentId, annotationId };
  await lockAnnotation(tx, { apiKeyId: caller.apiKeyId, ...annotation });
  const [comment] = await listComments(tx, caller, annotation, { commentIds: [commentId] });
  if (!comment) throw failedPrecondition('The comment of the attachment was deleted at the same time.');
  const left = ((comment.attachments ?? []) as Attachment[]).filter(
    (one) => one.attachmentId !== attachmentId,
  );
  const changes: CommentChanges = { attachments: left, triggerNotification: false, from: authorOf(caller) };
  const update = commentUpdate({ caller, reader, annotation, commentIds: [commentId], changes });
  await replacingFiles(caller, annotation, storedIdsOf(left), update).run(tx);
}

const authorOf = ({ user }: Caller): CommentChanges['from'] =>
  user && { userId: user.userId, name: user.name, email: user.email };
