import { sql } from 'kysely';
import { z } from 'zod';
import {
  agentOf,
  agentOfAssistant,
  answeredContent,
  assistantIn,
  confidenceOf,
  contentOf,
  defaultReasoning,
  plainTextOfComment,
} from '../../annotations/decisions/judgment-content.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import type { Renames } from '../../annotations/rename-people.ts';
import { prepared } from '../../db/prepared.ts';
import { anyOf, json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Decision } from '../../shapes/memory/judgment.ts';
import type { AnnotationRef, DocumentRef } from '../../shapes/refs.ts';
import type { User } from '../../shapes/user.ts';
import { forgetVectors, judgmentColumns, type StoredJudgment } from './judgments.ts';

export interface ChangedComment {
  commentId: number;
  body: Fields;
}

/** The changes of a thread's judgments that follow from changes of its comments. */
interface JudgmentChanges<J extends StoredJudgment = StoredJudgment> {
  gone: J[];
  /** Those that differ afterwards; reworded ones need new vectors. */
  changed: (J & { isReworded: boolean })[];
}

/**
 * Brings the judgments of a thread up to date after comments were changed or deleted: those of the comments, decisions
 * that quote one, and the content of all. Revoked judgments stay revoked.
 */
export async function syncCommentJudgments(
  tx: Tx,
  scope: Scope,
  annotation: StoredAnnotation,
  comments: { changed: readonly ChangedComment[]; deleted: readonly number[] },
): Promise<void> {
  const { gone, changed } = judgmentChanges(
    annotation,
    await lockJudgmentsOf(tx, scope, annotation),
    comments,
  );
  await remove(tx, scope, gone);
  await updateChanged(tx, scope, changed);
}

/** Derives the changes from all judgments of a thread, in thread order. */
export function judgmentChanges<J extends StoredJudgment>(
  annotation: Pick<StoredAnnotation, 'body'>,
  all: readonly J[],
  { changed, deleted }: { changed: readonly ChangedComment[]; deleted: readonly number[] },
): JudgmentChanges<J> {
  const now = new Map(changed.map(({ commentId, body }) => [commentId, body]));
  const isComment = ({ origin }: StoredJudgment) => origin === 'comment' || origin === 'finding';
  const gone = new Set(deleted);
  const isGone = (one: StoredJudgment) =>
    isComment(one) &&
    one.commentId !== null &&
    (gone.has(one.commentId) || isWordless(now.get(one.commentId)));
  const left = all.filter((one) => !isGone(one));
  const reworded = left.map((one) => {
    const body = isComment(one) && one.commentId !== null ? now.get(one.commentId) : undefined;
    return body ? { ...one, ...fieldsFromComment(one, body) } : one;
  });
  const comments = reworded.filter(isComment);
  const byComment = new Map(comments.map((one) => [one.commentId, one]));
  const [opening] = comments;
  const content = contentOf(annotation.body);
  const after = reworded.map((one): J => {
    const answered = one === opening ? content : answeredContent(opening?.reasoning, content);
    if (isComment(one) || one.commentId === null) return { ...one, content: answered };
    const comment = byComment.get(one.commentId);
    // Words that an assistant wrote over those of a person are no longer the person's reason.
    const quoted = comment?.judgeType === one.judgeType ? comment.reasoning : undefined;
    const { origin, decision } = one as StoredJudgment & { origin: 'suggestion'; decision: Decision };
    return {
      ...one,
      content: answered,
      commentId: quoted === undefined ? null : one.commentId,
      reasoning: quoted ?? defaultReasoning(origin, decision, annotation.body, opening?.reasoning),
    };
  });
  return { gone: all.filter(isGone), changed: changedAmong(left, after) };
}

const identityOf = (one: StoredJudgment) =>
  JSON.stringify([one.commentId, one.judgeType, one.reviewerId, one.actionUser, one.agent]);

/** The rows that differ from those at the same positions before. */
const changedAmong = <J extends StoredJudgment>(
  before: readonly J[],
  after: readonly J[],
): JudgmentChanges<J>['changed'] =>
  after.flatMap((one, index) => {
    const earlier = before[index]!;
    const isReworded = earlier.reasoning !== one.reasoning || earlier.content !== one.content;
    return isReworded || identityOf(earlier) !== identityOf(one) ? [{ ...one, isReworded }] : [];
  });

const isWordless = (body: Fields | undefined): boolean =>
  body !== undefined && plainTextOfComment(body) === '';

const fieldsFromComment = ({ actionUser, agent }: StoredJudgment, body: Fields): Partial<StoredJudgment> => {
  const from = body.from as { userId: string; name?: string; email?: string } | undefined;
  const { injected } = agent ?? {};
  const ofAgent = agent && agentOf(body, injected === undefined ? {} : { injected });
  const assistant = ofAgent ? undefined : assistantIn(body);
  return {
    reasoning: plainTextOfComment(body),
    ...(from && {
      reviewerId: from.userId,
      actionUser:
        from.userId === actionUser.userId ? { ...actionUser, ...publicUser(from) } : publicUser(from),
    }),
    ...(agent && {
      agent: ofAgent ?? agent,
      confidence: confidenceOf(body),
    }),
    ...(assistant !== undefined && { judgeType: 'agent', agent: agentOfAssistant(assistant) }),
  };
};

const publicUser = ({ userId, name, email }: { userId: string; name?: string; email?: string }): User => ({
  userId,
  ...(name !== undefined && { name }),
  ...(email !== undefined && { email }),
});

/** In thread order, locked in order of ids. Imported judgments are not derived from comments. */
const lockJudgmentsOf = async (
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId, annotationId }: StoredAnnotation,
): Promise<StoredJudgment[]> => {
  const rows = await lockThread(tx, { apiKeyId, organizationId, documentId, annotationId });
  return rows.sort((a, b) => a.createdAt - b.createdAt);
};

const lockThread = prepared((db, thread: AnnotationRef & Fields & { apiKeyId: string }) =>
  db
    .selectFrom('judgments')
    .select(judgmentColumns)
    .where(sql`api_key_id collate "C"`, '=', thread.apiKeyId)
    .where('organizationId', '=', thread.organizationId)
    .where('annotationId', '=', thread.annotationId)
    .where('documentId', '=', thread.documentId)
    .where('origin', '<>', 'import')
    .orderBy('judgmentId')
    .forUpdate(),
);

/** Updates judgments; reworded ones wait for new vectors. */
async function updateChanged(tx: Tx, scope: Scope, changed: JudgmentChanges['changed']): Promise<void> {
  if (changed.length === 0) return;
  await writeRewords(tx, { apiKeyId: scope.apiKeyId, items: JSON.stringify(changed), now: Date.now() });
  await forgetVectors(
    tx,
    scope,
    changed.filter((one) => one.isReworded).map((one) => one.judgmentId),
  );
}

const writeRewords = prepared((db, row: { apiKeyId: string; items: string; now: number }) => {
  const query = sql<never>`
    update judgments set reasoning = item.reasoning, content = item.content, comment_id = item."commentId",
      judge_type = item."judgeType", reviewer_id = item."reviewerId", action_user = item."actionUser", agent = nullif(item.agent, 'null'),
      confidence = item.confidence,
      recorded_at = greatest(judgments.recorded_at + 1, cast(${row.now} as bigint)),
      embedded_with = case when item."isReworded" then '' else embedded_with end,
      claimed_until = case when item."isReworded" then 0 else claimed_until end,
      review_words = case when item."isReworded" then null else review_words end,
      content_words = case when item."isReworded" then null else content_words end
    from jsonb_to_recordset(cast(${row.items} as jsonb)) as item("judgmentId" text, reasoning text, content text,
      "commentId" bigint, "judgeType" text, "reviewerId" text, "actionUser" jsonb, agent jsonb,
      confidence double precision, "isReworded" boolean)
    where judgments.api_key_id = ${row.apiKeyId} and judgments.judgment_id = item."judgmentId"`;
  return { compile: () => query.compile(db) };
});

async function remove(tx: Tx, { apiKeyId }: Scope, rows: readonly StoredJudgment[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .deleteFrom('judgments')
    .where('apiKeyId', '=', apiKeyId)
    .where('judgmentId', '=', anyOf(rows.map((row) => row.judgmentId)))
    .execute();
}

const deletedRow = z.object({ judgmentId: z.string() });

/**
 * Follows the deletion of annotations. Decisions on proposals stay, since they are what the memory is for, but without
 * the annotation and the words of comments. All other judgments are deleted with the thread. Imported judgments stay.
 */
export async function syncDeletedAnnotations(
  tx: Tx,
  scope: Scope,
  rows: readonly StoredAnnotation[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { organizationId, documentId } = first;
  const items = rows.map(({ annotationId, body }) => {
    const agent = (body.agent ?? {}) as { reason?: { title?: unknown } };
    const isProposal = body.agent !== undefined || body.suggestion !== undefined;
    // The title of an agent's finding is not the text of a user.
    const opening = typeof agent.reason?.title === 'string' ? plainTextOfComment({ agent }) : undefined;
    const sentence = (decision: Decision) => defaultReasoning('suggestion', decision, body, opening);
    return {
      annotationId,
      isProposal,
      content: answeredContent(opening, contentOf(body)),
      approved: sentence('approve'),
      rejected: sentence('reject'),
      status: defaultReasoning('status', 'resolve', body, opening),
    };
  });
  const given = sql`jsonb_to_recordset(${json(items)}) as item("annotationId" text, "isProposal" boolean, content text,
    approved text, rejected text, status text)`;
  const there = sql`judgments.api_key_id collate "C" = ${scope.apiKeyId} and judgments.organization_id = ${organizationId}
    and judgments.document_id = ${documentId} and judgments.annotation_id = item."annotationId"
    and judgments.origin <> 'import'`;
  await sql`delete from judgments using ${given}
    where ${there} and (judgments.origin in ('comment', 'finding') or not item."isProposal")`.execute(tx);
  const left = await rowsOf(
    tx,
    deletedRow,
    sql`
    update judgments set annotation_id = null, comment_id = null, content = item.content,
      reasoning = case when comment_id is null then reasoning when origin = 'status' then item.status
        when decision = 'approve' then item.approved else item.rejected end,
      recorded_at = greatest(recorded_at + 1, cast(${Date.now()} as bigint)), embedded_with = '', claimed_until = 0,
      review_words = null, content_words = null
    from ${given} where ${there}
    returning judgments.judgment_id`,
  );
  await forgetVectors(
    tx,
    scope,
    left.map((row) => row.judgmentId),
  );
}

/** Updates the reviewer of judgments after users of annotations were renamed. */
export async function renameReviewers(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  annotationIds: readonly string[],
  renames: Renames,
): Promise<void> {
  if (renames.size === 0 || annotationIds.length === 0) return;
  const items = [...renames].map(([oldId, user]) => ({
    oldId,
    userId: user.userId,
    actionUser: publicUser(user as { userId: string }),
  }));
  await sql`
    update judgments set reviewer_id = item."userId", action_user = item."actionUser"
    from jsonb_to_recordset(${json(items)}) as item("oldId" text, "userId" text, "actionUser" jsonb)
    where api_key_id collate "C" = ${apiKeyId} and organization_id = ${organizationId}
      and document_id = ${documentId} and annotation_id = any(cast(${[...annotationIds]} as text[])) and reviewer_id = item."oldId"
      and origin <> 'import'`.execute(tx);
}
