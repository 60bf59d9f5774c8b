import { sql } from 'kysely';
import { z } from 'zod';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { anyOf, condition, json, rowsOf } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { lockReviewedDocument, suggestionsOf } from './agent-suggestions.ts';

const idRow = z.object({ annotationId: z.string() });

const reasonOf = ({ body }: Pick<StoredAnnotation, 'body'>): Fields =>
  ((body.agent as Fields | undefined)?.reason ?? {}) as Fields;

/** True for a suggestion that stands for all places of a cause. */
export const isSiteWide = (annotation: Pick<StoredAnnotation, 'body'>): boolean =>
  reasonOf(annotation).cause !== undefined;

const isOpen = ({ suggestionStatus, body }: StoredAnnotation): boolean =>
  suggestionStatus === 'pending' && body.status?.type !== 'terminal';

/**
 * By cause: the suggestion that already stands for findings of an agent on a page. It is a site-wide one of the agent,
 * decided or not, or an open one of another built-in agent for the site or for the page.
 */
export async function coveringSuggestions(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: DocumentRef,
  { agentId, agentUrl, causeIds }: { agentId: string; agentUrl: string; causeIds: readonly string[] },
): Promise<Map<string, StoredAnnotation>> {
  if (causeIds.length === 0) return new Map();
  // The range and the order make the planner read the index on causes, even of a table without statistics.
  const { rows } = await sql<StoredAnnotation>`
    select found.* from unnest(cast(${[...new Set(causeIds)]} as text[])) as wanted(cause_id)
    cross join lateral (
      select * from annotations
      where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and document_id = ${documentId}
        and cause_id between wanted.cause_id and wanted.cause_id and suggestion_status is not null
        and case when agent_id = ${agentId} then body #> '{agent,reason,cause}' is not null
          else body #>> '{agent,agentType}' = 'built-in' and suggestion_status = 'pending'
            and body #>> '{status,type}' is distinct from 'terminal'
            and (body #> '{agent,reason,cause}' is not null or agent_url = ${agentUrl}) end
      order by cause_id, annotation_number limit 1) found`.execute(tx);
  return new Map(rows.map((one) => [one.causeId!, one]));
}

/**
 * Locks a document and an agent's site-wide suggestions on it: for the given causes, or open ones for causes that a run
 * did not find. Undefined if the document is gone.
 */
export async function lockSiteWideSuggestions(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  agentId: string,
  causes: { ids: readonly string[] } | { notIn: string },
): Promise<StoredAnnotation[] | undefined> {
  if (!(await lockReviewedDocument(tx, scope, document))) return undefined;
  let query = suggestionsOf(tx, scope, document, agentId).selectAll();
  if ('ids' in causes) query = query.where('causeId', '=', anyOf(causes.ids));
  else
    query = query.where('causeId', 'is not', null).where(
      condition`cause_id not in (select cause_id from execution_causes
        where api_key_id = ${scope.apiKeyId} and execution_id = ${causes.notIn})`,
    );
  const rows = await query.orderBy('annotationNumber').forUpdate().execute();
  return rows.filter((one) => isSiteWide(one) && ('ids' in causes || isOpen(one)));
}

/** The causes among some for which an agent has an open site-wide suggestion on a document. */
export async function siteWideCauses(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  agentId: string,
  causeIds: readonly string[],
): Promise<string[]> {
  if (causeIds.length === 0) return [];
  const rows = await suggestionsOf(tx, scope, document, agentId)
    .select('causeId')
    .distinct()
    .where('causeId', '=', anyOf(causeIds))
    .where('suggestionStatus', '=', 'pending')
    .where(condition`body #> '{agent,reason,cause}' is not null`)
    .execute();
  return rows.flatMap(({ causeId }) => causeId ?? []);
}

/**
 * The ids of site-wide suggestions whose cause was last found on a page that a run has not reviewed, so that
 * their fault may still be there.
 */
export async function withUnreviewedPlaces(
  tx: Tx,
  { apiKeyId }: Scope,
  executionId: string,
  suggestions: readonly StoredAnnotation[],
): Promise<Set<string>> {
  const items = suggestions.map(({ annotationId, causeId, executionId: foundBy }) => ({
    annotationId,
    causeId,
    foundBy,
  }));
  const rows = await rowsOf(
    tx,
    idRow,
    sql`select item."annotationId" as annotation_id
      from jsonb_to_recordset(${json(items)}) as item("annotationId" text, "causeId" text, "foundBy" text)
      where exists (
        select from execution_findings finding
        join execution_pages page on page.api_key_id = finding.api_key_id
          and page.execution_id = finding.execution_id and page.position = finding.page_position
        where finding.api_key_id = ${apiKeyId} and finding.execution_id = item."foundBy"
          and finding.cause_id = item."causeId"
          and not exists (select from execution_pages now
            where now.api_key_id = ${apiKeyId} and now.execution_id = ${executionId}
              and now.url_hash = page.url_hash and now.status = 'completed'))`,
  );
  return new Set(rows.map(({ annotationId }) => annotationId));
}

/** Locks an agent's open suggestions for single pages, after a run has reported their faults by cause. */
export async function lockPageSuggestions(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  agentId: string,
  agentUrls: readonly string[],
): Promise<StoredAnnotation[]> {
  const rows = await suggestionsOf(tx, scope, document, agentId)
    .selectAll()
    .where('agentUrl', '=', anyOf(agentUrls))
    .where('suggestionStatus', '=', 'pending')
    .orderBy('annotationNumber')
    .forUpdate()
    .execute();
  return rows.filter((one) => isOpen(one) && !isSiteWide(one));
}
