import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ExecutionRow } from './executions.ts';

type Status = ExecutionRow['status'];

export interface ExecutionFilter {
  agentId?: string | undefined;
  organizationId?: string | undefined;
  documentId?: string | undefined;
  status?: Status[] | undefined;
  trigger?: ExecutionRow['trigger'] | undefined;
  startedAfter?: number | undefined;
  startedBefore?: number | undefined;
  /** The start page of a run, or a page that it reviews. */
  url?: string | undefined;
  /** Only runs whose suggestions everyone who reads the document may see. */
  publicOnly?: boolean | undefined;
}

interface Page {
  limit: number;
  after: { startedAt: number; executionId: string } | undefined;
}

/** A keyset page, newest first, after the given execution. */
export async function listExecutions(
  db: Db,
  scope: Scope,
  filter: ExecutionFilter,
  { limit, after }: Page,
): Promise<ExecutionRow[]> {
  const matches = conditionOf(scope, filter, after);
  const first = (from: RawBuilder<unknown>, and: RawBuilder<unknown>) =>
    sql`(select one.started_at, one.execution_id from ${from} where ${matches} and ${and}
      order by one.started_at desc, one.execution_id desc limit ${limit})`;
  const { rows } = await sql<ExecutionRow>`select executions.* from (${candidates(filter, first)}) as found
    join executions on executions.api_key_id = ${scope.apiKeyId} and executions.execution_id = found.execution_id
    order by found.started_at desc, found.execution_id desc limit ${limit}`.execute(db);
  return rows;
}

type First = (from: RawBuilder<unknown>, and: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * The first rows of each part of the list that an index has in order. Only filters that few rows match have a part of
 * their own: with the agent or the document, their indexes are short enough.
 */
function candidates(
  { agentId, documentId, url, status }: ExecutionFilter,
  first: First,
): RawBuilder<unknown> {
  const executions = sql`executions as one`;
  if (url !== undefined) {
    const hash = md5(url);
    return sql`${first(executions, sql`md5(one.seed_url) = ${hash} and one.seed_url = ${url}`)} union
      ${first(
        sql`execution_pages as page join executions as one
          on one.api_key_id = page.api_key_id and one.execution_id = page.execution_id`,
        sql`page.api_key_id = one.api_key_id and page.url_hash = ${hash}`,
      )}`;
  }
  if (status === undefined || agentId !== undefined || documentId !== undefined)
    return first(executions, sql`true`);
  const each = [...new Set(status)].map((value) => first(executions, sql`one.status = ${value}`));
  return sql.join(each, sql` union all `);
}

function conditionOf(
  { apiKeyId }: Scope,
  filter: ExecutionFilter,
  after: Page['after'],
): RawBuilder<unknown> {
  const { agentId, organizationId, documentId, status, trigger, startedAfter, startedBefore } = filter;
  const all = [
    sql`one.api_key_id = ${apiKeyId}`,
    agentId !== undefined && sql`one.agent_id = ${agentId}`,
    organizationId !== undefined && sql`one.organization_id = ${organizationId}`,
    documentId !== undefined && sql`one.document_id = ${documentId}`,
    status && sql`one.status = any(cast(${status} as text[]))`,
    // Not a parameter, so that the planner knows the index of the rare ones.
    trigger !== undefined && sql`one.trigger = ${sql.lit(trigger)}`,
    startedAfter !== undefined && sql`one.started_at > cast(${startedAfter} as bigint)`,
    startedBefore !== undefined && sql`one.started_at < cast(${startedBefore} as bigint)`,
    filter.publicOnly === true && sql`one.request ->> 'annotationVisibility' = 'public'`,
    after &&
      sql`(one.started_at, one.execution_id) < (cast(${after.startedAt} as bigint), cast(${after.executionId} as text))`,
  ];
  return sql.join(
    all.filter((one) => typeof one === 'object'),
    sql` and `,
  );
}
