import { sql } from 'kysely';
import { z } from 'zod';
import { anyOf, json, rowsOf } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { type CausePlace, causePlace, type Finding, severities } from '../../shapes/agents/execution.ts';
import type { RunRef } from './execution-leases.ts';

export type CauseRow = ExecutionTables['executionCauses'];

/** Fields that all places of a cause share, in the words of its first place. */
const SHARED_FIELDS = sql.raw(
  ['title', 'description', 'severity', 'issueType', 'suggestion', 'confidence', 'url']
    .map((name) => `'${name}', body -> '${name}'`)
    .join(', '),
);

/**
 * Groups the findings of a run by their causes, the gravest and most frequent first. Causes of which no place is left
 * are not among them: `fixedPlaces` adds those of the others. Causes have the annotation of their first place, unless
 * the open ones get one of their own (`areAnnotated`).
 *
 * The statement joins nothing: the statistics know nothing about a run that has just ended, and a plan for one row would
 * visit all findings for each cause.
 */
export async function groupCauses(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  fixedPlaces: ReadonlyMap<string, number>,
  { areAnnotated }: { areAnnotated: boolean },
): Promise<void> {
  const fixed = Object.fromEntries(fixedPlaces);
  await sql`
    insert into execution_causes (api_key_id, execution_id, cause_id, position, severity, places, open_places,
      new_places, fixed_places, pages, annotation_id, body)
    select ${apiKeyId}, ${executionId}, cause_id,
      row_number() over (order by open_places = 0, array_position(${[...severities]}::text[], severity),
        places desc, first_page, first_number) - 1,
      severity, places, open_places, new_places, coalesce((${json(fixed)} ->> cause_id)::integer, 0), pages,
      case when open_places = 0 or not cast(${areAnnotated} as boolean) then body ->> 'commentId' end,
      jsonb_strip_nulls(jsonb_build_object(${SHARED_FIELDS},
        'decision', case when open_places = 0 then body -> 'decision' end,
        'decidedBy', case when open_places = 0 then body -> 'decidedBy' end,
        'reason', case when open_places = 0 then body -> 'reason' end))
    from (
      select cause_id, count(*) as places, count(*) filter (where is_first_of_page) as pages,
        count(*) filter (where decision is null or decision = 'accepted') as open_places,
        count(*) filter (where comparison = 'new') as new_places,
        min(page_position) filter (where place = 1) as first_page, min(number) filter (where place = 1) as first_number,
        min(severity) filter (where place = 1) as severity, (array_agg(body) filter (where place = 1))[1] as body
      from (
        select cause_id, page_position, number, severity, comparison, decision, body,
          row_number() over in_cause as place,
          lag(page_position) over in_cause is distinct from page_position as is_first_of_page
        from execution_findings where api_key_id = ${apiKeyId} and execution_id = ${executionId}
        window in_cause as (partition by cause_id order by page_position, number)) finding
      group by cause_id) grouped`.execute(tx);
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

/**
 * Finding of a cause, in the order of an index that begins with the cause. An equation in place of `between` would
 * permit a walk through all findings of the run in the order of its primary key.
 */
const BY_CAUSE = sql`cause_id between wanted.cause_id and wanted.cause_id`;
const IN_ORDER = sql`order by cause_id, page_position, number`;

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
        where api_key_id = ${apiKeyId} and execution_id = ${executionId} and ${BY_CAUSE}
        ${IN_ORDER} limit ${perCause}) finding`,
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
      where api_key_id = ${apiKeyId} and execution_id = ${executionId} and ${BY_CAUSE}
        and (decision is null or decision = 'accepted')
      ${IN_ORDER} limit 1) finding`.execute(db);
  return new Map(rows.map(({ causeId, body }) => [causeId, body]));
}

/** The annotations of causes, by the ids of the causes. */
export async function annotationsOfCauses(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  causeIds: readonly string[],
): Promise<Map<string, string>> {
  if (causeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('executionCauses')
    .select(['causeId', 'annotationId'])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('causeId', '=', anyOf(causeIds))
    .where('annotationId', 'is not', null)
    .execute();
  return new Map(rows.map(({ causeId, annotationId }) => [causeId, annotationId!]));
}

/** Notes the annotation of each cause. */
export async function setAnnotations(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  annotationIds: ReadonlyMap<string, string>,
): Promise<void> {
  if (annotationIds.size === 0) return;
  const ids = Object.fromEntries(annotationIds);
  await sql`
    update execution_causes set annotation_id = ${json(ids)} ->> cause_id
    where api_key_id = ${apiKeyId} and execution_id = ${executionId}
      and cause_id = any(cast(${[...annotationIds.keys()]} as text[]))`.execute(tx);
}
