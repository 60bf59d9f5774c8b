import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';

/** Storage used by an API key. */
export interface StoredBytes {
  apiKeyId: string;
  /** Database rows, including live documents, without indexes. */
  rowBytes: number;
  fileBytes: number;
  /** Bytes added since the last count began, less those of deleted files; may be negative. */
  addedBytes: number;
  /** Null before the first count. */
  countedAt: number | null;
}

interface CountedBytes {
  rowBytes: number;
  fileBytes: number;
}

interface CountedTable {
  name: string;
  blocks: number;
  /** `workspace_id` if some or all rows belong to no API key. */
  owners: ('api_key_id' | 'workspace_id')[];
  /** Bytes of a row. */
  rowBytes: RawBuilder<number>;
  /** Bytes of the file that the row stands for. */
  fileBytes: RawBuilder<number>;
}

/** Blocks that one statement reads: 64 MB, so that no statement runs long. */
const SLICE_BLOCKS = 8_192;
const PAUSE_MS = 20;
const OWNERS_AT_ONCE = 1_000;
/** Bytes of a row's header and of its line pointer in the page. */
const ROW_OVERHEAD = 28;
/** Tables whose rows stand for files, with the expression of the size. An ingested upload is counted by its content. */
const FILES: Record<string, string> = {
  artifacts: 'size_bytes',
  attachments: 'case when blob_key is null then 0 else byte_size end',
  knowledge_contents: 'byte_size',
  knowledge_uploads: 'case when blob_key is not null and ingested_at is null then byte_size else 0 end',
};
const NOW = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
const OVERLAP_MS = 10_000;

const tableRow = z.object({
  name: z.string(),
  blocks: z.number(),
  fixed: z.number(),
  variable: z.array(z.string()),
  hasKey: z.boolean(),
  hasWorkspace: z.boolean(),
});

/**
 * All tables with an API key or a workspace. `pg_column_size` counts compressed and TOASTed values as stored, without
 * reading them.
 */
async function listTables(db: Db): Promise<CountedTable[]> {
  const rows = await rowsOf(
    db,
    tableRow,
    sql`
    select relname as name, pg_relation_size(pg_class.oid) / current_setting('block_size')::bigint as blocks,
      coalesce(sum(attlen) filter (where attlen > 0), 0)::int as fixed,
      coalesce(array_agg(attname::text) filter (where attlen < 0), '{}') as variable,
      bool_or(attname = 'api_key_id') as has_key,
      bool_or(attname = 'workspace_id') and not bool_or(attname = 'api_key_id' and attnotnull) as has_workspace
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname not in ('stored_bytes', 'workspace_bytes')
    group by pg_class.oid, relname having bool_or(attname in ('api_key_id', 'workspace_id')) order by relname`,
  );
  return rows.map(({ name, blocks, fixed, variable, hasKey, hasWorkspace }) => ({
    name,
    blocks,
    owners: [...(hasKey ? ['api_key_id' as const] : []), ...(hasWorkspace ? ['workspace_id' as const] : [])],
    rowBytes: sql<number>`${sql.join(
      [
        sql.raw(String(ROW_OVERHEAD + fixed)),
        ...variable.map((column) => sql`coalesce(pg_column_size(${sql.id(column)}), 0)`),
      ],
      sql.raw(' + '),
    )}`,
    fileBytes: sql.raw<number>(FILES[name] ?? '0'),
  }));
}

/**
 * Counts the storage of all API keys and workspaces, a slice of a table at a time, and stores the result. Rows that move
 * meanwhile may count twice or not at all. An aborted signal stops it without a result.
 */
export async function countAllStored(db: Db, signal: AbortSignal, sliceBlocks = SLICE_BLOCKS): Promise<void> {
  const begunAt = Date.now();
  const added = await addedBytes(db);
  const ofKeys = new Map<string, CountedBytes>();
  const ofWorkspaces = new Map<string, CountedBytes>();
  for (const { name, blocks, owners, rowBytes, fileBytes } of await listTables(db)) {
    const by = sql.join(owners.map((owner) => sql.id(owner)));
    for (let from = 0; from <= blocks; from += sliceBlocks) {
      signal.throwIfAborted();
      // The last slice is open-ended, for rows that were added meanwhile.
      const until =
        from + sliceBlocks > blocks ? sql`` : sql` and ctid < ${`(${from + sliceBlocks},0)`}::tid`;
      const { rows } = await sql<CountedBytes & { apiKeyId?: string | null; workspaceId?: string | null }>`
        select ${by}, sum(${rowBytes})::bigint as row_bytes, sum(${fileBytes})::bigint as file_bytes
        from ${sql.table(name)} where ctid >= ${`(${from},0)`}::tid${until} group by ${by}`.execute(db);
      for (const { apiKeyId, workspaceId, ...bytes } of rows) {
        if (apiKeyId) increase(ofKeys, apiKeyId, bytes);
        else if (workspaceId) increase(ofWorkspaces, workspaceId, bytes);
      }
      await pause(PAUSE_MS);
    }
  }
  await storeCounts(db, ofKeys, added, begunAt);
  await storeWorkspaceCounts(db, ofWorkspaces, begunAt);
  // Removes API keys and workspaces without any rows.
  await db.deleteFrom('storedBytes').where('countedAt', '<', begunAt).execute();
  await db.deleteFrom('workspaceBytes').where('countedAt', '<', begunAt).execute();
}

const increase = (totals: Map<string, CountedBytes>, owner: string, bytes: CountedBytes) => {
  const { rowBytes, fileBytes } = totals.get(owner) ?? { rowBytes: 0, fileBytes: 0 };
  totals.set(owner, { rowBytes: rowBytes + bytes.rowBytes, fileBytes: fileBytes + bytes.fileBytes });
};

/** Counts the storage of one API key, by the indexes that begin with it. */
export async function countStored(db: Db, apiKeyId: string): Promise<void> {
  const begunAt = Date.now();
  const added = await addedBytes(db, apiKeyId);
  const tables = (await listTables(db)).filter(({ owners }) => owners.includes('api_key_id'));
  const total = await sumOf(db, tables, ({ owners }) =>
    owners.includes('workspace_id')
      ? // The indexes of such a table begin with the workspace.
        sql`api_key_id = ${apiKeyId}
          and workspace_id = (select workspace_id from api_keys where api_key_id = ${apiKeyId})`
      : sql`api_key_id = ${apiKeyId}`,
  );
  await storeCounts(db, new Map([[apiKeyId, total]]), added, begunAt);
}

/** Counts the stored bytes of a workspace that belong to none of its API keys, by the indexes that begin with the workspace. */
export async function countWorkspaceStored(db: Db, workspaceId: string): Promise<void> {
  const begunAt = Date.now();
  const tables = (await listTables(db)).filter(({ owners }) => owners.includes('workspace_id'));
  const total = await sumOf(db, tables, ({ owners }) =>
    owners.includes('api_key_id')
      ? sql`workspace_id = ${workspaceId} and api_key_id is null`
      : sql`workspace_id = ${workspaceId}`,
  );
  await storeWorkspaceCounts(db, new Map([[workspaceId, total]]), begunAt);
}

async function sumOf(
  db: Db,
  tables: readonly CountedTable[],
  isCounted: (table: CountedTable) => RawBuilder<unknown>,
): Promise<CountedBytes> {
  const total = { rowBytes: 0, fileBytes: 0 };
  for (const table of tables) {
    const { rows } = await sql<CountedBytes>`
      select coalesce(sum(${table.rowBytes}), 0)::bigint as row_bytes,
        coalesce(sum(${table.fileBytes}), 0)::bigint as file_bytes
      from ${sql.table(table.name)} where ${isCounted(table)}`.execute(db);
    total.rowBytes += rows[0]!.rowBytes;
    total.fileBytes += rows[0]!.fileBytes;
  }
  return total;
}

async function addedBytes(db: Db, apiKeyId?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('storedBytes')
    .select(['apiKeyId', 'addedBytes'])
    .where('addedBytes', '>', 0)
    .$if(apiKeyId !== undefined, (query) => query.where('apiKeyId', '=', apiKeyId!))
    .execute();
  return new Map(rows.map((row) => [row.apiKeyId, row.addedBytes]));
}

/** Stores counts and subtracts what was added before the count began, since the count includes it. */
async function storeCounts(
  db: Db,
  totals: ReadonlyMap<string, CountedBytes>,
  added: Map<string, number>,
  countedAt: number,
): Promise<void> {
  for (const part of inParts(totals)) {
    const items = part.map(([apiKeyId, total]) => ({
      ...{ apiKeyId, ...total },
      addedBefore: added.get(apiKeyId) ?? 0,
    }));
    await sql`
      with counted as (select * from jsonb_to_recordset(${json(items)}) as item(
        "apiKeyId" text, "rowBytes" bigint, "fileBytes" bigint, "addedBefore" bigint)),
      locked as (select stored_bytes.api_key_id, added_bytes from stored_bytes join counted
        on stored_bytes.api_key_id = counted."apiKeyId" order by 1 for update of stored_bytes)
      insert into stored_bytes (api_key_id, row_bytes, file_bytes, added_bytes, counted_at, updated_at)
      select "apiKeyId", "rowBytes", "fileBytes", greatest(0, coalesce(added_bytes, 0) - "addedBefore"),
        cast(${countedAt} as bigint), ${NOW}
      from counted left join locked on locked.api_key_id = counted."apiKeyId" order by 1
      on conflict (api_key_id) do update set row_bytes = excluded.row_bytes, file_bytes = excluded.file_bytes,
        added_bytes = excluded.added_bytes, counted_at = excluded.counted_at, updated_at = excluded.updated_at`.execute(
      db,
    );
  }
}

/** Stores counts of workspaces. Other owners, such as the chain of the service in the audit log, are left out. */
async function storeWorkspaceCounts(
  db: Db,
  totals: ReadonlyMap<string, CountedBytes>,
  countedAt: number,
): Promise<void> {
  for (const part of inParts(totals)) {
    const items = part.map(([workspaceId, { rowBytes, fileBytes }]) => ({
      workspaceId,
      bytes: rowBytes + fileBytes,
    }));
    await sql`
      insert into workspace_bytes (workspace_id, stored_bytes, counted_at)
      select workspace_id, bytes, cast(${countedAt} as bigint)
      from jsonb_to_recordset(${json(items)}) as item("workspaceId" text, bytes bigint)
      join workspaces on workspace_id = item."workspaceId" order by 1
      on conflict (workspace_id) do update set stored_bytes = excluded.stored_bytes,
        counted_at = excluded.counted_at`.execute(db);
  }
}

function* inParts(totals: ReadonlyMap<string, CountedBytes>): Generator<[string, CountedBytes][]> {
  const all = [...totals];
  for (let at = 0; at < all.length; at += OWNERS_AT_ONCE) yield all.slice(at, at + OWNERS_AT_ONCE);
}

/** Adds to what API keys have stored since their last count. */
export async function addStored(db: Db, added: ReadonlyMap<string, number>): Promise<void> {
  const items = [...added].map(([apiKeyId, bytes]) => ({ apiKeyId, bytes: Math.round(bytes) }));
  await sql`
    insert into stored_bytes (api_key_id, added_bytes, updated_at)
    select "apiKeyId", bytes, ${NOW}
    from jsonb_to_recordset(${json(items)}) as item("apiKeyId" text, bytes bigint) order by 1
    on conflict (api_key_id) do update set added_bytes = stored_bytes.added_bytes + excluded.added_bytes,
      updated_at = excluded.updated_at`.execute(db);
}

/** Subtracts deleted bytes, so that they count no more before the next count. It begins with what is there then. */
export async function subtractStored(tx: Tx, removed: ReadonlyMap<string, number>): Promise<void> {
  const items = [...removed].map(([apiKeyId, bytes]) => ({ apiKeyId, bytes }));
  if (items.length === 0) return;
  await sql`
    with item as (select * from jsonb_to_recordset(${json(items)}) as item("apiKeyId" text, bytes bigint)),
    locked as (select stored_bytes.api_key_id, item.bytes from stored_bytes
      join item on item."apiKeyId" = stored_bytes.api_key_id order by 1 for update of stored_bytes)
    update stored_bytes set added_bytes = added_bytes - locked.bytes, updated_at = ${NOW}
    from locked where stored_bytes.api_key_id = locked.api_key_id`.execute(tx);
}

/** Rows that changed since the `upTo` of an earlier call, or all rows. */
export async function storedSince(
  db: Db,
  since: number | undefined,
): Promise<{ rows: StoredBytes[]; upTo: number | undefined }> {
  const rows = await db
    .selectFrom('storedBytes')
    .selectAll()
    // Overlaps, because transactions may commit in another order than that of their timestamps.
    .$if(since !== undefined, (query) => query.where('updatedAt', '>=', since! - OVERLAP_MS))
    .execute();
  const upTo = rows.reduce<number | undefined>(
    (latest, { updatedAt }) => (latest === undefined || updatedAt > latest ? updatedAt : latest),
    since,
  );
  return { rows, upTo };
}

/** The API keys with the most storage, largest first. */
export const listLargest = (db: Db, limit: number): Promise<(StoredBytes & { bytes: number })[]> =>
  db
    .selectFrom('storedBytes')
    .selectAll()
    .select(sql<number>`row_bytes + file_bytes + added_bytes`.as('bytes'))
    .orderBy(sql`row_bytes + file_bytes + added_bytes`, 'desc')
    .limit(limit)
    .execute();

export const listStored = (db: Db, apiKeyIds: readonly string[]): Promise<StoredBytes[]> =>
  apiKeyIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('storedBytes').selectAll().where('apiKeyId', 'in', apiKeyIds).execute();

/** Stored bytes of a workspace that belong to none of its API keys; undefined before the first count. */
export const workspaceStored = (
  db: Db,
  workspaceId: string,
): Promise<{ storedBytes: number; countedAt: number } | undefined> =>
  db
    .selectFrom('workspaceBytes')
    .select(['storedBytes', 'countedAt'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst();

/** API keys and workspaces that were created since then and never counted, oldest first. */
export async function listUncounted(
  db: Db,
  since: number,
  limit: number,
): Promise<{ apiKeyIds: string[]; workspaceIds: string[] }> {
  const keys = await db
    .selectFrom('apiKeys')
    .leftJoin('storedBytes', 'storedBytes.apiKeyId', 'apiKeys.apiKeyId')
    .select('apiKeys.apiKeyId')
    .where('apiKeys.createdAt', '>=', since)
    .where('storedBytes.countedAt', 'is', null)
    .orderBy('apiKeys.createdAt')
    .limit(limit)
    .execute();
  const workspaces = await db
    .selectFrom('workspaces')
    .leftJoin('workspaceBytes', 'workspaceBytes.workspaceId', 'workspaces.workspaceId')
    .select('workspaces.workspaceId')
    .where('workspaces.createdAt', '>=', since)
    .where('workspaceBytes.workspaceId', 'is', null)
    .orderBy('workspaces.createdAt')
    .limit(limit)
    .execute();
  return {
    apiKeyIds: keys.map(({ apiKeyId }) => apiKeyId),
    workspaceIds: workspaces.map(({ workspaceId }) => workspaceId),
  };
}

/** When the last count of all began: it counts every workspace, and later counts of single ones change only theirs. */
export async function lastCountAt(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('workspaceBytes')
    .select((eb) => eb.fn.min('countedAt').as('at'))
    .executeTakeFirst();
  return row?.at ?? undefined;
}
