import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Commits without waiting for the disk, which would cost more than the rest. Claims and vectors lost in a crash are
 * made again.
 */
const asyncCommit = sql`select set_config('synchronous_commit', 'off', true)`;

/** A judgment that waits for its vectors. */
export interface UnembeddedJudgment {
  apiKeyId: string;
  judgmentId: string;
  decision: string;
  reasoning: string;
  content: string | null;
  /** Version: vectors are written only if it is unchanged. */
  recordedAt: number;
  /** Model of its current vectors; empty without any. */
  embeddedWith: string;
}

export interface Claim {
  /** Restricts the claim to one API key. Default: all. */
  apiKeyId?: string | undefined;
  limit: number;
  now: number;
  /** Expiry of the claim. */
  until: number;
}

/**
 * Claims judgments without vectors, beginning after an API key, so that a caller that continues after its last key
 * serves all keys in turn.
 */
export const claimNew = (db: Db, afterKey: string, claim: Claim): Promise<UnembeddedJudgment[]> =>
  // No text is below the empty one; only this form uses the index on models in this order.
  claimWhere(db, sql`(embedded_with, api_key_id) > ('', ${afterKey}) and embedded_with <= ''`, claim);

/** Claims judgments with vectors of another model. */
export async function claimOutdated(db: Db, model: string, claim: Claim): Promise<UnembeddedJudgment[]> {
  const below = await claimWhere(db, sql`embedded_with > '' and embedded_with < ${model}`, claim);
  if (below.length > 0) return below;
  return await claimWhere(db, sql`embedded_with > ${model}`, claim);
}

async function claimWhere(
  db: Db,
  where: ReturnType<typeof sql>,
  { apiKeyId, limit, now, until }: Claim,
): Promise<UnembeddedJudgment[]> {
  const own = apiKeyId === undefined ? sql`` : sql`and api_key_id = ${apiKeyId}`;
  const { rows } = await sql<UnembeddedJudgment>`
    with asyncCommit as materialized (${asyncCommit}), waiting as materialized (
      select api_key_id, judgment_id from judgments
      where ${where} ${own} and claimed_until < cast(${now} as bigint)
      order by embedded_with, api_key_id, judgment_id limit ${limit}
      for update skip locked)
    update judgments set claimed_until = cast(${until} as bigint) from waiting cross join asyncCommit
    where judgments.api_key_id = waiting.api_key_id and judgments.judgment_id = waiting.judgment_id
    returning judgments.api_key_id, judgments.judgment_id, decision, reasoning, content, recorded_at,
      embedded_with`.execute(db);
  return rows.sort((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : a.apiKeyId > b.apiKeyId ? 1 : 0));
}

/** Ends all claims. For a start with a single process, when they are left over from a crash. */
export async function endAllClaims(db: Db): Promise<void> {
  await db
    .updateTable('judgments')
    .set({ claimedUntil: 0 })
    .where('embeddedWith', '<=', '')
    .where('claimedUntil', '>', 0)
    .execute();
}

type VersionRef = Pick<UnembeddedJudgment, 'apiKeyId' | 'judgmentId' | 'recordedAt'>;

export interface JudgmentWords extends VersionRef {
  review: string[];
  content: string[] | undefined;
}

export interface EmbeddedJudgment extends JudgmentWords {
  vectors: {
    kind: 'review' | 'content';
    windowIndex: number;
    /** In stored form, see `directionOf`. */
    embedding: Uint8Array;
  }[];
}

const wordsColumns = sql`review_words = array_to_tsvector(array(select jsonb_array_elements_text(item.review))),
  content_words = case when item.content is not null
    then array_to_tsvector(array(select jsonb_array_elements_text(item.content))) end`;

const isUnchangedItem = sql`judgments.api_key_id = item."apiKeyId" and judgments.judgment_id = item."judgmentId"
  and judgments.recorded_at = item."recordedAt"`;

const writtenRow = z.object({ many: z.number() });

/** Writes vectors and words of the judgments that are unchanged. Returns their number. */
export async function writeVectors(
  db: Db,
  model: string,
  items: readonly EmbeddedJudgment[],
): Promise<number> {
  const vectors = items.flatMap((item, position) => item.vectors.map((one) => ({ ...one, position })));
  const positions = vectors.map((one) => one.position);
  const kinds = vectors.map((one) => one.kind);
  const places = vectors.map((one) => one.windowIndex);
  const embeddings = vectors.map((one) => one.embedding);
  const rows = await rowsOf(
    db,
    writtenRow,
    sql`
    with item as (
      select * from jsonb_to_recordset(${json(items.map(withPosition))}) as item(position integer,
        "apiKeyId" text, "judgmentId" text, "recordedAt" bigint, review jsonb, content jsonb)
    ), held as materialized (
      select item.* from judgments join item on ${isUnchangedItem}
      order by judgments.api_key_id, judgments.judgment_id for update of judgments
    ), done as (
      update judgments set embedded_with = ${model}, claimed_until = 0, ${wordsColumns}
      from held as item where ${isUnchangedItem}
      returning judgments.api_key_id, judgments.judgment_id, item.position
    ), written as (
      insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
      select done.api_key_id, done.judgment_id, one.kind, one.window_index, ${model}, one.embedding
      from done join unnest(cast(${positions} as integer[]), cast(${kinds} as text[]),
        cast(${places} as smallint[]), cast(${embeddings} as bytea[])) as one(position, kind, window_index, embedding)
        on one.position = done.position
    )
    select count(*) as many, (${asyncCommit}) from done`,
  );
  return rows[0]!.many;
}

const withPosition = ({ vectors: _, ...words }: EmbeddedJudgment, position: number) => ({
  ...words,
  position,
});

/** Like `writeVectors`, for judgments with vectors of another model, which are replaced. */
export const replaceVectors = (db: Db, model: string, items: readonly EmbeddedJudgment[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // Locks judgments before vectors, in the same order as other writers.
    await sql`
      select 1 from judgments join ${refs(items)} on ${isUnchangedItem}
      order by judgments.api_key_id, judgments.judgment_id for update of judgments`.execute(tx);
    await sql`
      delete from judgment_vectors as vectors using judgments join ${refs(items)} on ${isUnchangedItem}
      where vectors.api_key_id = judgments.api_key_id and vectors.judgment_id = judgments.judgment_id`.execute(
      tx,
    );
    return await writeVectors(tx, model, items);
  });

/** Writes words alone, by which judgments are found until they are embedded, and releases the claims. */
export async function writeWords(db: Db, items: readonly JudgmentWords[]): Promise<void> {
  await sql`
    with held as materialized (
      select item.* from judgments
      join jsonb_to_recordset(${json(items)}) as item("apiKeyId" text, "judgmentId" text, "recordedAt" bigint,
        review jsonb, content jsonb) on ${isUnchangedItem}
      order by judgments.api_key_id, judgments.judgment_id for update of judgments)
    update judgments set claimed_until = 0, ${wordsColumns}
    from held as item where ${isUnchangedItem}`.execute(db);
}

const refs = (items: readonly VersionRef[]) =>
  sql`jsonb_to_recordset(${json(
    items.map(({ apiKeyId, judgmentId, recordedAt }) => ({ apiKeyId, judgmentId, recordedAt })),
  )}) as item("apiKeyId" text, "judgmentId" text, "recordedAt" bigint)`;
