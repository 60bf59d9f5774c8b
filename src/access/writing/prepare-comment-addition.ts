import { storedIdsOf } from '../../annotations/attachment-record.ts';
import { type PreparedComment, prepareComments } from '../../annotations/comment-draft.ts';
import type { Statement } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import type { NewComment } from '../../shapes/annotations/comment.ts';
import type { AnnotationRef } from '../../shapes/refs.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { commentInsertion } from '../../store/annotations/insert-comments.ts';
import { requireAnnotation } from '../../store/annotations/list-comments.ts';
import { authorize, NO_ACCESS, rolesOnDocument } from '../authorize.ts';
import { describeFiles, holdingFiles } from './attached-files.ts';
import { authorOf } from './author-rules.ts';
import { identifyAgents } from './identify-agents.ts';
import { loadKnownPeople } from './known-people.ts';

export const ANNOTATION_REPLACED = 'The annotation was replaced at the same time; nothing was added.';

interface CommentAddition {
  /** Writes the comments and all that follows from them. */
  statement: Statement<{ commentId: number }>;
  /** The ids of the comments, from the rows of the statement. */
  result(rows: { commentId: number }[]): Promise<number[]>;
}

/**
 * Prepares one SQL statement that adds comments to an annotation; the endpoint returns it to be run. With `verify`,
 * comments of authors who may not write on the document are left out, and `result` then throws PERMISSION_DENIED with a
 * detail for each comment. `attempt` is the number of earlier statements that failed because a comment id was taken.
 */
export async function prepareCommentAddition(
  db: Db,
  caller: Caller,
  annotation: AnnotationRef,
  sent: readonly NewComment[],
  { verify, attempt }: { verify: boolean; attempt: number },
): Promise<CommentAddition> {
  await authorize(db, caller, annotation, 'editor');
  const comments = await prepare(db, caller, annotation, sent);
  // For an API key, the statement finds out whether the annotation exists.
  if (caller.user || verify) {
    const reader = await loadReader(db, caller, annotation.organizationId);
    await requireAnnotation(db, caller, annotation, reader);
  }
  const denied = verify ? await deniedAuthors(db, caller, annotation, comments) : new Set<PreparedComment>();
  const allowed = comments.filter((comment) => !denied.has(comment));
  if (allowed.length === 0) throw authorsDenied(comments, denied, []);
  const byUser = caller.user !== undefined;
  const { commentIds, statement } = await commentInsertion(db, caller, annotation, allowed, {
    byUser,
    attempt,
  });
  const filesOf = (index: number) => storedIdsOf(allowed[index]!.body.attachments);
  return {
    statement: holdingFiles(
      caller,
      statement,
      allowed.some((_, index) => filesOf(index).length > 0),
      (rows) =>
        rows.length === 0
          ? []
          : commentIds.map((commentId, index) => ({
              ...annotation,
              commentId,
              attachmentIds: filesOf(index),
            })),
    ),
    async result(rows) {
      if (rows.length === 0) {
        await requireAnnotation(db, caller, annotation, undefined);
        throw new ApiError('ABORTED', ANNOTATION_REPLACED, { retryAfterSeconds: 1 });
      }
      if (denied.size > 0) throw authorsDenied(comments, denied, commentIds);
      return commentIds;
    },
  };
}

async function prepare(
  db: Db,
  caller: Caller,
  annotation: AnnotationRef,
  sent: readonly NewComment[],
): Promise<PreparedComment[]> {
  const known = await loadKnownPeople(db, caller, { mentioning: sent });
  const described = await describeFiles(db, caller, annotation, sent, (index) => ['commentData', index]);
  const drafts = described.map((comment) => ({
    ...known.mentions(comment),
    from: authorOf(caller, comment),
  }));
  return prepareComments(await identifyAgents(db, caller, drafts), {
    now: Date.now(),
    byUser: caller.user !== undefined,
    assistant: caller.assistant,
    path: ['commentData'],
  });
}

/** The comments whose authors may not write on the document; agents have no rights of their own. */
async function deniedAuthors(
  db: Db,
  caller: Caller,
  annotation: AnnotationRef,
  comments: readonly PreparedComment[],
): Promise<Set<PreparedComment>> {
  const byPeople = comments.filter(({ body }) => !body.agent);
  const userIds = [...new Set(byPeople.map(({ from }) => from.userId))];
  const roles = await rolesOnDocument(db, caller, annotation, userIds);
  return new Set(byPeople.filter(({ from }) => roles.get(from.userId) !== 'editor'));
}

/** PERMISSION_DENIED with a result for each comment: the denied ones, and those that were written. */
function authorsDenied(
  comments: readonly PreparedComment[],
  denied: ReadonlySet<PreparedComment>,
  commentIds: readonly number[],
): ApiError {
  const written = [...commentIds];
  const details = comments.map((comment, index) => {
    if (denied.has(comment)) {
      const key = comment.commentId ?? `__redpen_denied:${index}`;
      return [key, { success: false, message: NO_ACCESS, code: 'permission-denied' }] as const;
    }
    const id = written.shift()!;
    return [id, { success: true, id, message: 'Added Successfully' }] as const;
  });
  return new ApiError('PERMISSION_DENIED', NO_ACCESS, {
    details: Object.fromEntries(details),
    commits: true,
  });
}
