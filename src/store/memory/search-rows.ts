import { type RawBuilder, sql } from 'kysely';
import { condition } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { JudgmentFilters, MemoryPlace } from '../../shapes/memory/judgment.ts';
import { judgmentsWhere } from './judgments.ts';

/** What a search looks at of a judgment. */
export interface SearchRow {
  judgmentId: string;
  /** The transaction that wrote it last; the same number means the same judgment. */
  changed: number;
  organizationId: string;
  documentId: string;
  decision: string;
  judgeType: string;
  contentType: string | null;
  reviewerId: string;
  createdAt: number;
  /** The model of its vectors; empty while it waits for them. */
  model: string;
  /** Its words with spaces between; null while it waits for them, when there are its texts. */
  words: string | null;
  reasoning: string | null;
  content: string | null;
  /** The directions of its windows of a kind one after the other, all of one length; null where it has none. */
  directions: Uint8Array | null;
  windows: number;
}

type Kind = 'review' | 'content';
type Key = Pick<Scope, 'apiKeyId'>;

const isWordless = condition`judgments.review_words is null and judgments.content_words is null`;

// Windows are made together, so they differ in length only where something else went wrong.
const columns = (kind: Kind): RawBuilder<unknown> => sql`
  judgments.judgment_id, cast(cast(judgments.changed as text) as bigint) as changed, judgments.organization_id,
  judgments.document_id, judgments.decision, judgments.judge_type, judgments.content_type, judgments.reviewer_id,
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

/** Judgments of an API key behind an id, by id. */
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

/** Judgments by their ids; those that are gone are missing. */
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

/** The judgments of a place that pass the filters behind one of them, newest first; only some, where they are named. */
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

/** How many judgments an API key has. */
export async function countSearchRows(db: Db, { apiKeyId }: Key): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*) as many from judgments where api_key_id = ${apiKeyId}`.execute(db);
  return rows[0]!.many;
}

/** Vectors of judgments, as `directionOf` writes them. */
export async function listDirections(
  db: Db,
  { apiKeyId }: Key,
  kind: Kind,
  judgmentIds: readonly string[],
): Promise<{ judgmentId: string; model: string; direction: Uint8Array }[]> {
  const { rows } = await sql<{ judgmentId: string; model: string; direction: Uint8Array }>`
    select judgment_id, model, embedding as direction from judgment_vectors
    where api_key_id = ${apiKeyId} and judgment_id = any(cast(${[...judgmentIds]} as text[])) and kind = ${kind}`.execute(
    db,
  );
  return rows;
}

/** What was written since a reading. */
export interface JudgmentChanges {
  changed: { judgmentId: string; changed: number }[];
  goneIds: string[];
  /** What a transaction from here on writes may not be seen yet: from here the next reading goes on. */
  watermark: string;
  /** Something says that it comes from a transaction which has not begun, see `renumberChanges`. */
  hasForeign: boolean;
  /** Deletions up to here are no longer listed. */
  floor: string;
  /** Differs where another server answers, or the same one after a start or a crash. */
  server: string;
}

/** Only what this very transaction writes is visible besides what transactions wrote that have ended. */
const isForeign = condition`changed >= pg_snapshot_xmax(pg_current_snapshot())
  and changed is distinct from pg_current_xact_id_if_assigned()`;

/** What was written to the judgments of an API key since a watermark, in whatever order transactions ended. */
export async function listChanges(db: Db, { apiKeyId }: Key, since: string): Promise<JudgmentChanges> {
  // One statement, so that all of it is seen at one moment. Who came back is not gone.
  const { rows } = await sql<JudgmentChanges>`
    select (select coalesce(jsonb_agg(jsonb_build_object('judgmentId', judgment_id,
          'changed', cast(cast(changed as text) as bigint))), '[]')
        from judgments where api_key_id = ${apiKeyId} and changed >= cast(${since} as xid8)) as changed,
      (select coalesce(jsonb_agg(distinct judgment_id), '[]') from judgment_deletions as gone
        where gone.api_key_id = ${apiKeyId} and gone.changed >= cast(${since} as xid8)
          and not exists (select from judgments where judgments.api_key_id = gone.api_key_id
            and judgments.judgment_id = gone.judgment_id)) as gone_ids,
      cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as watermark,
      exists (select from judgments where api_key_id = ${apiKeyId} and ${isForeign})
        or exists (select from judgment_deletions_floor where ${isForeign}) as has_foreign,
      (select cast(changed as text) from judgment_deletions_floor) as floor,
      -- A server that recovers from the crash of a connection keeps the time of its start, and forgets its statistics.
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
        (select extract(epoch from stats_reset) from pg_stat_bgwriter)) as server`.execute(db);
  return rows[0]!;
}

const RENUMBERED_AT_ONCE = 5_000;

/**
 * Numbers changes of an API key anew that say they come from transactions which have not begun: those of a database
 * that was restored from another server's, whose transactions are counted otherwise.
 */
export async function renumberChanges(db: Db, { apiKeyId }: Key): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await db.transaction().execute(async (tx) => {
      // Of several processes that find out at once, the others find nothing left to do.
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

/** For so long deletions are listed; a copy that is older is made anew. */
const LISTED_MS = 24 * 3_600_000;

/** Forgets deletions that hardly a copy can have missed. */
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
