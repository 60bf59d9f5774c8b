import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import { isOfAssistant, judgmentsWhere } from './judgments.ts';

/** Everything that a search reads of a judgment. */
export interface SearchRow {
  judgmentId: string;
  /** Transaction of its last write: equal numbers mean equal rows. */
  changed: number;
  organizationId: string;
  documentId: string;
  decision: string;
  judgeType: string;
  /** True if an AI assistant judged for a person. */
  isOfAssistant: boolean;
  contentType: string | null;
  reviewerId: string;
  createdAt: number;
  /** Model of its vectors; empty while it waits for them. */
  model: string;
  /** Its words, space-separated; null if they are not stored yet, in which case the texts are given. */
  words: string | null;
  reasoning: string | null;
  content: string | null;
  /** Vectors of its windows, concatenated and of equal length; null without any. */
  directions: Uint8Array | null;
  windows: number;
}

type Kind = 'review' | 'content';
type Key = Pick<Scope, 'apiKeyId'>;

const isWordless = sql`judgments.review_words is null and judgments.content_words is null`;

// Windows are written together; differing lengths mean corrupt vectors, which are skipped.
const columns = (kind: Kind): RawBuilder<unknown> => sql`
  judgments.judgment_id, cast(cast(judgments.changed as text) as bigint) as changed, judgments.organization_id,
  judgments.document_id, judgments.decision, judgments.judge_type, ${isOfAssistant()} as is_of_assistant, judgments.content_type, judgments.reviewer_id,
  judgments.created_at, judgments.embedded_with as model,
  case when not (${isWordless}) then array_to_string(tsvector_to_array(
    coalesce(judgments.review_words, '') || coalesce(judgments.content_words, '')), ' ') end as words,
  case when ${isWordless} then judgments.reasoning end as reasoning,
  case when ${isWordless} then judgments.content end as content, windows.directions, windows.many as windows
  from judgments left join lateral (
    select string_agg(vectors.embedding, '' order by vectors.window_index) as directions, count(*) as many
    from judgment_vectors as vectors
    where vectors.api_key_id = judgments.api_key_id and vectors.judgment_id = judgments.judgment_id
      and vectors.kind = ${kind} and vectors.model = judgments.embedded_with
    having min(octet_length(vectors.embedding)) = max(octet_length(vectors.embedding))) as windows on true`;

/** Rows of an API key after an id, in order of ids. */
export async function listSearchRows(
  db: Db,
  { apiKeyId }: Key,
  kind: Kind,
  after: string,
  limit: number,
): Promise<SearchRow[]> {
  const { rows } = await sql<SearchRow>`
    select ${columns(kind)}
    where judgments.api_key_id = ${apiKeyId} and judgments.judgment_id > ${after}
    order by judgments.judgment_id limit ${limit}`.execute(db);
  return rows;
}

/** Rows by id; deleted judgments are missing. */
export async function searchRowsById(
  db: Db,
  { apiKeyId }: Key,
  kind: Kind,
  judgmentIds: readonly string[],
): Promise<SearchRow[]> {
  const { rows } = await sql<SearchRow>`
    select ${columns(kind)}
    where judgments.api_key_id = ${apiKeyId} and judgments.judgment_id = any(cast(${[...judgmentIds]} as text[]))`.execute(
    db,
  );
  return rows;
}

/** Rows of a place that pass the filters, newest first, after a row; optionally restricted to some ids. */
export async function listSearchRowsInOrder(
  db: Db,
  scope: Scope,
  place: MemoryPlace,
  filters: JudgmentFilters,
  {
    kind,
    after,
    among,
    limit,
  }: { kind: Kind; after: SearchRow | undefined; among?: readonly string[] | undefined; limit: number },
): Promise<SearchRow[]> {
  const behind = after
    ? sql`and (judgments.created_at, judgments.judgment_id) < (cast(${after.createdAt} as bigint), ${after.judgmentId})`
    : sql``;
  const named = among ? sql`and judgments.judgment_id = any(cast(${[...among]} as text[]))` : sql``;
  const { rows } = await sql<SearchRow>`
    select ${columns(kind)}
    where ${judgmentsWhere(scope, place, filters)} ${named} ${behind}
    order by judgments.created_at desc, judgments.judgment_id desc limit ${limit}`.execute(db);
  return rows;
}

/** Number of judgments of an API key. */
export async function countSearchRows(db: Db, { apiKeyId }: Key): Promise<number> {
  const { many } = await db
    .selectFrom('judgments')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('apiKeyId', '=', apiKeyId)
    .executeTakeFirstOrThrow();
  return many;
}

export interface Direction {
  judgmentId: string;
  model: string;
  direction: Uint8Array;
}

/** Stored vectors of judgments. */
export const listDirections = (
  db: Db,
  { apiKeyId }: Key,
  kind: Kind,
  judgmentIds: readonly string[],
): Promise<Direction[]> => selectDirections(db, { apiKeyId, kind, judgmentIds });

const selectDirections = prepared(
  (db, key: { apiKeyId: string; kind: Kind; judgmentIds: readonly string[] }) =>
    db
      .selectFrom('judgmentVectors')
      .select(['judgmentId', 'model', 'embedding as direction'])
      .where('apiKeyId', '=', key.apiKeyId)
      .where('judgmentId', '=', sql<string>`any(cast(${key.judgmentIds} as text[]))`)
      .where('kind', '=', key.kind),
);

/** Changes since a reading. */
export interface JudgmentChanges {
  changed: { judgmentId: string; changed: number }[];
  goneIds: string[];
  /** Transactions from here on may be invisible yet: the next reading begins here. */
  watermark: string;
  /** True if a row claims a transaction that has not begun, see `renumberChanges`. */
  hasForeign: boolean;
  /** Deletions up to this transaction are no longer listed. */
  floor: string;
  /** Changes when another server answers, or the server restarted or crashed. */
  server: string;
}

/** Besides the rows of ended transactions, only those of the current one are visible. */
const isForeign = sql`changed >= pg_snapshot_xmax(pg_current_snapshot())
  and changed is distinct from pg_current_xact_id_if_assigned()`;

/** Changes that the prepared statement lists; more are rare, and listed by a statement that is planned for them. */
const FEW_CHANGES = 100;

/** Changes of an API key's judgments since a watermark, in whatever order transactions committed. */
export async function listChanges(db: Db, { apiKeyId }: Key, since: string): Promise<JudgmentChanges> {
  const [few] = await selectFewChanges(db, { apiKeyId, since });
  if (few!.changed.length < FEW_CHANGES) return few!;
  const all = sql`select judgment_id, changed from judgments
    where api_key_id = ${apiKeyId} and changed >= cast(${since} as xid8)`;
  const { rows } = await changesIn(all, apiKeyId, since).execute(db);
  return rows[0]!;
}

const selectFewChanges = prepared((db, { apiKeyId, since }: { apiKeyId: string; since: string }) => {
  // Planning takes many times as long as running. The server keeps a plan only if it expects that a plan for the value
  // itself would not be cheaper, so it must not see the value; the order and the limit lead to the index all the same.
  const few = sql`select judgment_id, changed from judgments
    where api_key_id = ${apiKeyId} and changed >= (select cast(${since} as xid8))
    order by changed limit ${sql.lit(FEW_CHANGES)}`;
  const query = changesIn(few, apiKeyId, since);
  return { compile: () => query.compile(db) };
});

function changesIn(
  changed: RawBuilder<unknown>,
  apiKeyId: string,
  since: string,
): RawBuilder<JudgmentChanges> {
  // One statement for one snapshot. A judgment that came back does not count as deleted.
  return sql<JudgmentChanges>`
    select (select coalesce(jsonb_agg(jsonb_build_object('judgmentId', judgment_id,
          'changed', cast(cast(changed as text) as bigint))), '[]') from (${changed}) as changes) as changed,
      (select coalesce(jsonb_agg(distinct judgment_id), '[]') from judgment_deletions as gone
        where gone.api_key_id = ${apiKeyId} and gone.changed >= (select cast(${since} as xid8))
          and not exists (select from judgments where judgments.api_key_id = gone.api_key_id
            and judgments.judgment_id = gone.judgment_id)) as gone_ids,
      cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as watermark,
      exists (select from judgments where api_key_id = ${apiKeyId} and ${isForeign})
        or exists (select from judgment_deletions_floor where ${isForeign}) as has_foreign,
      (select cast(changed as text) from judgment_deletions_floor) as floor,
      -- A server that recovers from the crash of a connection keeps the time of its start, and forgets its statistics.
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
        (select extract(epoch from stats_reset) from pg_stat_bgwriter)) as server`;
}

const RENUMBERED_AT_ONCE = 5_000;

/**
 * Renumbers changes of an API key from transactions that have not begun: those of a database restored from another
 * server, which counts its transactions differently.
 */
export async function renumberChanges(db: Db, { apiKeyId }: Key): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await db.transaction().execute(async (tx) => {
      // Serializes processes that notice it at once; the later ones find nothing to do.
      await sql`select pg_advisory_xact_lock(hashtextextended('redpen.judgment_changes', 0))`.execute(tx);
      const { numAffectedRows } = await sql`
        update judgments set changed = '0' where api_key_id = ${apiKeyId} and judgment_id in (
          select judgment_id from judgments where api_key_id = ${apiKeyId} and ${isForeign}
          limit ${RENUMBERED_AT_ONCE})`.execute(tx);
      await sql`delete from judgment_deletions where api_key_id = ${apiKeyId} and ${isForeign}`.execute(tx);
      await sql`update judgment_deletions_floor set changed = pg_snapshot_xmin(pg_current_snapshot())
        where ${isForeign}`.execute(tx);
      return numAffectedRows === 0n;
    });
  }
}

/** Time for which deletions are listed; older caches are rebuilt. */
const LISTED_MS = 24 * 3_600_000;

/** Prunes deletions that are too old for any cache. */
export async function pruneJudgmentDeletions(db: Db, now: number): Promise<void> {
  await sql`
    with gone as (
      delete from judgment_deletions where deleted_at < cast(${now - LISTED_MS} as bigint)
        and changed < pg_snapshot_xmin(pg_current_snapshot())
      returning changed),
    newest as (select changed from gone order by changed desc limit 1)
    update judgment_deletions_floor as floor set changed = newest.changed from newest
    where floor.changed < newest.changed`.execute(db);
}
