import { sql } from 'kysely';
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

const findingRow = z.object({ day, severity: z.enum(severities), new: count, open: count });

/**
 * Findings by day and severity: those that the previous run did not have, and those that are open after the last run of
 * an agent on an address on that day.
 */
export const findingsByDay = (
  db: Db,
  scope: Scope,
  range: SeriesRange,
): Promise<z.infer<typeof findingRow>[]> =>
  rowsOf(
    db,
    findingRow,
    sql`with ${runsIn(scope, range)},
      placed as (
        select execution_id, day, row_number() over (
            partition by day, agent_id, organization_id, document_id, seed_url
            order by started_at desc, execution_id desc) = 1 as is_last
        from runs where status <> 'running')
      select placed.day, found.severity, sum(found.new) as new,
        coalesce(sum(found.open) filter (where placed.is_last), 0) as open
      from placed cross join lateral (
        select severity, count(*) filter (where comparison is distinct from 'still_there') as new,
          count(*) filter (where decision is null or decision = 'accepted') as open
        from execution_findings
        where api_key_id = ${scope.apiKeyId} and execution_id = placed.execution_id
        group by severity) as found
      group by placed.day, found.severity`,
  );

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
