import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import { judgmentsWhere } from './judgments.ts';
import { allWords, castTo, inVectorSet, ofKey, type VectorSet } from './vector-indexes.ts';

/** A query word; `isName` if it names one thing. */
export interface QueryWord {
  word: string;
  isName: boolean;
}

/** A query vector and its model. */
export interface QueryVector {
  model: string;
  vector: Float32Array;
}

export interface FilteredPlace {
  scope: Scope;
  place: MemoryPlace;
  filters: JudgmentFilters;
}

const idsOf = (rows: { judgmentId: string }[]): string[] => rows.map(({ judgmentId }) => judgmentId);

/** Approximately the `limit` nearest judgments by the vector index (HNSW, which may miss some). At most 1,000. */
export const listNearby = (
  db: Db,
  filtered: FilteredPlace,
  kind: VectorSet['kind'],
  wanted: QueryVector,
  limit: number,
): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    // Searches as wide as the limit, and continues if filters leave too few.
    await sql`select set_config('hnsw.ef_search', ${String(limit)}, true),
      set_config('hnsw.iterative_scan', 'relaxed_order', true)`.execute(tx);
    const { rows } = await nearby(filtered, kind, wanted, limit).execute(tx);
    return idsOf(rows);
  });

/** The statement of `listNearby`, exported for a test of its plan. */
export function nearby(
  { scope, place, filters }: FilteredPlace,
  kind: VectorSet['kind'],
  { model, vector }: QueryVector,
  limit: number,
): RawBuilder<{ judgmentId: string }> {
  const { length } = vector;
  const narrowed = [...Object.values(place), ...Object.values(filters)].some((value) => value !== undefined);
  const passes = sql`and exists (select 1 from judgments where judgments.judgment_id = judgments_near.judgment_id
    and ${judgmentsWhere(scope, place, filters)})`;
  return sql`
    select judgment_id from judgments_near
    where ${inVectorSet({ apiKeyId: scope.apiKeyId, kind, model, dimensions: length })} ${narrowed ? passes : sql``}
    order by (${castTo(sql`embedding`, length)}) <=> ${castTo(sql`cast(${`[${vector.join(',')}]`} as text)`, length)}
    limit ${limit}`;
}

/** A word quoted for a tsquery. */
export const quoted = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`;

const matchedRow = z.object({ matched: z.number() });

/**
 * For each of the newest `limit` judgments, a bit mask of the query words it contains; 0 while its words are not
 * stored.
 */
export async function sampleWords(
  db: Db,
  { scope, place, filters }: FilteredPlace,
  words: readonly QueryWord[],
  limit: number,
): Promise<number[]> {
  const bits = words.map(
    ({ word }, bit) =>
      sql`case when all_words @@ cast(${quoted(word)} as tsquery) then cast(${2 ** bit} as bigint) else 0 end`,
  );
  const rows = await rowsOf(
    db,
    matchedRow,
    sql`
    select ${bits.length > 0 ? sql.join(bits, sql` + `) : sql`0`} as matched from (
      select ${allWords} as all_words from judgments where ${judgmentsWhere(scope, place, filters)}
      order by created_at desc, judgment_id desc limit ${limit}) as newest`,
  );
  return rows.map(({ matched }) => matched);
}

/** Number of judgments that contain each word, counted up to `max`. */
export async function countWords(
  db: Db,
  filtered: FilteredPlace,
  words: readonly string[],
  max: number,
): Promise<number[]> {
  if (words.length === 0) return [];
  const counts = words.map(
    (word) => sql`(select count(*) from (
      select 1 from judgments where ${wordsWhere(filtered, quoted(word))} limit ${max}) as bounded)`,
  );
  const { rows } = await sql<{ many: number[] }>`select array[${sql.join(counts)}]::float8[] as many`.execute(
    db,
  );
  return rows[0]!.many;
}

/** Up to `limit` judgments that match a tsquery. */
export async function listByWords(
  db: Db,
  filtered: FilteredPlace,
  query: string,
  limit: number,
): Promise<string[]> {
  return idsOf(
    await db
      .selectFrom('judgments')
      .select('judgmentId')
      .where(wordsWhere(filtered, query))
      .limit(limit)
      .execute(),
  );
}

const wordsWhere = ({ scope, place, filters }: FilteredPlace, query: string): RawBuilder<boolean> =>
  sql`${ofKey(scope.apiKeyId)} and ${allWords} @@ cast(${query} as tsquery)
    and ${judgmentsWhere(scope, place, filters)}`;

const unindexedRow = z.object({ judgmentId: z.string() });

/**
 * Up to `limit` judgments of an API key that the vector index does not cover: those without a vector of the model, and
 * those written since the index was last filled.
 */
export async function listUnindexed(
  db: Db,
  { apiKeyId }: Scope,
  kind: VectorSet['kind'],
  model: string,
  limit: number,
): Promise<string[]> {
  const rows = await rowsOf(
    db,
    unindexedRow,
    sql`
    with recursive models as (
      select min(embedded_with) as model from judgments
      union all
      select (select min(embedded_with) from judgments where embedded_with > models.model) from models
      where models.model is not null),
    of_others as (
      select found.judgment_id from models cross join lateral (
        select judgment_id from judgments where embedded_with = models.model and api_key_id = ${apiKeyId}
        limit ${limit}) as found
      where models.model <> ${model} limit ${limit}),
    lately as (
      select judgment_id from judgments where api_key_id = ${apiKeyId} and changed >= (
        -- In a database restored from another server, the mark may be above all transaction ids of this server.
        select case when filled_to > pg_snapshot_xmax(pg_current_snapshot()) then '0' else filled_to end
        from judgments_near_sets
        where api_key_id = ${apiKeyId} and kind = ${kind} and model = ${model})
      limit ${limit})
    select judgment_id from of_others union select judgment_id from lately limit ${limit}`,
  );
  return idsOf(rows);
}
