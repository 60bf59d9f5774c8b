import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import { severities } from '../../shapes/agents/execution.ts';
import { executionStatus } from '../../shapes/agents/execution-record.ts';

export interface SeriesRange {
  agentId?: string | undefined;
  organizationId?: string | undefined;
  documentId?: string | undefined;
  /** The first moment of each day, and the end of the last one, in epoch milliseconds. */
  bounds: readonly number[];
}

const day = z.int().describe('Counts from 0.');
const count = z.coerce.number();

/** Runs of the range with the number of their day; for statements that begin with it. */
function runsIn({ apiKeyId }: Scope, { bounds, agentId, organizationId, documentId }: SeriesRange) {
  return sql`runs as materialized (
    select execution_id, agent_id, organization_id, document_id, seed_url, status, started_at, completed_at, outcome,
      width_bucket(started_at, cast(${[...bounds]} as bigint[])) - 1 as day
    from executions
    where api_key_id = ${apiKeyId} and started_at >= ${bounds[0]} and started_at < ${bounds.at(-1)}
      ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
      ${documentId === undefined ? sql`` : sql`and document_id = ${documentId}`})`;
}

const runRow = z.object({
  day,
  status: executionStatus,
  runs: count,
});

/** The number of runs by day and status. */
export const countRunsByDay = (db: Db, scope: Scope, range: SeriesRange): Promise<z.infer<typeof runRow>[]> =>
  rowsOf(
    db,
    runRow,
    sql`with ${runsIn(scope, range)} select day, status, count(*) as runs from runs group by day, status`,
  );

const durationRow = z.object({ day, p50: z.number(), p95: z.number() });

/** The median and the 95th percentile of the duration of ended runs, by day. */
export const durationsByDay = (
  db: Db,
  scope: Scope,
  range: SeriesRange,
): Promise<z.infer<typeof durationRow>[]> =>
  rowsOf(
    db,
    durationRow,
    sql`with ${runsIn(scope, range)}
      select day, percentile_cont(0.5) within group (order by completed_at - started_at) as p50,
        percentile_cont(0.95) within group (order by completed_at - started_at) as p95
      from runs where completed_at is not null group by day`,
  );

const tokenRow = z.object({
  day,
  model: z.string(),
  promptTokens: count,
  completionTokens: count,
  thoughtsTokens: count,
  totalTokens: count,
  requestCount: count,
});

const tokens = (field: keyof Omit<z.infer<typeof tokenRow>, 'day' | 'model'>) =>
  sql`coalesce(sum(cast(outcome #>> ${sql.lit(`{tokenUsage,${field}}`)} as numeric)), 0)`;

/** Tokens by day and model. A run that asked several models counts for the last one. */
export const tokensByDay = (db: Db, scope: Scope, range: SeriesRange): Promise<z.infer<typeof tokenRow>[]> =>
  rowsOf(
    db,
    tokenRow,
    sql`with ${runsIn(scope, range)}
      select day, coalesce(outcome ->> 'llmModel', 'unknown') as model,
        ${tokens('promptTokens')} as prompt_tokens, ${tokens('completionTokens')} as completion_tokens,
        ${tokens('thoughtsTokens')} as thoughts_tokens, ${tokens('totalTokens')} as total_tokens,
        ${tokens('requestCount')} as request_count
      from runs where cast(outcome #>> '{tokenUsage,totalTokens}' as numeric) > 0
      group by day, model order by day, model`,
  );

const newRow = z.object({ day, severity: z.enum(severities), found: count });

/** Findings by day and severity that the previous run did not have. */
export const newByDay = (db: Db, scope: Scope, range: SeriesRange): Promise<z.infer<typeof newRow>[]> =>
  rowsOf(
    db,
    newRow,
    sql`with ${runsIn(scope, range)}
      select runs.day, seen.severity, sum(seen.found) as found
      from runs cross join lateral (
        select severity, count(*) as found from execution_findings
        where api_key_id = ${scope.apiKeyId} and execution_id = runs.execution_id
          and comparison is distinct from 'still_there'
        group by severity) as seen
      where runs.status <> 'running'
      group by runs.day, seen.severity`,
  );

const changeRow = z.object({ day, severity: z.enum(severities), change: count });

/** When a finding was fixed, rejected or resolved; an index has this expression. */
const endedAt = sql`coalesce(least(
  case when state = 'fixed' then coalesce(fixed_at, last_seen_at) end,
  case when decision in ('rejected', 'resolved') then coalesce(decided_at, last_seen_at) end), 9223372036854775807)`;

/**
 * By how many findings of a severity more, or fewer, are open at the end of a day than at the end of the day before. The
 * first day has the findings of all earlier days.
 */
export const openChangesByDay = (
  db: Db,
  { apiKeyId }: Scope,
  { bounds, agentId, organizationId, documentId }: SeriesRange,
): Promise<z.infer<typeof changeRow>[]> => {
  const dayOf = (at: RawBuilder<unknown>) =>
    sql`greatest(width_bucket(${at}, cast(${[...bounds]} as bigint[])) - 1, 0)`;
  return rowsOf(
    db,
    changeRow,
    sql`with found as (
        select severity, ${dayOf(sql`first_seen_at`)} as first_day, ${dayOf(endedAt)} as end_day
        from finding_records
        where api_key_id = ${apiKeyId} and ${endedAt} >= ${bounds[1]} and first_seen_at < ${bounds.at(-1)}
          ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}
          ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
          ${documentId === undefined ? sql`` : sql`and document_id = ${documentId}`})
      select changes.day, severity, sum(changes.by) as change
      from found cross join lateral (values (first_day, 1), (end_day, -1)) as changes (day, by)
      where first_day < end_day group by changes.day, severity`,
  );
};

const fixedRow = z.object({ day, fixed: count, bySeverity: z.record(z.string(), z.number()) });

/** Findings by day that the runs did not find any more; the severity of up to 50 a run is known. */
export const fixedByDay = (db: Db, scope: Scope, range: SeriesRange): Promise<z.infer<typeof fixedRow>[]> =>
  rowsOf(
    db,
    fixedRow,
    sql`with ${runsIn(scope, range)},
      compared as (
        select day, cast(outcome #>> '{comparison,fixed}' as integer) as fixed,
          outcome #> '{comparison,fixedFindings}' as samples
        from runs where cast(outcome #>> '{comparison,fixed}' as integer) > 0),
      known as (
        select day, sample ->> 'severity' as severity, count(*) as found
        from compared cross join jsonb_array_elements(samples) as sample group by day, severity)
      select day, sum(fixed) as fixed,
        (select coalesce(jsonb_object_agg(known.severity, known.found), '{}') from known
          where known.day = compared.day) as by_severity
      from compared group by day`,
  );
