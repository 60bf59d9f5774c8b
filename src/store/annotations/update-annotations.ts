import { sql } from 'kysely';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';

const PART = 500;

/** Stores what agents change of locked annotations of one document: body, status, cause, run and time. */
export async function updateAnnotations(tx: Tx, rows: readonly StoredAnnotation[]): Promise<void> {
  for (let from = 0; from < rows.length; from += PART) {
    const part = rows.slice(from, from + PART);
    const { apiKeyId, organizationId, documentId } = part[0]!;
    const items = part.map(
      ({ annotationId, executionId, statusId, causeId, agentUrl, body, lastUpdated }) => ({
        annotationId,
        executionId,
        statusId,
        causeId,
        agentUrl,
        body,
        lastUpdated,
      }),
    );
    await sql`
      update annotations set execution_id = item."executionId", status_id = item."statusId", cause_id = item."causeId",
        agent_url = item."agentUrl", body = item.body, last_updated = item."lastUpdated"
      from jsonb_to_recordset(${json(items)}) as item("annotationId" text, "executionId" text, "statusId" text,
        "causeId" text, "agentUrl" text, body jsonb, "lastUpdated" bigint)
      where annotations.api_key_id = ${apiKeyId} and annotations.organization_id = ${organizationId}
        and annotations.document_id = ${documentId} and annotations.annotation_id = item."annotationId"`.execute(
      tx,
    );
  }
}
