import { sql } from 'kysely';
import { agentOf, confidenceOf } from '../../annotations/decisions/judgment-text.ts';
import type { StoredAnnotation } from '../../annotations/record.ts';
import { json } from '../../db/json.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { syncCommentJudgments } from './change-judgments.ts';

/** A comment of an agent, after its finding was found again. */
export interface Reworded {
  annotationId: string;
  commentId: number;
  body: Record<string, unknown>;
  /** It says something else than before. */
  isNew: boolean;
  injected?: boolean | undefined;
}

/** Brings the judgments of findings up to date that were found again: a finding has one, however many runs find it. */
export async function syncFindingJudgments(
  tx: Tx,
  scope: Scope,
  rows: readonly StoredAnnotation[],
  comments: readonly Reworded[],
): Promise<void> {
  const [first] = rows;
  if (!first || comments.length === 0) return;
  const byId = new Map(rows.map((row) => [row.annotationId, row]));
  for (const { annotationId, commentId, body, isNew } of comments) {
    const row = byId.get(annotationId);
    if (isNew && row)
      await syncCommentJudgments(tx, scope, row, { changed: [{ commentId, body }], deleted: [] });
  }
  const items = comments.map(({ annotationId, commentId, body, injected }) => ({
    annotationId,
    commentId,
    agent: agentOf(body, injected ? { injected } : {}),
    confidence: confidenceOf(body),
  }));
  await sql`
    update judgments set agent = item.agent, confidence = item.confidence
    from jsonb_to_recordset(${json(items)}) as item("annotationId" text, "commentId" bigint, agent jsonb,
      confidence double precision)
    where judgments.api_key_id collate "C" = ${scope.apiKeyId}
      and judgments.organization_id = ${first.organizationId}
      and judgments.document_id = ${first.documentId} and judgments.annotation_id = item."annotationId"
      and judgments.comment_id = item."commentId" and judgments.origin = 'finding'`.execute(tx);
}
