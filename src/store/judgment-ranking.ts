import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { JudgmentFilters, MemoryPlace } from '../shapes/judgment.ts';
import { vectorText } from './judgment-vectors.ts';
import { judgmentColumns, judgmentsWhere, type StoredJudgment } from './judgments.ts';

/** A word that is looked for, and whether it names one thing. */
export interface WantedWord {
  word: string;
  isName: boolean;
}

export interface WantedVector {
  model: string;
  vector: Float32Array;
}

export interface RankingQuestion {
  kind: 'review' | 'content';
  /** At most 50, as bits of `matched` stand for them. */
  words: readonly WantedWord[];
  /** What is asked for, once for each model whose vectors are to be compared with it. */
  vectors: readonly WantedVector[];
  /** How many of those alike in their words are kept. */
  keep: number;
}

/** Where in the order of time, newest first, a reading goes on. */
export interface TimeKey {
  createdAt: number;
  judgmentId: string;
}

export interface Candidate extends TimeKey {
  /** Bit `n` is set where word `n` was found. */
  matched: number;
  /** Cosine of the nearest window, -1 to 1; null where it has no vector of the kind and of the models asked for. */
  similarity: number | null;
  /** The model of its vectors; empty while it waits for them. */
  model: string;
  /** How many of the slice have the same `matched` and `model`. */
  alike: number;
}

interface SlicePlace {
  after: TimeKey | undefined;
  rows: number | undefined;
  /** No others than these are looked at, where they are given. */
  among?: readonly string[] | undefined;
}

export interface RankingSlice {
  /** The nearest of each group that is alike in `matched` and `model`; at least one of each. */
  candidates: Candidate[];
  /** Where the next slice begins; undefined after the last. */
  next: TimeKey | undefined;
}

/** A word as an operand of a tsquery. */
export const quoted = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`;

const tsquery = (words: readonly string[]): RawBuilder<unknown> =>
  sql`cast(${words.map(quoted).join('|')} as tsquery)`;

/** As many letters of a text are looked at whose words are not written yet, which is for a moment. */
const PLAIN_LETTERS = 2_000;

/** What is seen of a judgment whose words are not written yet: its text, as far as SQL can fold it. */
const PLAIN_TEXT = sql`translate(lower(concat_ws(' ', left(reasoning, ${sql.lit(PLAIN_LETTERS)}),
  left(content, ${sql.lit(PLAIN_LETTERS)}))), '-_''', '')`;

/** Words count wherever in a judgment they stand: what is spoken of is often named in what was reviewed alone. */
export function matchedBits(words: readonly WantedWord[]): RawBuilder<number> {
  if (words.length === 0) return sql`cast(0 as bigint)`;
  const bits = (test: (word: string) => RawBuilder<unknown>) =>
    sql.join(
      words.map(
        ({ word }, index) => sql`case when ${test(word)} then cast(${2 ** index} as bigint) else 0 end`,
      ),
      sql` + `,
    );
  const hasAny = (some: readonly string[]) =>
    sql`(review_words @@ ${tsquery(some)} or content_words @@ ${tsquery(some)})`;
  return sql`case
    when review_words is null and content_words is null
      then (select ${bits((word) => sql`strpos(plain.words, ${word}) > 0`)} from (select ${PLAIN_TEXT} as words offset 0) as plain)
    when ${hasAny(words.map(({ word }) => word))} then ${bits((word) => hasAny([word]))}
    else 0 end`;
}

function nearness(vectors: readonly WantedVector[]): RawBuilder<number> {
  const cosine = ({ vector }: WantedVector) =>
    sql`1 - (vectors.embedding <=> cast(${vectorText(vector)} as vector))`;
  // Vectors that differ in length, of two models or of what a provider keeps under one name, cannot be compared.
  const cases = vectors.map(
    (one) => sql`when vectors.model = ${one.model}
      and vector_dims(vectors.embedding) = ${sql.lit(one.vector.length)} then ${cosine(one)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}

function vectorsWhere(
  { apiKeyId }: Scope,
  { organizationId, documentId }: MemoryPlace,
  kind: RankingQuestion['kind'],
  wanted: readonly WantedVector[],
): RawBuilder<boolean> {
  const parts = [
    sql`vectors.api_key_id = ${apiKeyId} and vectors.kind = ${kind}`,
    organizationId !== undefined && sql`vectors.organization_id = ${organizationId}`,
    documentId !== undefined && sql`vectors.document_id = ${documentId}`,
    sql`vectors.model in (${sql.join(wanted.map(({ model }) => model))})`,
  ].filter((part) => part !== false);
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/**
 * The judgments of a place that pass the filters: how near each is, and which words it has. On the embedded
 * database the newest `rows` of the place at a time, so that no statement holds up everything else for long; the
 * whole at once where `rows` is left out.
 */
export async function readRankingSlice(
  db: Db | Tx,
  scope: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  question: RankingQuestion,
  { after, rows: size, among }: SlicePlace,
): Promise<RankingSlice> {
  const { kind, words, vectors, keep } = question;
  const { from, to } = filters;
  const last = size === undefined ? undefined : await endOfSlice(db, scope, place, { from, to, after, size });
  const newer = after && sql` and (created_at, judgment_id) < ${keyOf(after)}`;
  const older = last && sql` and (created_at, judgment_id) >= ${keyOf(last)}`;
  const named = among && sql` and judgment_id = any(cast(${[...among]} as text[]))`;
  // Without filters the vectors of a place are read in one go, else those of what is left.
  const isWhole =
    size === undefined &&
    among === undefined &&
    Object.values(filters).every((filter) => filter === undefined);
  const { rows } = await sql<Candidate>`
    with judged as materialized (
      select judgment_id, created_at, embedded_with as model, ${matchedBits(words)} as matched
      from judgments
      where ${judgmentsWhere(scope, place, filters)}${newer ?? sql``}${older ?? sql``}${named ?? sql``}),
    windows as materialized (
      select vectors.judgment_id, vectors.model, ${nearness(vectors)} as similarity
      from ${isWhole ? sql`judgment_vectors as vectors where` : sql`judged join judgment_vectors as vectors on vectors.judgment_id = judged.judgment_id and`}
        ${vectorsWhere(scope, place, kind, vectors)}),
    near as (select judgment_id, model, max(similarity) as similarity from windows group by judgment_id, model),
    placed as (
      select judged.*, near.similarity, count(*) over alike as alike,
        row_number() over (alike order by near.similarity desc nulls last, created_at desc, judged.judgment_id desc)
          as place
      from judged left join near on near.judgment_id = judged.judgment_id and near.model = judged.model
      window alike as (partition by matched, judged.model))
    select judgment_id, created_at, model, matched, similarity, alike from placed where place <= ${keep}`.execute(
    db,
  );
  return { candidates: rows, next: last };
}

const keyOf = ({ createdAt, judgmentId }: TimeKey) => sql`(cast(${createdAt} as bigint), ${judgmentId})`;

/** The last of the next `size` judgments of a place; undefined where there are no more than those. */
async function endOfSlice(
  db: Db | Tx,
  scope: Scope,
  place: MemoryPlace,
  {
    from,
    to,
    after,
    size,
  }: Pick<JudgmentFilters, 'from' | 'to'> & { after: TimeKey | undefined; size: number },
): Promise<TimeKey | undefined> {
  const { rows } = await sql<TimeKey>`
    select created_at, judgment_id from judgments
    where ${judgmentsWhere(scope, place, { from, to })}${after ? sql` and (created_at, judgment_id) < ${keyOf(after)}` : sql``}
    order by created_at desc, judgment_id desc offset ${size - 1} limit 1`.execute(db);
  return rows[0];
}

/** Judgments by their ids; one that is gone is left out. */
export async function judgmentsById(
  db: Db | Tx,
  { apiKeyId }: Scope,
  judgmentIds: readonly string[],
): Promise<Map<string, StoredJudgment>> {
  if (judgmentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('judgments')
    .select(judgmentColumns)
    .where('apiKeyId', '=', apiKeyId)
    .where('judgmentId', 'in', judgmentIds)
    .execute();
  return new Map(rows.map((row) => [row.judgmentId, row]));
}
