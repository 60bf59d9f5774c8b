import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';

/**
 * The transaction need not be on the disk when it is answered, which costs more than all the rest of it: claims and
 * vectors that a crash takes away are made again.
 */
const unhurried = sql`select set_config('synchronous_commit', 'off', true)`;

/** A judgment whose vectors are to be made. */
export interface UnembeddedJudgment {
  apiKeyId: string;
  judgmentId: string;
  decision: string;
  reasoning: string;
  content: string | null;
  /** Tells whether it is still the same when its vectors are there. */
  recordedAt: number;
  /** Of an earlier model, if any. */
  embeddedWith: string;
}

export interface Claim {
  /** Only of this one. By default of all. */
  apiKeyId?: string | undefined;
  limit: number;
  now: number;
  /** Until when no other process takes them. */
  until: number;
}

/**
 * Claims judgments that wait for their first vectors, beginning with the API key behind one: whoever goes on behind
 * the last that it got gives every key its turn.
 */
export const claimNew = (db: Db, afterKey: string, claim: Claim): Promise<UnembeddedJudgment[]> =>
  // No text is smaller than the empty one; said so, only the index of models has them in this order.
  claimWhere(db, sql`(embedded_with, api_key_id) > ('', ${afterKey}) and embedded_with <= ''`, claim);

/** Claims judgments whose vectors are of another model. */
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
    with unhurried as materialized (${unhurried}), waiting as materialized (
      select api_key_id, judgment_id from judgments
      where ${where} ${own} and claimed_until < cast(${now} as bigint)
      order by embedded_with, api_key_id, judgment_id limit ${limit}
      for update skip locked)
    update judgments set claimed_until = cast(${until} as bigint) from waiting cross join unhurried
    where judgments.api_key_id = waiting.api_key_id and judgments.judgment_id = waiting.judgment_id
    returning judgments.api_key_id, judgments.judgment_id, decision, reasoning, content, recorded_at,
      embedded_with`.execute(db);
  return rows.sort((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : a.apiKeyId > b.apiKeyId ? 1 : 0));
}

/** On a database of one process, every claim that is there at start belongs to a dead one. */
export async function endAllClaims(db: Db): Promise<void> {
  await sql`update judgments set claimed_until = 0 where embedded_with <= '' and claimed_until > 0`.execute(
    db,
  );
}

type Ref = Pick<UnembeddedJudgment, 'apiKeyId' | 'judgmentId' | 'recordedAt'>;

export interface Words extends Ref {
  review: string[];
  content: string[] | undefined;
}

export interface Embedded extends Words {
  vectors: {
    kind: 'review' | 'content';
    windowIndex: number;
    /** As `directionOf` writes it. */
    embedding: Uint8Array;
  }[];
}

const wordsColumns = sql`review_words = array_to_tsvector(array(select jsonb_array_elements_text(item.review))),
  content_words = case when item.content is not null
    then array_to_tsvector(array(select jsonb_array_elements_text(item.content))) end`;

const isItem = sql`judgments.api_key_id = item."apiKeyId" and judgments.judgment_id = item."judgmentId"
  and judgments.recorded_at = item."recordedAt"`;

/** Writes vectors and words of judgments that are still what they were made of; answers how many these are. */
export async function writeVectors(db: Db, model: string, items: readonly Embedded[]): Promise<number> {
  const vectors = items.flatMap((item, position) => item.vectors.map((one) => ({ ...one, position })));
  const positions = vectors.map((one) => one.position);
  const kinds = vectors.map((one) => one.kind);
  const places = vectors.map((one) => one.windowIndex);
  const embeddings = vectors.map((one) => one.embedding);
  const { rows } = await sql<{ many: number }>`
    with item as (
      select * from jsonb_to_recordset(${json(items.map(withPosition))}) as item(position integer,
        "apiKeyId" text, "judgmentId" text, "recordedAt" bigint, review jsonb, content jsonb)
    ), held as materialized (
      select item.* from judgments join item on ${isItem}
      order by judgments.api_key_id, judgments.judgment_id for update of judgments
    ), done as (
      update judgments set embedded_with = ${model}, claimed_until = 0, ${wordsColumns}
      from held as item where ${isItem}
      returning judgments.api_key_id, judgments.judgment_id, item.position
    ), written as (
      insert into judgment_vectors (api_key_id, judgment_id, kind, window_index, model, embedding)
      select done.api_key_id, done.judgment_id, one.kind, one.window_index, ${model}, one.embedding
      from done join unnest(cast(${positions} as integer[]), cast(${kinds} as text[]),
        cast(${places} as smallint[]), cast(${embeddings} as bytea[])) as one(position, kind, window_index, embedding)
        on one.position = done.position
    )
    select count(*) as many, (${unhurried}) from done`.execute(db);
  return rows[0]!.many;
}

const withPosition = ({ vectors: _, ...words }: Embedded, position: number) => ({ ...words, position });

/** The same where there are vectors of another model, whose place they take. */
export const replaceVectors = (db: Db, model: string, items: readonly Embedded[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // Held first, as whoever writes a judgment holds it before its vectors.
    await sql`
      select 1 from judgments join ${refs(items)} on ${isItem}
      order by judgments.api_key_id, judgments.judgment_id for update of judgments`.execute(tx);
    await sql`
      delete from judgment_vectors as vectors using judgments join ${refs(items)} on ${isItem}
      where vectors.api_key_id = judgments.api_key_id and vectors.judgment_id = judgments.judgment_id`.execute(
      tx,
    );
    return await writeVectors(tx, model, items);
  });

/** Writes words alone, by which judgments are found until there are vectors, and leaves them to whoever comes next. */
export async function writeWords(db: Db, items: readonly Words[]): Promise<void> {
  await sql`
    with held as materialized (
      select item.* from judgments
      join jsonb_to_recordset(${json(items)}) as item("apiKeyId" text, "judgmentId" text, "recordedAt" bigint,
        review jsonb, content jsonb) on ${isItem}
      order by judgments.api_key_id, judgments.judgment_id for update of judgments)
    update judgments set claimed_until = 0, ${wordsColumns}
    from held as item where ${isItem}`.execute(db);
}

const refs = (items: readonly Ref[]) =>
  sql`jsonb_to_recordset(${json(
    items.map(({ apiKeyId, judgmentId, recordedAt }) => ({ apiKeyId, judgmentId, recordedAt })),
  )}) as item("apiKeyId" text, "judgmentId" text, "recordedAt" bigint)`;
