import { type RawBuilder, sql } from 'kysely';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { anyOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

/** `decisionOn` of the review, in SQL. */
const decision = sql`case
  when annotation.suggestion_status in ('accepted', 'rejected') then annotation.suggestion_status
  when annotation.body #>> '{status,type}' = 'terminal' and annotation.body #> '{agent,repaired}' is null
    then 'resolved' end`;

/** Brings findings up to the decisions on their annotations: rows of the table or CTE `annotation` after a change. */
export const decideFindingsOf = (
  apiKeyId: string,
  annotation: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  update finding_records set decision = ${decision}, decided = null,
    decided_at = case when ${decision} is not null then annotation.last_updated end
  from ${annotation}
  where annotation.agent_id is not null and finding_records.api_key_id = ${apiKeyId}
    and finding_records.organization_id = annotation.organization_id
    and finding_records.document_id = annotation.document_id
    and finding_records.annotation_id = annotation.annotation_id
    and finding_records.decision is distinct from ${decision}`;

/** Does so for changed annotations of a document, if agents wrote some of them. */
export async function syncFindings(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  rows: readonly StoredAnnotation[],
): Promise<void> {
  const ids = rows.filter(({ agentId }) => agentId !== null).map(({ annotationId }) => annotationId);
  if (ids.length === 0) return;
  const changed = sql`(select * from annotations where api_key_id = ${apiKeyId}
    and organization_id = ${organizationId} and document_id = ${documentId}
    and annotation_id = ${anyOf(ids)}) as annotation`;
  await decideFindingsOf(apiKeyId, changed).execute(tx);
}

/** Takes deleted annotations from their findings, with the decisions on them. */
export async function releaseFindings(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  rows: readonly StoredAnnotation[],
): Promise<void> {
  const ids = rows.filter(({ agentId }) => agentId !== null).map(({ annotationId }) => annotationId);
  if (ids.length === 0) return;
  await tx
    .updateTable('findingRecords')
    .set({ annotationId: null, decision: null, decidedAt: null, decided: null })
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .where('annotationId', '=', anyOf(ids))
    .execute();
}
