import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../db/tables.ts';

/** The vectors that one index finds the nearest of. */
export interface VectorSet {
  apiKeyId: string;
  kind: 'review' | 'content';
  model: string;
}

/** Of so many judgments of an API key on, the nearest are found by an index. */
export const LARGE = 50_000;
/** What is indexed stays so until it has fallen to this share, so that nothing is made and dropped in turns. */
const KEPT_FROM = 0.8;

/** In kilobytes, as far as the server does not grant more; what does not fit makes an index many times slower. */
const BUILD_MEMORY_KB = 512 * 1024;

const hash = (...parts: string[]) => createHash('md5').update(JSON.stringify(parts)).digest('hex');

export const nearIndexName = ({ apiKeyId, kind, model }: VectorSet): string =>
  `judgment_vectors_near_${hash(apiKeyId, kind, model)}`;
export const wordsIndexName = (apiKeyId: string): string => `judgments_words_${hash(apiKeyId)}`;

/**
 * The vectors as the index has them, which needs to know how long they are; whoever compares the column as it is
 * never gets the index. Undefined where they are too long to be indexed.
 */
export function indexedType(dimensions: number): 'vector' | 'halfvec' | undefined {
  if (dimensions <= 2_000) return 'vector';
  return dimensions <= 4_000 ? 'halfvec' : undefined;
}

export const castTo = (value: RawBuilder<unknown>, dimensions: number): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(`${indexedType(dimensions)}(${Math.floor(dimensions)})`)}`;

/**
 * Which vectors an index has: those of one length, whatever a provider made under the same name. A planner that is to
 * see that it fits needs the values in the statement.
 */
export const inVectorSet = ({ apiKeyId, kind, model }: VectorSet, dimensions: number): RawBuilder<boolean> =>
  sql<boolean>`api_key_id = ${sql.lit(apiKeyId)} and kind = ${sql.lit(kind)} and model = ${sql.lit(model)}
    and vector_dims(embedding) = ${sql.lit(Math.floor(dimensions))}`;

/** All words of a judgment as the index of an API key has them, and of which judgments. */
export const allWords = sql`(coalesce(review_words, '') || coalesce(content_words, ''))`;
export const ofKey = (apiKeyId: string): RawBuilder<boolean> =>
  sql<boolean>`api_key_id = ${sql.lit(apiKeyId)}`;

/** The indexes of `keepJudgmentIndexes` that can be used. */
export async function listJudgmentIndexes(db: Db | Tx): Promise<Set<string>> {
  const indexes = await listIndexes(db);
  return new Set(indexes.filter(({ isValid }) => isValid).map(({ name }) => name));
}

interface Index {
  name: string;
  /** False while it is made, and for one whose making was broken off. */
  isValid: boolean;
}

// Earlier versions of pgvector cannot go on searching where filters leave too little.
async function listIndexes(db: Db | Tx): Promise<Index[]> {
  const { rows } = await sql<Index>`
    select relname as name, indisvalid as is_valid from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid in ('judgments'::regclass, 'judgment_vectors'::regclass)
      and relname ~ '^(judgment_vectors_near|judgments_words)_[0-9a-f]{32}$'
      and ${hasIterativeScans}`.execute(db);
  return rows;
}

const hasIterativeScans = sql<boolean>`exists (select 1 from pg_extension where extname = 'vector'
  and cast(string_to_array(regexp_replace(extversion, '[^0-9.].*$', ''), '.') as integer[]) >= array[0, 8])`;

interface Kept {
  made: string[];
  dropped: string[];
}

/**
 * Makes the indexes of API keys that became large, and drops those of keys that no longer are, or whose vectors are
 * of another model by now. Takes minutes, on a connection that has them; one process at a time does it, the others
 * do nothing. One that was broken off is made anew.
 */
export async function keepJudgmentIndexes(
  db: Db,
  signal: AbortSignal,
  { from = LARGE }: { from?: number } = {},
): Promise<Kept> {
  const kept: Kept = { made: [], dropped: [] };
  const { rows } = await sql<{ isOurs: boolean }>`
    select ${hasIterativeScans} and pg_try_advisory_lock(hashtextextended('redpen.judgment_indexes', 0)) as is_ours`.execute(
    db,
  );
  if (!rows[0]!.isOurs) return kept;
  const sets = await listLarge(db, Math.floor(from * KEPT_FROM), from);
  const wanted = new Map<string, { isDue: boolean; statement: RawBuilder<unknown> }>();
  for (const { many, dimensions, ...set } of sets) {
    const type = indexedType(dimensions);
    if (type === undefined) continue;
    const isDue = many > from;
    const near = nearIndexName(set);
    wanted.set(near, {
      isDue,
      statement: sql`create index concurrently ${sql.id(near)} on judgment_vectors
        using hnsw ((${castTo(sql`embedding`, dimensions)}) ${sql.raw(`${type}_cosine_ops`)}) where ${inVectorSet(set, dimensions)}`,
    });
    const words = wordsIndexName(set.apiKeyId);
    wanted.set(words, {
      isDue: isDue || wanted.get(words)?.isDue === true,
      statement: sql`create index concurrently ${sql.id(words)} on judgments using gin (${allWords})
        where ${ofKey(set.apiKeyId)}`,
    });
  }
  const there = new Set<string>();
  for (const { name, isValid } of await listIndexes(db)) {
    if (isValid && wanted.has(name)) {
      there.add(name);
      continue;
    }
    signal.throwIfAborted();
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
    kept.dropped.push(name);
  }
  // Several processes that build one index share memory that a container often has not got.
  await sql`select set_config('max_parallel_maintenance_workers', '0', false),
    set_config('maintenance_work_mem', cast(greatest(${BUILD_MEMORY_KB},
      (select cast(setting as bigint) from pg_settings where name = 'maintenance_work_mem')) as text), false)`.execute(
    db,
  );
  for (const [name, { isDue, statement }] of wanted) {
    if (!isDue || there.has(name)) continue;
    signal.throwIfAborted();
    await statement.execute(db);
    kept.made.push(name);
  }
  return kept;
}

/** What has more than `floor` vectors, of which no more than `most` are counted. */
async function listLarge(
  db: Db,
  floor: number,
  most: number,
): Promise<(VectorSet & { many: number; dimensions: number })[]> {
  const { rows: keys } = await sql<{ apiKeyId: string; model: string; many: number }>`
    with recursive keys as (
      (select embedded_with as model, api_key_id from judgments where embedded_with > ''
        order by embedded_with, api_key_id limit 1)
      union all
      select next.* from keys cross join lateral (
        select embedded_with, api_key_id from judgments
        where (embedded_with, api_key_id) > (keys.model, keys.api_key_id)
        order by embedded_with, api_key_id limit 1) as next)
    select keys.*, counted.many from keys cross join lateral (
      select count(*) as many from (
        select 1 from judgments where embedded_with = keys.model and judgments.api_key_id = keys.api_key_id
        limit ${most + 1}) as bounded) as counted
    where counted.many > ${floor}`.execute(db);
  const sets: (VectorSet & { many: number; dimensions: number })[] = [];
  for (const key of keys)
    for (const kind of ['review', 'content'] as const) {
      const { rows } = await sql<{ many: number; dimensions: number | null }>`
        select (select count(*) from (
            select 1 from judgment_vectors where api_key_id = ${key.apiKeyId} and kind = ${kind}
            limit ${most + 1}) as bounded) as many,
          (select vector_dims(embedding) from judgment_vectors
            where api_key_id = ${key.apiKeyId} and kind = ${kind} and model = ${key.model} limit 1) as dimensions`.execute(
        db,
      );
      const { many, dimensions } = rows[0]!;
      if (many <= floor || dimensions === null) continue;
      sets.push({
        apiKeyId: key.apiKeyId,
        kind,
        model: key.model,
        many: Math.min(many, key.many),
        dimensions,
      });
    }
  return sets;
}
