import { annotationEvent } from '../../annotations/annotation-event.ts';
import { judgmentOfComment } from '../../annotations/decisions/build-judgment.ts';
import {
  recordOfComment,
  type StoredAnnotation,
  visibilityColumn,
} from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AnnotationBody } from '../../shapes/annotations/annotation-record.ts';
import type { CommentBody } from '../../shapes/annotations/comment-record.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { writeAllJudgments } from '../memory/record-judgments.ts';

/** A finding of an agent, ready to be stored. */
export interface AgentAnnotation {
  annotationId: string;
  agentId: string;
  executionId: string;
  /** The reviewed page, without fragment. */
  agentUrl: string;
  /** Absent for a suggestion that sums up a page. */
  causeId?: string | undefined;
  /** True if the page tried to instruct the reviewer: the memory must not learn from this finding. */
  injected?: boolean | undefined;
  /** Fields of the API's record that have no database column of their own. */
  body: AnnotationBody;
  comment: { commentId: number; body: CommentBody };
}

/**
 * Reserves numbers for annotations of a document, which locks the document until the transaction ends. Returns the
 * first number; undefined if the document does not exist.
 */
async function reserveNumbers(
  tx: Tx,
  { apiKeyId }: Scope,
  document: DocumentRef,
  count: number,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('documents')
    .set((eb) => ({ nextAnnotationNumber: eb('nextAnnotationNumber', '+', count) }))
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', document.organizationId)
    .where('documentId', '=', document.documentId)
    .returning('nextAnnotationNumber')
    .executeTakeFirst();
  return row && row.nextAnnotationNumber - count;
}

/** Annotations per statement, each with a comment, a judgment and an event. */
const PART = 500;

/** Inserts an agent's findings as suggestions. Returns their number: 0 if the document does not exist. */
export async function insertAgentAnnotations(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  annotations: readonly AgentAnnotation[],
): Promise<number> {
  if (annotations.length === 0) return 0;
  const first = await reserveNumbers(tx, scope, document, annotations.length);
  if (first === undefined) return 0;
  for (let from = 0; from < annotations.length; from += PART)
    await insertPart(tx, scope, document, annotations.slice(from, from + PART), first + from);
  return annotations.length;
}

async function insertPart(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  annotations: readonly AgentAnnotation[],
  firstNumber: number,
): Promise<void> {
  const now = Date.now();
  const keys = { apiKeyId: scope.apiKeyId, ...document };
  const rows = annotations.map(
    (annotation, index): StoredAnnotation => ({
      ...keys,
      annotationId: annotation.annotationId,
      annotationNumber: firstNumber + index,
      authorId: annotation.agentId,
      statusId: 'OPEN',
      locationId: null,
      agentId: annotation.agentId,
      executionId: annotation.executionId,
      agentUrl: annotation.agentUrl,
      suggestionStatus: 'pending',
      causeId: annotation.causeId ?? null,
      visibility: visibilityColumn(annotation.body.visibilityConfig),
      body: annotation.body,
      createdAt: now,
      lastUpdated: now,
    }),
  );
  await tx
    .insertInto('annotations')
    .values(
      rows.map((row) => ({
        ...row,
        body: json(row.body),
        visibility: row.visibility && json(row.visibility),
      })),
    )
    .execute();
  await tx
    .insertInto('comments')
    .values(
      annotations.map(({ annotationId, agentId, comment }) => ({
        ...keys,
        annotationId,
        commentId: comment.commentId,
        authorId: agentId,
        body: json(comment.body),
        createdAt: now,
        lastUpdated: now,
      })),
    )
    .execute();
  const judgments = rows.map((row, index) => {
    const { comment, injected } = annotations[index]!;
    const from = comment.body.from as { userId: string; name?: string };
    return judgmentOfComment(row, { ...comment, from, createdAt: now }, undefined, { injected });
  });
  await writeAllJudgments(
    tx,
    scope,
    judgments.filter((judgment) => judgment !== undefined),
  );
  await emitAll(
    tx,
    scope,
    'comment_annotation.add',
    rows.map((row, index) => {
      const { comment } = annotations[index]!;
      const actionUser = comment.body.from as Fields;
      const targetComment = recordOfComment({ ...comment, createdAt: now, lastUpdated: now });
      return annotationEvent(row, { actionUser, targetComment, loud: true });
    }),
  );
}
