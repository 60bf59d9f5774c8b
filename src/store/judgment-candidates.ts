import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { JudgmentFilters, MemoryPlace } from '../shapes/judgment.ts';
import { allWords, castTo, inVectorSet, ofKey, type VectorSet } from './judgment-indexes.ts';
import { matchedBits, quoted, type WantedVector, type WantedWord } from './judgment-ranking.ts';
import { vectorText } from './judgment-vectors.ts';
import { judgmentsWhere } from './judgments.ts';

/** The judgments of a place that pass the filters. */
export interface Looked {
  scope: Scope;
  place: MemoryPlace;
  filters: JudgmentFilters;
}

const idsOf = (rows: { judgmentId: string }[]): string[] => rows.map(({ judgmentId }) => judgmentId);

/** About the `limit` nearest, by the index of their vectors: it may miss some. At most 1,000. */
export const listNearby = (
  db: Db,
  looked: Looked,
  kind: VectorSet['kind'],
  wanted: WantedVector,
  limit: number,
): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    // It searches as widely as many are asked for, and goes on where filters leave too few.
    await sql`select set_config('hnsw.ef_search', ${String(limit)}, true),
      set_config('hnsw.iterative_scan', 'relaxed_order', true)`.execute(tx);
    const { rows } = await nearby(looked, kind, wanted, limit).execute(tx);
    return idsOf(rows);
  });

/** The statement of `listNearby`, whose plan a test looks at. */
export function nearby(
  { scope, place, filters }: Looked,
  kind: VectorSet['kind'],
  { model, vector }: WantedVector,
  limit: number,
): RawBuilder<{ judgmentId: string }> {
  const { length } = vector;
  const { organizationId, documentId } = place;
  const hasFilters = Object.values(filters).some((filter) => filter !== undefined);
  const passes = sql` and exists (select 1 from judgments where judgments.judgment_id = judgment_vectors.judgment_id
    and ${judgmentsWhere(scope, place, filters)})`;
  return sql`
    select judgment_id from judgment_vectors
    where ${inVectorSet({ apiKeyId: scope.apiKeyId, kind, model }, length)}
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
      ${documentId === undefined ? sql`` : sql`and document_id = ${documentId}`}
      ${hasFilters ? passes : sql``}
    order by (${castTo(sql`embedding`, length)}) <=> ${castTo(sql`cast(${vectorText(vector)} as text)`, length)}
    limit ${limit}`;
}

/** Which words each of the newest `limit` has, as the bits of a number. */
export async function sampleWords(
  db: Db,
  { scope, place, filters }: Looked,
  words: readonly WantedWord[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ matched: number }>`
    select ${matchedBits(words)} as matched from judgments where ${judgmentsWhere(scope, place, filters)}
    order by created_at desc, judgment_id desc limit ${limit}`.execute(db);
  return rows.map(({ matched }) => matched);
}

/** In how many each word is, as far as `most`. */
export async function countWords(
  db: Db,
  looked: Looked,
  words: readonly string[],
  most: number,
): Promise<number[]> {
  if (words.length === 0) return [];
  const counts = words.map(
    (word) => sql`(select count(*) from (
      select 1 from judgments where ${wordsWhere(looked, quoted(word))} limit ${most}) as bounded)`,
  );
  const { rows } = await sql<{ many: number[] }>`select array[${sql.join(counts)}]::float8[] as many`.execute(
    db,
  );
  return rows[0]!.many;
}

/** Up to `limit` that have words as a tsquery wants them. */
export async function listByWords(db: Db, looked: Looked, query: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ judgmentId: string }>`
    select judgment_id from judgments where ${wordsWhere(looked, query)} limit ${limit}`.execute(db);
  return idsOf(rows);
}

const wordsWhere = ({ scope, place, filters }: Looked, query: string): RawBuilder<boolean> =>
  sql<boolean>`${ofKey(scope.apiKeyId)} and ${allWords} @@ cast(${query} as tsquery)
    and ${judgmentsWhere(scope, place, filters)}`;

/** Up to `limit` judgments of an API key, wherever in it, that wait for vectors, or have those of another model. */
export async function listOfOtherModels(
  db: Db,
  { apiKeyId }: Scope,
  model: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ judgmentId: string }>`
    with recursive models as (
      select min(embedded_with) as model from judgments
      union all
      select (select min(embedded_with) from judgments where embedded_with > models.model) from models
      where models.model is not null)
    select found.judgment_id from models cross join lateral (
      select judgment_id from judgments where embedded_with = models.model and api_key_id = ${apiKeyId}
      limit ${limit}) as found
    where models.model <> ${model} limit ${limit}`.execute(db);
  return idsOf(rows);
}
