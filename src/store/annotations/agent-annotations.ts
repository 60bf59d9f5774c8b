import { judgmentOfComment } from '../../annotations/decisions/causes.ts';
import { eventOf, type StoredAnnotation, visibilityColumn } from '../../annotations/record.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Scope } from '../../lib/scope.ts';
import { writeAllJudgments } from '../memory/record-judgments.ts';
import { recordOfComment } from './comments.ts';

export interface DocumentRef {
  organizationId: string;
  documentId: string;
}

export interface AgentAnnotation {
  annotationId: string;
  agentId: string;
  executionId: string;
  /** The page it is about, without fragment. */
  agentUrl: string;
  /** The page tried to instruct its reviewer, so that what is said of it is no example for others. */
  injected?: boolean | undefined;
  /** The record's fields on the wire that no column holds. */
  body: Record<string, unknown>;
  comment: { commentId: number; body: Record<string, unknown> };
}

export const documentExists = async (db: Db, { apiKeyId }: Scope, document: DocumentRef): Promise<boolean> =>
  (await db
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', document.organizationId)
    .where('documentId', '=', document.documentId)
    .executeTakeFirst()) !== undefined;

/**
 * Takes numbers for new annotations of a document; undefined where the document is gone. It holds the
 * document, so that it cannot go while they are written.
 */
async function takeNumbers(
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

/** Writes an agent's findings as suggestions on a document; answers how many, 0 where the document is gone. */
export async function insertAgentAnnotations(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  annotations: AgentAnnotation[],
): Promise<number> {
  if (annotations.length === 0) return 0;
  const first = await takeNumbers(tx, scope, document, annotations.length);
  if (first === undefined) return 0;
  const now = Date.now();
  const place = { apiKeyId: scope.apiKeyId, ...document };
  const rows = annotations.map(
    (annotation, index): StoredAnnotation => ({
      ...place,
      annotationId: annotation.annotationId,
      annotationNumber: first + index,
      authorId: annotation.agentId,
      statusId: 'OPEN',
      locationId: null,
      agentId: annotation.agentId,
      executionId: annotation.executionId,
      agentUrl: annotation.agentUrl,
      suggestionStatus: 'pending',
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
        ...place,
        annotationId,
        commentId: comment.commentId,
        authorId: agentId,
        body: json(comment.body),
        createdAt: now,
        lastUpdated: now,
      })),
    )
    .execute();
  const judged = rows.map((row, index) => {
    const { comment, injected } = annotations[index]!;
    const from = comment.body.from as { userId: string; name?: string };
    return judgmentOfComment(row, { ...comment, from, createdAt: now }, undefined, { injected });
  });
  await writeAllJudgments(
    tx,
    scope,
    judged.filter((one) => one !== undefined),
  );
  await emitAll(
    tx,
    scope,
    'comment_annotation.add',
    rows.map((row, index) => {
      const { comment } = annotations[index]!;
      const actionUser = comment.body.from as Record<string, unknown>;
      const targetComment = recordOfComment({ ...comment, createdAt: now, lastUpdated: now });
      return eventOf(row, { actionUser, targetComment, loud: true });
    }),
  );
  return annotations.length;
}
