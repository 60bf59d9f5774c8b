import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { type CausePlace, causePlace, type Finding, severities } from '../../shapes/agents/execution.ts';
import type { RunRef } from './execution-leases.ts';

export type CauseRow = ExecutionTables['executionCauses'];

/** Fields that all places of a cause share, in the words of its first place. */
const SHARED_FIELDS = sql.raw(
  ['title', 'description', 'severity', 'issueType', 'suggestion', 'confidence', 'url']
    .map((name) => `'${name}', first.body -> '${name}'`)
    .join(', '),
);

/**
 * Groups the findings of a run by their causes, the gravest and most frequent first. Causes of which no place is left
 * are not among them: `fixedPlaces` adds those of the others.
 */
export async function groupCauses(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  fixedPlaces: ReadonlyMap<string, number>,
): Promise<void> {
  const fixed = [...fixedPlaces].map(([causeId, count]) => ({ causeId, count }));
  await sql`
    insert into execution_causes (api_key_id, execution_id, cause_id, position, severity, places, open_places,
      new_places, fixed_places, pages, annotation_id, body)
    select ${apiKeyId}, ${executionId}, grouped.cause_id,
      row_number() over (order by grouped.open_places = 0, array_position(${[...severities]}::text[], first.severity),
        grouped.places desc, first.page_position, first.number) - 1,
      first.severity, grouped.places, grouped.open_places, grouped.new_places, coalesce(fixed.count, 0), grouped.pages,
      first.body ->> 'commentId', jsonb_strip_nulls(jsonb_build_object(${SHARED_FIELDS},
        'decision', case when grouped.open_places = 0 then first.body -> 'decision' end,
        'decidedBy', case when grouped.open_places = 0 then first.body -> 'decidedBy' end,
        'reason', case when grouped.open_places = 0 then first.body -> 'reason' end))
    from (
      select cause_id, count(*) as places, count(distinct page_position) as pages,
        count(*) filter (where decision is null or decision = 'accepted') as open_places,
        count(*) filter (where comparison = 'new') as new_places
      from execution_findings where api_key_id = ${apiKeyId} and execution_id = ${executionId}
      group by cause_id) grouped
    join lateral (
      select page_position, number, severity, body from execution_findings finding
      where finding.api_key_id = ${apiKeyId} and finding.execution_id = ${executionId}
        and finding.cause_id = grouped.cause_id
      order by page_position, number limit 1) first on true
    left join jsonb_to_recordset(${json(fixed)}) as fixed("causeId" text, count integer)
      on fixed."causeId" = grouped.cause_id`.execute(tx);
}

/** Open causes of a run that have no annotation yet, in their order. */
export const causesToAnnotate = (
  db: Db,
  { apiKeyId, executionId }: RunRef,
  limit: number,
  from: number,
): Promise<CauseRow[]> =>
  db
    .selectFrom('executionCauses')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('position', '>=', from)
    .where('openPlaces', '>', 0)
    .where('annotationId', 'is', null)
    .orderBy('position')
    .limit(limit)
    .execute();

/** Causes of a run in their order, from a position on. */
export const listCauses = (
  db: Db,
  { apiKeyId, executionId }: RunRef,
  limit: number,
  from = 0,
): Promise<CauseRow[]> =>
  db
    .selectFrom('executionCauses')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .execute();

export async function countCauses(db: Db, { apiKeyId, executionId }: RunRef): Promise<number> {
  const { count } = await db
    .selectFrom('executionCauses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const placeRow = z.object({ causeId: z.string(), place: causePlace });

/** The first places of each cause, by the id of the cause. */
export async function firstPlaces(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  causeIds: readonly string[],
  perCause: number,
): Promise<Map<string, CausePlace[]>> {
  const rows = await rowsOf(
    db,
    placeRow,
    sql`select wanted.cause_id, finding.body as place
      from unnest(cast(${[...causeIds]} as text[])) as wanted(cause_id)
      cross join lateral (
        select body from execution_findings
        where api_key_id = ${apiKeyId} and execution_id = ${executionId} and cause_id = wanted.cause_id
        order by page_position, number limit ${perCause}) finding`,
  );
  return new Map(
    [...Map.groupBy(rows, ({ causeId }) => causeId)].map(([causeId, ofCause]) => [
      causeId,
      ofCause.map(({ place }) => place),
    ]),
  );
}

/** The first finding of each cause. */
export async function firstFindingOfEach(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  causeIds: readonly string[],
): Promise<Map<string, Finding>> {
  const { rows } = await sql<{ causeId: string; body: Finding }>`
    select wanted.cause_id, finding.body from unnest(cast(${[...causeIds]} as text[])) as wanted(cause_id)
    cross join lateral (
      select body from execution_findings
      where api_key_id = ${apiKeyId} and execution_id = ${executionId} and cause_id = wanted.cause_id
        and (decision is null or decision = 'accepted')
      order by page_position, number limit 1) finding`.execute(db);
  return new Map(rows.map(({ causeId, body }) => [causeId, body]));
}

/** Notes the annotation of each cause. */
export async function setAnnotations(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  annotationIds: ReadonlyMap<string, string>,
): Promise<void> {
  const items = [...annotationIds].map(([causeId, annotationId]) => ({ causeId, annotationId }));
  if (items.length === 0) return;
  await sql`
    update execution_causes set annotation_id = item."annotationId"
    from jsonb_to_recordset(${json(items)}) as item("causeId" text, "annotationId" text)
    where api_key_id = ${apiKeyId} and execution_id = ${executionId} and cause_id = item."causeId"`.execute(tx);
}
