import { sql } from 'kysely';
import { agentOf, confidenceOf } from '../../annotations/decisions/judgment-content.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { syncCommentJudgments } from './change-judgments.ts';

/** An agent's comment whose finding was found again. */
export interface Reworded {
  annotationId: string;
  commentId: number;
  body: Fields;
  /** True if its text changed. */
  isNew: boolean;
  injected?: boolean | undefined;
}

/** Brings the judgments of repeated findings up to date: a finding has one judgment, however many runs report it. */
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
