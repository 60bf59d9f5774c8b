import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import { vectorFrom } from './stored-vectors.ts';

/** The vectors that one index finds the nearest of: those of one length, whatever a provider made under the same name. */
export interface VectorSet {
  apiKeyId: string;
  kind: 'review' | 'content';
  model: string;
  dimensions: number;
}

/** From this many judgments of an API key on, an index finds the nearest where the server has pgvector. */
export const LARGE = 100_000;
/** What is indexed stays so until it has fallen to this share, so that nothing is made and dropped in turns. */
const KEPT_FROM = 0.8;

/** In kilobytes, as far as the server does not grant more; what does not fit makes an index many times slower. */
const BUILD_MEMORY_KB = 512 * 1024;
/** So many vectors are copied in one statement. */
const COPIED_AT_ONCE = 500;

const hash = (...parts: string[]) => createHash('md5').update(JSON.stringify(parts)).digest('hex');

export const nearIndexName = ({ apiKeyId, kind, model, dimensions }: VectorSet): string =>
  `judgments_near_${hash(apiKeyId, kind, model, String(dimensions))}`;
export const wordsIndexName = (apiKeyId: string): string => `judgments_words_${hash(apiKeyId)}`;

/** The vectors as the index has them. Undefined where they are too long to be indexed. */
function indexedType(dimensions: number): 'vector' | 'halfvec' | undefined {
  if (dimensions <= 2_000) return 'vector';
  return dimensions <= 4_000 ? 'halfvec' : undefined;
}

/** An index needs to know how long vectors are; no statement gets it that does not say the same. */
export const castTo = (value: RawBuilder<unknown>, dimensions: number): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(`${indexedType(dimensions)}(${Math.floor(dimensions)})`)}`;

/** Which vectors an index has. A planner that is to see that it fits needs the values in the statement. */
export const inVectorSet = ({ apiKeyId, kind, model, dimensions }: VectorSet): RawBuilder<boolean> =>
  condition`api_key_id = ${sql.lit(apiKeyId)} and kind = ${sql.lit(kind)} and model = ${sql.lit(model)}
    and dimensions = ${sql.lit(Math.floor(dimensions))}`;

/** All words of a judgment as the index of an API key has them, and of which judgments. */
export const allWords = sql`(coalesce(review_words, '') || coalesce(content_words, ''))`;
export const ofKey = (apiKeyId: string): RawBuilder<boolean> => condition`api_key_id = ${sql.lit(apiKeyId)}`;

/** The indexes of `keepJudgmentIndexes` that can be used. */
export async function listJudgmentIndexes(db: Db): Promise<Set<string>> {
  const indexes = await listIndexes(db);
  return new Set(indexes.filter(({ isValid }) => isValid).map(({ name }) => name));
}

interface Index {
  name: string;
  /** False while it is made, and for one whose making was broken off. */
  isValid: boolean;
}

async function listIndexes(db: Db): Promise<Index[]> {
  const { rows } = await sql<Index>`
    select relname as name, indisvalid as is_valid from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid in (to_regclass('judgments'), to_regclass('judgments_near'))
      and relname ~ '^judgments_(near|words)_[0-9a-f]{32}$'`.execute(db);
  return rows;
}

/**
 * Whether vectors can be indexed: the server has pgvector, and we may use it. Earlier versions than 0.8 cannot go on
 * searching where filters leave too little.
 */
async function canIndexVectors(db: Db): Promise<boolean> {
  const { rows } = await sql<{ installed: string | null; version: string }>`
    select installed_version as installed, coalesce(installed_version, default_version) as version
    from pg_available_extensions where name = 'vector'`.execute(db);
  const [found] = rows;
  if (!found) return false;
  const [major = 0, minor = 0] = found.version.split('.').map(Number);
  if (major === 0 && minor < 8) return false;
  if (found.installed !== null) return true;
  // Without the right to turn it on, all goes on without it.
  return await sql`create extension if not exists vector`.execute(db).then(
    () => true,
    () => false,
  );
}

// The extension is not to be missed anywhere else, so what needs it is made with the first large key. A copy goes with
// the vector that it is a copy of.
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

interface Kept {
  made: string[];
  dropped: string[];
}

/**
 * Makes the indexes of API keys that became large, gives them the vectors that came since, and drops those of keys that
 * no longer are large, or whose vectors are of another model by now. Takes minutes, on a connection that has them; one
 * process at a time does it, the others do nothing. One that was broken off is made anew.
 */
export async function keepJudgmentIndexes(
  db: Db,
  signal: AbortSignal,
  { from = LARGE }: { from?: number } = {},
): Promise<Kept> {
  const kept: Kept = { made: [], dropped: [] };
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_lock(hashtextextended('redpen.judgment_indexes', 0)) as is_ours`.execute(db);
  if (!rows[0]!.isOurs) return kept;
  const there = await listIndexes(db);
  const sets = (await listLarge(db, Math.floor(from * KEPT_FROM), from)).filter(
    ({ dimensions }) => indexedType(dimensions) !== undefined,
  );
  if (there.length === 0 && sets.every(({ many }) => many <= from)) return kept;
  if (!(await canIndexVectors(db))) return kept;
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
    kept.dropped.push(name);
  }
  await dropCopies(db, sets);
  // Several processes that build one index share memory that a container often has not got.
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
    kept.made.push(name);
  }
  return kept;
}

/** Takes away copies of what is no longer to be indexed. */
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

/** Copies the vectors of a set that have no copy yet, in the type that can be indexed. */
async function copyVectors(
  db: Db,
  { apiKeyId, kind, model, dimensions }: VectorSet,
  signal: AbortSignal,
): Promise<void> {
  const { rows: marks } = await sql<{ mark: string }>`
    select cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as mark`.execute(db);
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
    // What was taken away meanwhile is not to be copied.
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
    values (${apiKeyId}, ${kind}, ${model}, cast(${marks[0]!.mark} as xid8))
    on conflict (api_key_id, kind, model) do update set filled_to = excluded.filled_to`.execute(db);
}

/** What has more than `floor` vectors, of which no more than `most` are counted. */
async function listLarge(db: Db, floor: number, most: number): Promise<(VectorSet & { many: number })[]> {
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
  const sets: (VectorSet & { many: number })[] = [];
  for (const key of keys)
    for (const kind of ['review', 'content'] as const) {
      const { rows } = await sql<{ many: number; dimensions: number | null }>`
        select (select count(*) from (
            select 1 from judgment_vectors where api_key_id = ${key.apiKeyId} and kind = ${kind}
            limit ${most + 1}) as bounded) as many,
          (select octet_length(embedding) / 2 from judgment_vectors
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
