import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { rowOf, rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { vectorFrom } from './stored-vectors.ts';

/** Vectors of one index, all of the same length, even if a provider changed the length under the same model name. */
export interface VectorSet {
  apiKeyId: string;
  kind: 'review' | 'content';
  model: string;
  dimensions: number;
}

/** Number of judgments of an API key from which they are indexed, if the server has pgvector. */
export const LARGE = 100_000;
/** Share of `LARGE` below which indexes are dropped; a hysteresis, so that they are not made and dropped in turns. */
const KEPT_FROM = 0.8;

/** Memory for building an index, unless the server grants more; a build that does not fit is many times slower. */
const BUILD_MEMORY_KB = 512 * 1024;
/** Vectors copied by one statement. */
const COPIED_AT_ONCE = 500;

const hash = (...parts: string[]) => createHash('md5').update(JSON.stringify(parts)).digest('hex');

export const nearIndexName = ({ apiKeyId, kind, model, dimensions }: VectorSet): string =>
  `judgments_near_${hash(apiKeyId, kind, model, String(dimensions))}`;
export const wordsIndexName = (apiKeyId: string): string => `judgments_words_${hash(apiKeyId)}`;

/** Column type of the index; undefined for vectors too long to index. */
function indexedType(dimensions: number): 'vector' | 'halfvec' | undefined {
  if (dimensions <= 2_000) return 'vector';
  return dimensions <= 4_000 ? 'halfvec' : undefined;
}

/** Casts to the indexed type; a statement uses the index only with the same expression. */
export const castTo = (value: RawBuilder<unknown>, dimensions: number): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(`${indexedType(dimensions)}(${Math.floor(dimensions)})`)}`;

/** Predicate of the partial index, with literals: the planner does not match parameters against it. */
export const inVectorSet = ({ apiKeyId, kind, model, dimensions }: VectorSet): RawBuilder<boolean> =>
  sql`api_key_id = ${sql.lit(apiKeyId)} and kind = ${sql.lit(kind)} and model = ${sql.lit(model)}
    and dimensions = ${sql.lit(Math.floor(dimensions))}`;

/** Indexed expression and predicate of the word index of an API key. */
export const allWords = sql`(coalesce(review_words, '') || coalesce(content_words, ''))`;
export const ofKey = (apiKeyId: string): RawBuilder<boolean> => sql`api_key_id = ${sql.lit(apiKeyId)}`;

/** Names of the indexes of `maintainJudgmentIndexes` that are ready. */
export async function listJudgmentIndexes(db: Db): Promise<Set<string>> {
  const indexes = await listIndexes(db);
  return new Set(indexes.filter(({ isValid }) => isValid).map(({ name }) => name));
}

/** `isValid` is false during creation, and after creation was interrupted. */
const indexRow = z.object({ name: z.string(), isValid: z.boolean() });

const listIndexes = (db: Db): Promise<z.output<typeof indexRow>[]> =>
  rowsOf(
    db,
    indexRow,
    sql`select relname as name, indisvalid as is_valid from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid in (to_regclass('judgments'), to_regclass('judgments_near'))
      and relname ~ '^judgments_(near|words)_[0-9a-f]{32}$'`,
  );

const extensionRow = z.object({ installed: z.string().nullable(), version: z.string() });

/**
 * True if the server has pgvector 0.8 or later, installed or installable by us. Earlier versions cannot continue a
 * search if filters leave too few results.
 */
async function canIndexVectors(db: Db): Promise<boolean> {
  const [found] = await rowsOf(
    db,
    extensionRow,
    sql`select installed_version as installed, coalesce(installed_version, default_version) as version
      from pg_available_extensions where name = 'vector'`,
  );
  if (!found) return false;
  const [major = 0, minor = 0] = found.version.split('.').map(Number);
  if (major === 0 && minor < 8) return false;
  if (found.installed !== null) return true;
  // Without the privilege to create the extension, searches work without an index.
  return await sql`create extension if not exists vector`.execute(db).then(
    () => true,
    () => false,
  );
}

// Created with the first large key, so that everything else works without the extension. A copy is deleted with its
// vector.
const nearTables = [
  sql`create table if not exists judgments_near_sets (
    api_key_id text not null, kind text not null, model text not null, filled_to xid8 not null,
    primary key (api_key_id, kind, model))`,
  sql`create table if not exists judgments_near (
    api_key_id text not null, judgment_id text not null, kind text not null, window_index smallint not null,
    model text not null, dimensions integer not null, embedding vector not null,
    primary key (api_key_id, judgment_id, kind, window_index),
    foreign key (api_key_id, judgment_id, kind, window_index) references judgment_vectors on delete cascade)`,
];

interface IndexChanges {
  made: string[];
  dropped: string[];
}

const ownerRow = z.object({ isOurs: z.boolean() });

/**
 * Creates indexes for API keys that became large, fills in vectors written since, and drops indexes of keys that shrank
 * or changed their model. May take minutes on a connection without a time limit. One process at a time works; the
 * others return at once. Interrupted indexes are rebuilt.
 */
export async function maintainJudgmentIndexes(
  db: Db,
  signal: AbortSignal,
  { from = LARGE }: { from?: number } = {},
): Promise<IndexChanges> {
  const changes: IndexChanges = { made: [], dropped: [] };
  const { isOurs } = await rowOf(
    db,
    ownerRow,
    sql`select pg_try_advisory_lock(hashtextextended('redpen.judgment_indexes', 0)) as is_ours`,
  );
  if (!isOurs) return changes;
  const there = await listIndexes(db);
  const sets = (await listLarge(db, Math.floor(from * KEPT_FROM), from)).filter(
    ({ dimensions }) => indexedType(dimensions) !== undefined,
  );
  if (there.length === 0 && sets.every(({ many }) => many <= from)) return changes;
  if (!(await canIndexVectors(db))) return changes;
  for (const statement of nearTables) await statement.execute(db);
  const wanted = new Map<string, { isDue: boolean; statement: RawBuilder<unknown> }>();
  for (const { many, ...set } of sets) {
    const { apiKeyId, dimensions } = set;
    const isDue = many > from;
    const near = nearIndexName(set);
    wanted.set(near, {
      isDue,
      statement: sql`create index concurrently ${sql.id(near)} on judgments_near
        using hnsw ((${castTo(sql`embedding`, dimensions)}) ${sql.raw(`${indexedType(dimensions)}_cosine_ops`)})
        where ${inVectorSet(set)}`,
    });
    const words = wordsIndexName(apiKeyId);
    wanted.set(words, {
      isDue: isDue || wanted.get(words)?.isDue === true,
      statement: sql`create index concurrently ${sql.id(words)} on judgments using gin (${allWords})
        where ${ofKey(apiKeyId)}`,
    });
  }
  const usable = new Set<string>();
  for (const { name, isValid } of there) {
    if (isValid && wanted.has(name)) {
      usable.add(name);
      continue;
    }
    signal.throwIfAborted();
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
    changes.dropped.push(name);
  }
  await dropCopies(db, sets);
  // Parallel builds need shared memory that containers often lack.
  await sql`select set_config('max_parallel_maintenance_workers', '0', false),
    set_config('maintenance_work_mem', cast(greatest(${BUILD_MEMORY_KB},
      (select cast(setting as bigint) from pg_settings where name = 'maintenance_work_mem')) as text), false)`.execute(
    db,
  );
  for (const { many, ...set } of sets)
    if (many > from || usable.has(nearIndexName(set))) await copyVectors(db, set, signal);
  for (const [name, { isDue, statement }] of wanted) {
    if (!isDue || usable.has(name)) continue;
    signal.throwIfAborted();
    await statement.execute(db);
    changes.made.push(name);
  }
  return changes;
}

/** Deletes copies that are no longer indexed. */
async function dropCopies(db: Db, sets: readonly VectorSet[]): Promise<void> {
  const columns = (part: (set: VectorSet) => string) => sql`cast(${sets.map(part)} as text[])`;
  for (const table of ['judgments_near', 'judgments_near_sets'])
    await sql`
      delete from ${sql.table(table)} as copies where not exists (
        select from unnest(${columns((set) => set.apiKeyId)}, ${columns((set) => set.kind)},
          ${columns((set) => set.model)}) as wanted(api_key_id, kind, model)
        where wanted.api_key_id = copies.api_key_id and wanted.kind = copies.kind
          and wanted.model = copies.model)`.execute(db);
}

const copiedRow = z.object({ mark: z.string() });

/** Copies the vectors of a set that have no copy yet, in the indexable type. */
async function copyVectors(
  db: Db,
  { apiKeyId, kind, model, dimensions }: VectorSet,
  signal: AbortSignal,
): Promise<void> {
  const { mark } = await rowOf(
    db,
    copiedRow,
    sql`select cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as mark`,
  );
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await sql<{ judgmentId: string; windowIndex: number; embedding: Uint8Array }>`
      select judgment_id, window_index, embedding from judgment_vectors as vectors
      where api_key_id = ${apiKeyId} and kind = ${kind} and model = ${model}
        and octet_length(embedding) = ${2 * dimensions} and judgment_id >= ${after}
        and not exists (select from judgments_near as copies
          where copies.api_key_id = vectors.api_key_id and copies.judgment_id = vectors.judgment_id
            and copies.kind = vectors.kind and copies.window_index = vectors.window_index)
      order by judgment_id, window_index limit ${COPIED_AT_ONCE}`.execute(db);
    if (rows.length === 0) break;
    // Skips vectors that were deleted meanwhile.
    await sql`
      insert into judgments_near (api_key_id, judgment_id, kind, window_index, model, dimensions, embedding)
      select vectors.api_key_id, vectors.judgment_id, vectors.kind, vectors.window_index, vectors.model, ${dimensions},
        cast(item.vector as vector)
      from unnest(cast(${rows.map((row) => row.judgmentId)} as text[]),
          cast(${rows.map((row) => row.windowIndex)} as smallint[]),
          cast(${rows.map((row) => `[${vectorFrom(row.embedding).join(',')}]`)} as text[]))
          as item(judgment_id, window_index, vector)
        join judgment_vectors as vectors on vectors.api_key_id = ${apiKeyId}
          and vectors.judgment_id = item.judgment_id and vectors.kind = ${kind}
          and vectors.window_index = item.window_index and vectors.model = ${model}
      order by vectors.judgment_id, vectors.window_index for key share of vectors
      on conflict do nothing`.execute(db);
    after = rows.at(-1)!.judgmentId;
    if (rows.length < COPIED_AT_ONCE) break;
  }
  await sql`
    insert into judgments_near_sets (api_key_id, kind, model, filled_to)
    values (${apiKeyId}, ${kind}, ${model}, cast(${mark} as xid8))
    on conflict (api_key_id, kind, model) do update set filled_to = excluded.filled_to`.execute(db);
}

const partitionRow = z.object({ many: z.number(), dimensions: z.number().nullable() });

const largeKeyRow = z.object({ apiKeyId: z.string(), model: z.string(), many: z.number() });

/** Vector sets with more than `floor` vectors, counted up to `max`. */
async function listLarge(db: Db, floor: number, max: number): Promise<(VectorSet & { many: number })[]> {
  const keys = await rowsOf(
    db,
    largeKeyRow,
    sql`with recursive keys as (
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
        limit ${max + 1}) as bounded) as counted
    where counted.many > ${floor}`,
  );
  const sets: (VectorSet & { many: number })[] = [];
  for (const key of keys)
    for (const kind of ['review', 'content'] as const) {
      const { many, dimensions } = await rowOf(
        db,
        partitionRow,
        sql`select (select count(*) from (
            select 1 from judgment_vectors where api_key_id = ${key.apiKeyId} and kind = ${kind}
            limit ${max + 1}) as bounded) as many,
          (select octet_length(embedding) / 2 from judgment_vectors
            where api_key_id = ${key.apiKeyId} and kind = ${kind} and model = ${key.model} limit 1) as dimensions`,
      );
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
