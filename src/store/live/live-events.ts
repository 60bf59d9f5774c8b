import { type RawBuilder, sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';

/** How long what happened can be asked for again, at least. */
export const LIVE_EVENTS_KEPT_MS = 24 * 3_600_000;
/** Clocks differ, and what somebody just began to read must not go meanwhile. */
const GRACE_MS = 10 * 60_000;
/** PostgreSQL tells whoever listens that there is something new. */
export const LIVE_CHANNEL = 'redpen_live';
/** Names the lock under which numbers are given: the order of numbers is then that of commits. */
const NUMBERS_LOCK = 7_273_102;
/** Of payloads as the database has them, that is, compressed; an event that is larger comes alone. */
const PAGE_BYTES = 1_000_000;

/** An organization of an API key. */
export interface OrganizationRef {
  apiKeyId: string;
  organizationId: string;
}

export interface NewLiveEvent extends OrganizationRef {
  documentId: string | null;
  eventId: string;
  name: string;
}

export interface LiveEvent extends NewLiveEvent {
  seq: number;
  payload: Record<string, unknown>;
  /** When it happened, and when it came here, in epoch milliseconds. */
  at: number;
  createdAt: number;
  /** What it takes in the database, in bytes. */
  size: number;
}

export interface LivePage {
  events: LiveEvent[];
  /** Everything up to here is among the events, as far as it was asked for. */
  upTo: number;
  /** There may be more behind it. */
  isFull: boolean;
}

/** Writes what live clients are to be told of, in the order given, and wakes those who tell them. */
export async function appendLiveEvents(tx: Tx, events: NewLiveEvent[]): Promise<void> {
  if (events.length === 0) return;
  // Whoever came first commits first; released by the end of the transaction, or of its savepoint.
  await sql`select pg_advisory_xact_lock(${NUMBERS_LOCK})`.execute(tx);
  await sql`
    insert into live_events (api_key_id, organization_id, document_id, event_id, name, created_at)
    select item.row ->> 'apiKeyId', item.row ->> 'organizationId', item.row ->> 'documentId',
      item.row ->> 'eventId', item.row ->> 'name', cast(${Date.now()} as bigint)
    from jsonb_array_elements(${json(events)}) with ordinality as item(row, position)
    order by item.position`.execute(tx);
  await sql`select pg_notify(${LIVE_CHANNEL}, '')`.execute(tx);
}

/** Where the events end now: the newest that is committed, and the highest number that was ever given. */
export async function endOfLiveEvents(db: Db): Promise<{ newest: number; given: number }> {
  const { rows } = await sql<{ newest: number; given: number }>`
    select coalesce((select max(seq) from live_events), 0) as newest,
      (select case when is_called then last_value else 0 end from live_events_seq_seq) as given`.execute(db);
  return { newest: Number(rows[0]!.newest), given: Number(rows[0]!.given) };
}

/** The next events of some organizations, of any API keys, behind a number. */
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
  // A document that got another id came under the new one, too.
  const ofDocument =
    documentId === undefined ? sql`` : sql`and (document_id = ${documentId} or name = 'document.migrate')`;
  const next = sql`select * from live_events
    where api_key_id = ${apiKeyId} and organization_id = ${organizationId} and seq > cast(${after} as bigint)
      ${ofDocument}
    order by api_key_id, organization_id, seq limit ${limit}`;
  return readPage(db, after, limit, next, sql`true`);
};

interface Row extends Partial<Omit<LiveEvent, 'seq'>> {
  seq: number | null;
  upTo: number;
  isFull: boolean;
}

/** All in one statement, so that what it says of the end fits what it found. */
async function readPage(
  db: Db,
  after: number,
  limit: number,
  next: RawBuilder<unknown>,
  isWanted: RawBuilder<unknown>,
): Promise<LivePage> {
  const { rows } = await sql<Row>`
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
    events: rows.flatMap(({ upTo: _, isFull: __, ...row }) =>
      row.seq === null
        ? []
        : [
            {
              ...row,
              seq: Number(row.seq),
              at: Number(row.at),
              createdAt: Number(row.createdAt),
              size: Number(row.size),
            } as LiveEvent,
          ],
    ),
    upTo: Number(upTo),
    isFull,
  };
}

export async function pruneLiveEvents(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('liveEvents')
    .where('createdAt', '<', now - LIVE_EVENTS_KEPT_MS - GRACE_MS)
    .execute();
}
