import { sql } from 'kysely';
import { anyOf, condition, json } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { md5, newTimedId } from '../../lib/ids.ts';
import type { Finding, Severity } from '../../shapes/agents/execution.ts';
import {
  type FindingCounts,
  type FindingDecisionName,
  noFindings,
} from '../../shapes/agents/finding-record.ts';
import type { DocumentRef } from '../../shapes/refs.ts';

export type FindingRecordRow = ExecutionTables['findingRecords'];

/** A page that a run of an agent has reviewed, for a document or without one. */
export interface PageOfFindings {
  apiKeyId: string;
  agentId: string;
  executionId: string;
  /** Without fragment. */
  pageUrl: string;
  document?: DocumentRef | undefined;
}

/** A finding as a run saw it. Its body has no decision. */
export interface SeenFinding {
  body: Finding;
  annotationId?: string | undefined;
  /** The decision on the annotation. */
  decision?: Finding['decision'];
  decidedAt?: number | undefined;
}

const ROWS_AT_ONCE = 1_000;

/** All findings that runs of an agent saw on a page, for the document or without one. */
export function recordsOfPage(
  db: Db,
  { apiKeyId, agentId, pageUrl, document }: Omit<PageOfFindings, 'executionId'>,
): Promise<FindingRecordRow[]> {
  const query = db
    .selectFrom('findingRecords')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('pageHash', '=', md5(pageUrl))
    .where('agentId', '=', agentId);
  return (
    document
      ? query
          .where('organizationId', '=', document.organizationId)
          .where('documentId', '=', document.documentId)
      : query.where('documentId', 'is', null)
  )
    .orderBy('firstSeenAt')
    .orderBy('findingId')
    .execute();
}

/**
 * Stores findings that a run saw on a page. A finding that was gone is new again. The decision on a finding with an
 * annotation is that of the annotation; the others keep theirs.
 */
export async function seeFindings(
  tx: Tx,
  page: PageOfFindings,
  findings: readonly SeenFinding[],
): Promise<void> {
  if (findings.length === 0 || !(await holdDocument(tx, page))) return;
  const { apiKeyId, agentId, executionId, pageUrl, document } = page;
  const now = sql`cast(${Date.now()} as bigint)`;
  for (let from = 0; from < findings.length; from += ROWS_AT_ONCE) {
    const items = findings
      .slice(from, from + ROWS_AT_ONCE)
      .map((finding) => ({ ...finding, findingId: newTimedId('fnd') }));
    await sql`
      insert into finding_records (api_key_id, finding_id, organization_id, document_id, fingerprint, agent_id,
        page_hash, page_url, severity, issue_type, state, decision, decided_at, annotation_id, first_seen_at,
        last_seen_at, seen_count, first_execution_id, last_execution_id, body)
      select ${apiKeyId}, item."findingId", ${document?.organizationId ?? null}, ${document?.documentId ?? null},
        item.body ->> 'fingerprint', ${agentId}, ${md5(pageUrl)}, ${pageUrl}, item.body ->> 'severity',
        item.body ->> 'issueType', 'new', item.decision, item."decidedAt", item."annotationId", ${now}, ${now}, 1,
        ${executionId}, ${executionId}, item.body
      from jsonb_to_recordset(${json(items)}) as item("findingId" text, "annotationId" text, decision text,
        "decidedAt" bigint, body jsonb)
      order by item.body ->> 'fingerprint'
      on conflict (api_key_id, fingerprint, organization_id, document_id) do update set
        severity = excluded.severity, issue_type = excluded.issue_type, body = excluded.body,
        state = case when finding_records.state = 'fixed' then 'new'
          when finding_records.last_execution_id = excluded.last_execution_id then finding_records.state
          else 'still_there' end,
        seen_count = finding_records.seen_count
          + case when finding_records.last_execution_id = excluded.last_execution_id then 0 else 1 end,
        last_seen_at = excluded.last_seen_at, last_execution_id = excluded.last_execution_id,
        fixed_at = null, fixed_execution_id = null,
        annotation_id = coalesce(excluded.annotation_id, finding_records.annotation_id),
        decision = case when excluded.annotation_id is null then finding_records.decision else excluded.decision end,
        decided = case when excluded.annotation_id is null then finding_records.decided end,
        decided_at = case when excluded.annotation_id is null then finding_records.decided_at
          when excluded.decision is not null then coalesce(excluded.decided_at, finding_records.decided_at) end
    `.execute(tx);
  }
}

/** Locks the document of a page against deletion. False if it is gone. */
async function holdDocument(tx: Tx, { apiKeyId, document }: PageOfFindings): Promise<boolean> {
  if (!document) return true;
  const row = await tx
    .selectFrom('documents')
    .select('documentId')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', document.organizationId)
    .where('documentId', '=', document.documentId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks findings as fixed that a run did not find again, unless it saw them under another address of the page. */
export async function fixRecords(
  tx: Tx,
  { apiKeyId, executionId }: PageOfFindings,
  rows: readonly Pick<FindingRecordRow, 'findingId'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .updateTable('findingRecords')
    .set({ state: 'fixed', fixedAt: Date.now(), fixedExecutionId: executionId })
    .where('apiKeyId', '=', apiKeyId)
    .where('findingId', '=', anyOf(rows.map(({ findingId }) => findingId).sort()))
    .where('state', '<>', 'fixed')
    .where('lastExecutionId', '<>', executionId)
    .execute();
}

/** Notes the annotations of causes at the findings of a run that have these causes. */
export async function linkFindings(
  tx: Tx,
  { apiKeyId, executionId }: Pick<PageOfFindings, 'apiKeyId' | 'executionId'>,
  { organizationId, documentId }: DocumentRef,
  annotationIds: ReadonlyMap<string, string>,
): Promise<void> {
  if (annotationIds.size === 0) return;
  const ids = json(Object.fromEntries(annotationIds));
  await sql`
    update finding_records set annotation_id = ${ids} ->> finding.cause_id
    from execution_findings finding
    where finding.api_key_id = ${apiKeyId} and finding.execution_id = ${executionId}
      and finding.cause_id = any(cast(${[...annotationIds.keys()]} as text[]))
      and (finding.decision is null or finding.decision = 'accepted')
      and finding_records.api_key_id = ${apiKeyId} and finding_records.fingerprint = finding.fingerprint
      and finding_records.organization_id = ${organizationId} and finding_records.document_id = ${documentId}
      and finding_records.annotation_id is distinct from ${ids} ->> finding.cause_id`.execute(tx);
}

export interface FindingRecordFilter {
  organizationId?: string | undefined;
  documentId?: string | undefined;
  agentId?: string | undefined;
  executionId?: string | undefined;
  reviewId?: string | undefined;
  /** Without fragment. */
  pageUrl?: string | undefined;
  severities?: readonly string[] | undefined;
  issueTypes?: readonly string[] | undefined;
  /** `undecided` stands for none. */
  decisions?: readonly string[] | undefined;
  states?: readonly string[] | undefined;
  fingerprint?: string | undefined;
  text?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

export type FindingPlace = Pick<FindingRecordRow, 'lastSeenAt' | 'findingId'>;

/**
 * Findings over all runs, last seen first, after a position. The inner query walks an index in this order; `offset 0`
 * keeps the planner from mixing in the other conditions, for which it may rather sort all findings.
 */
export function listFindingRecords(
  db: Db,
  apiKeyId: string,
  filter: FindingRecordFilter,
  limit: number,
  after?: FindingPlace,
): Promise<FindingRecordRow[]> {
  const inOrder = recordsAfter(db, apiKeyId, filter, after)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('findingId', 'desc')
    .offset(sql.lit(0));
  return db.selectFrom(inOrder.as('found')).selectAll().where(matches(filter)).limit(limit).execute();
}

/** Counts findings over all runs by decision and severity. */
export async function countFindingRecords(
  db: Db,
  apiKeyId: string,
  filter: FindingRecordFilter,
): Promise<FindingCounts> {
  const rows = await db
    .selectFrom(recordsAfter(db, apiKeyId, filter, undefined).as('found'))
    .select([
      sql<FindingDecisionName>`coalesce(decision, 'undecided')`.as('decision'),
      'severity',
      sql<number>`cast(count(*) as integer)`.as('count'),
    ])
    .where(matches(filter))
    .groupBy([sql`coalesce(decision, 'undecided')`, 'severity'])
    .execute();
  const counts = noFindings();
  for (const { decision, severity, count } of rows) {
    counts.total += count;
    counts.byDecision[decision] += count;
    counts.bySeverity[severity as Severity] += count;
  }
  return counts;
}

/** The conditions beside those for which there are indexes. */
function matches({ severities, issueTypes, decisions, states, text }: FindingRecordFilter) {
  const all = [
    severities && condition`severity = ${anyOf(severities)}`,
    issueTypes && condition`issue_type = ${anyOf(issueTypes)}`,
    states && condition`state = ${anyOf(states)}`,
    decisions && condition`coalesce(decision, 'undecided') = ${anyOf(decisions)}`,
    text !== undefined &&
      condition`strpos(lower(concat_ws(' ', body ->> 'title', body ->> 'targetText', body ->> 'suggestion',
        body ->> 'url')), lower(${text})) > 0`,
  ].filter((one) => one !== undefined && one !== false);
  return condition`${sql.join([sql`true`, ...all], sql` and `)}`;
}
/** Findings of a place, an agent or a run within a time, for which there are indexes. */
function recordsAfter(
  db: Db,
  apiKeyId: string,
  { executionId, reviewId, pageUrl, since, until, ...filter }: FindingRecordFilter,
  after: FindingPlace | undefined,
) {
  let query = db.selectFrom('findingRecords').selectAll().where('apiKeyId', '=', apiKeyId);
  for (const field of ['organizationId', 'documentId', 'agentId', 'fingerprint'] as const) {
    const value = filter[field];
    if (value !== undefined) query = query.where(field, '=', value);
  }
  if (pageUrl !== undefined) query = query.where('pageHash', '=', md5(pageUrl));
  if (executionId !== undefined)
    query = query.where(
      condition`fingerprint in (select fingerprint from execution_findings
        where api_key_id = ${apiKeyId} and execution_id = ${executionId})
        and exists (select from executions run where run.api_key_id = ${apiKeyId}
          and run.execution_id = ${executionId} and run.document_id = coalesce(finding_records.document_id, '')
          and run.organization_id = coalesce(finding_records.organization_id, ''))`,
    );
  if (reviewId !== undefined)
    query = query.where(
      condition`(fingerprint, coalesce(finding_records.organization_id, ''), coalesce(finding_records.document_id, ''))
        in (select seen.fingerprint, run.organization_id, run.document_id from executions run
          join execution_findings seen on seen.api_key_id = run.api_key_id and seen.execution_id = run.execution_id
          where run.api_key_id = ${apiKeyId} and run.review_id = ${reviewId})`,
    );
  if (since !== undefined) query = query.where('lastSeenAt', '>=', since);
  if (until !== undefined) query = query.where('lastSeenAt', '<=', until);
  if (after)
    query = query.where((eb) =>
      eb(eb.refTuple('lastSeenAt', 'findingId'), '<', eb.tuple(after.lastSeenAt, after.findingId)),
    );
  return query;
}

/** Findings by their ids, in the order of the ids. */
export const getFindingRecords = (
  db: Db,
  apiKeyId: string,
  findingIds: readonly string[],
): Promise<FindingRecordRow[]> =>
  db
    .selectFrom('findingRecords')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('findingId', '=', anyOf(findingIds))
    .orderBy('findingId')
    .execute();

/** Decides on findings without an annotation; `undefined` takes a decision back. */
export async function decideFindings(
  tx: Tx,
  apiKeyId: string,
  findingIds: readonly string[],
  decision: Finding['decision'],
  decided: NonNullable<FindingRecordRow['decided']>,
): Promise<void> {
  if (findingIds.length === 0) return;
  await tx
    .updateTable('findingRecords')
    .set({
      annotationId: null,
      decision: decision ?? null,
      decidedAt: decision === undefined ? null : Date.now(),
      decided: decision === undefined ? null : json(decided),
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('findingId', '=', anyOf(findingIds))
    .execute();
}
