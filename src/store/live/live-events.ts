import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';

/** Least time for which clients can resume from an event. */
export const LIVE_EVENTS_KEPT_MS = 24 * 3_600_000;
/** Covers differences between clocks, and readers that are in the middle of a page. */
const GRACE_MS = 10 * 60_000;
/** PostgreSQL channel that notifies of new events. */
export const LIVE_CHANNEL = 'redpen_live';
/** Advisory lock under which numbers are assigned, so that their order is that of the commits. */
const NUMBERS_LOCK = 7_273_102;
/** Bytes of stored (compressed) payloads per page; a larger event comes alone. */
const PAGE_BYTES = 1_000_000;

export interface OrganizationRef {
  apiKeyId: string;
  organizationId: string;
}

/** Stands for the organization of events that belong to none; no organization has an empty id. */
export const NO_ORGANIZATION = '';

export interface NewLiveEvent extends OrganizationRef {
  documentId: string | null;
  eventId: string;
  name: string;
}

export interface LiveEvent extends NewLiveEvent {
  seq: number;
  payload: Record<string, unknown>;
  /** When the event happened, and when it was recorded here, in epoch milliseconds. */
  at: number;
  createdAt: number;
  /** Bytes in the database. */
  size: number;
}

export interface LivePage {
  events: LiveEvent[];
  /** All requested events up to this number are in the page. */
  upTo: number;
  /** There may be more events. */
  isFull: boolean;
}

/** Records events for live clients, in the order given, and notifies the processes that serve them. */
export async function appendLiveEvents(tx: Tx, events: NewLiveEvent[]): Promise<void> {
  if (events.length === 0) return;
  const texts = (of: (event: NewLiveEvent) => string | null) => events.map(of);
  await sendLiveEvents(tx, {
    apiKeyIds: texts(({ apiKeyId }) => apiKeyId),
    organizationIds: texts(({ organizationId }) => organizationId),
    documentIds: texts(({ documentId }) => documentId),
    eventIds: texts(({ eventId }) => eventId),
    names: texts(({ name }) => name),
    now: Date.now(),
  });
}

type Texts = (string | null)[];

interface LiveColumns extends Record<string, unknown> {
  apiKeyIds: Texts;
  organizationIds: Texts;
  documentIds: Texts;
  eventIds: Texts;
  names: Texts;
  now: number;
}

/**
 * The lock is taken before the first number, and held until the end of the transaction or savepoint, so that writers
 * commit in the order of their numbers.
 */
const sendLiveEvents = prepared<LiveColumns, never>((db, row) => {
  const texts = (values: Texts) => sql`cast(${values} as text[])`;
  const query = sql<never>`
    with numbering as materialized (select pg_advisory_xact_lock(${sql.lit(NUMBERS_LOCK)})),
    added as (
      insert into live_events (api_key_id, organization_id, document_id, event_id, name, created_at)
      select api_key_id, organization_id, document_id, event_id, name, cast(${row.now} as bigint)
      from numbering cross join unnest(${texts(row.apiKeyIds)}, ${texts(row.organizationIds)},
        ${texts(row.documentIds)}, ${texts(row.eventIds)}, ${texts(row.names)})
        with ordinality as item(api_key_id, organization_id, document_id, event_id, name, position)
      order by position)
    select pg_notify(${sql.lit(LIVE_CHANNEL)}, '')`;
  return { compile: () => query.compile(db) };
});

/** The newest committed number, and the highest number that was ever assigned. */
export async function endOfLiveEvents(db: Db): Promise<{ newest: number; given: number }> {
  return await db
    .selectNoFrom([
      sql<number>`coalesce((select max(seq) from live_events), 0)`.as('newest'),
      sql<number>`(select case when is_called then last_value else 0 end from live_events_seq_seq)`.as(
        'given',
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** The next events of some organizations, of any tenants, after a number. */
export const nextLiveEvents = (
  db: Db,
  organizations: OrganizationRef[],
  after: number,
  limit = 500,
): Promise<LivePage> => {
  const wanted = organizations.map(({ apiKeyId, organizationId }) => ({ apiKeyId, organizationId }));
  const next = sql`select * from live_events where seq > cast(${after} as bigint) order by seq limit ${limit}`;
  const isWanted = sql`(next.api_key_id, next.organization_id) in (
    select * from jsonb_to_recordset(${json(wanted)}) as wanted("apiKeyId" text, "organizationId" text))`;
  return readPage(db, after, limit, next, isWanted);
};

/** The next events of one organization, or of one document of it. */
export const nextLiveEventsOf = (
  db: Db,
  { apiKeyId, organizationId }: OrganizationRef,
  documentId: string | undefined,
  after: number,
  limit = 200,
): Promise<LivePage> => {
  // A renamed document has its event under the old id only, so all renames are read.
  const ofDocument =
    documentId === undefined ? sql`` : sql`and (document_id = ${documentId} or name = 'document.migrate')`;
  const next = sql`select * from live_events
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and seq > cast(${after} as bigint)
      ${ofDocument}
    order by api_key_id, organization_id, seq limit ${limit}`;
  return readPage(db, after, limit, next, sql`true`);
};

interface PageRow extends Partial<Omit<LiveEvent, 'seq'>> {
  seq: number | null;
  upTo: number;
  isFull: boolean;
}

/** One statement, so that its end is consistent with the events it found. */
async function readPage(
  db: Db,
  after: number,
  limit: number,
  next: RawBuilder<unknown>,
  isWanted: RawBuilder<unknown>,
): Promise<LivePage> {
  const { rows } = await sql<PageRow>`
    with next as materialized (${next}),
    found as materialized (
      select next.*, event.payload, event.at, event.size,
        sum(event.size) over (order by next.seq) - event.size as before
      from (select * from next where ${isWanted} offset 0) as next cross join lateral (
        select payload, created_at as at, pg_column_size(payload) as size from events
        where events.api_key_id = next.api_key_id and events.event_id = next.event_id limit 1) as event),
    reach as (
      select case
        when exists (select 1 from found where before >= ${PAGE_BYTES})
          then (select max(seq) from found where before < ${PAGE_BYTES})
        when (select count(*) from next) >= ${limit} then (select max(seq) from next)
        else greatest(cast(${after} as bigint), (select max(seq) from live_events)) end as up_to,
        (select count(*) from next) >= ${limit}
          or exists (select 1 from found where before >= ${PAGE_BYTES}) as is_full)
    select reach.up_to, reach.is_full, found.api_key_id, found.organization_id, found.seq, found.document_id,
      found.event_id, found.name, found.payload, found.at, found.created_at, found.size
    from reach left join found on found.before < ${PAGE_BYTES}
    order by found.seq`.execute(db);
  const { upTo, isFull } = rows[0]!;
  return {
    events: rows.flatMap(({ upTo: _, isFull: __, ...row }) => (row.seq === null ? [] : [row as LiveEvent])),
    upTo,
    isFull,
  };
}

export async function pruneLiveEvents(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('liveEvents')
    .where('createdAt', '<', now - LIVE_EVENTS_KEPT_MS - GRACE_MS)
    .execute();
}
