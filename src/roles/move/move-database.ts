import pg from 'pg';
import { finishLoading, prepareLoading } from '../../db/copying/load.ts';
import { readRows, writeRows } from '../../db/copying/rows.ts';
import {
  createPartitions,
  digest,
  type ForeignKey,
  foreignTables,
  isSame,
  listFilled,
  listPartitions,
  listPrimaryKey,
  listSequences,
  listTables,
  SESSION,
  type Table,
} from '../../db/copying/tables.ts';
import { isMoveOpen, MOVE_SCHEMA, MOVED_TABLE, markMoved, readMoved, refuseMoved } from '../../db/moved.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { plural } from '../../lib/text/plural.ts';

const BATCH_ROWS = 10_000;
const PART_BYTES = 4 * 1024 * 1024;

export interface MoveOptions {
  /** A database of this version's schema, to which no service is connected. */
  source: pg.ClientConfig;
  /** A database with the same tables. */
  target: pg.ClientConfig;
  /** Name of the target for people, without credentials. */
  targetName: string;
  /** Called with a line for people, without a line break. */
  onProgress: (line: string) => void;
  /** Called before the first row is copied, and not when a move is taken up; may still write to the source. */
  onBegin?: () => Promise<void>;
  /** Rows that are copied in one transaction: a move that is broken off repeats at most that many. Default 10,000. */
  batchRows?: number;
}

export interface MovedTable {
  name: string;
  rows: number;
}

interface Move extends MoveOptions {
  from: pg.Client;
  to: pg.Client;
  tables: Table[];
}

/**
 * Moves all rows to another database. The source is locked against writes and stays as it is, apart from a mark that keeps
 * services from using it later. Rows are copied in the order of the primary key, a batch and its progress in one transaction,
 * so that a move that is broken off is taken up by the next one. At the end each row of both databases is part of a digest
 * that must be the same; a table that differs, because the source has changed since it was copied, is copied again. Throws
 * FAILED_PRECONDITION if the operator must act first.
 */
export async function moveDatabase(options: MoveOptions): Promise<MovedTable[]> {
  return await connected(
    [options.source, options.target, options.source],
    ['The database', options.targetName, 'The database'],
    async ([from, to, marker]) => {
      await requireNoService(from, 'The database');
      await requireNoService(to, options.targetName);
      const move: Move = { ...options, from, to, tables: await tablesToMove(from, to, options) };
      if (!(await isMoveOpen(to)) && (await readMoved(from)) === undefined) await options.onBegin?.();
      await from.query('begin isolation level repeatable read');
      // Before the first read, which takes the snapshot.
      await from.query(`lock table ${move.tables.map(({ name }) => name).join(', ')} in share mode`);
      if (!(await isMoveOpen(to)) && (await readMoved(from)) !== undefined) return await confirmMoved(move);
      const foreignKeys = await openTarget(move);
      for (const table of move.tables) await copyTable(move, table);
      const moved: MovedTable[] = [];
      for (const table of move.tables) moved.push(await verifyTable(move, table));
      // First the mark: if this process ends between the two, no service uses either database until the move is taken up.
      await markMoved(marker, { target: options.targetName, at: Date.now() });
      await closeTarget(move, foreignKeys);
      await to.query('analyze');
      return moved;
    },
  );
}

/** Tables of both databases. Those of another program in the source are named, and stay there. */
async function tablesToMove(
  from: pg.Client,
  to: pg.Client,
  { onProgress }: Pick<MoveOptions, 'onProgress'>,
): Promise<Table[]> {
  const tables = await listTables(from);
  const foreign = foreignTables(tables, await listTables(to));
  for (const name of foreign) onProgress(`${name} is not a table of Redpen, and is left out.`);
  return tables.filter(({ name }) => !foreign.includes(name));
}

/**
 * Compares a source that is marked as moved with the target: an earlier move may have been broken off after its last
 * commit. Throws if they differ, since services have gone on elsewhere.
 */
async function confirmMoved({ from, to, tables, targetName }: Move): Promise<MovedTable[]> {
  const moved: MovedTable[] = [];
  if ((await readMoved(from))?.target !== targetName) await refuseMoved(from);
  for (const table of tables) {
    const [before, after] = [await digest(from, table), await digest(to, table)];
    if (!isSame(before, after)) await refuseMoved(from);
    moved.push({ name: table.name, rows: after.rows });
  }
  await to.query('analyze');
  return moved;
}

async function connected<T, const C extends readonly pg.ClientConfig[]>(
  configs: C,
  names: readonly string[],
  work: (clients: { [Index in keyof C]: pg.Client }) => Promise<T>,
): Promise<T> {
  const clients = configs.map((config) => new pg.Client({ ...config, application_name: 'redpen move' }));
  try {
    for (const [index, client] of clients.entries()) {
      client.on('error', () => {});
      await client.connect().catch((error: NodeJS.ErrnoException) => {
        throw failedPrecondition(`${names[index]} cannot be used: ${error.message || error.code}.`);
      });
      await client.query(SESSION);
    }
    return await work(clients as { [Index in keyof C]: pg.Client });
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function requireNoService(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct coalesce(client_addr::text, '') || client_port)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'redpen'`,
  );
  if (rows[0]!.count === 0) return;
  throw failedPrecondition(
    `${name} has ${plural(rows[0]!.count, 'connection')} of a service: stop all of its processes, then try again.`,
  );
}

/** Prepares the target for rows, or takes up an earlier move. Returns the foreign keys to be created at the end. */
async function openTarget({ from, to, tables, onProgress }: Move): Promise<ForeignKey[]> {
  const identity = await identityOf(from);
  if (await isMoveOpen(to)) {
    const { rows } = await to.query<{ source: string; foreign_keys: ForeignKey[] }>(
      `select source, foreign_keys from ${MOVE_SCHEMA}.about`,
    );
    if (rows[0]!.source !== identity) {
      throw failedPrecondition(
        'A move of another database to this one is not complete: take an empty database.',
      );
    }
    onProgress('Taking up the move that was broken off.');
    await createPartitions(to, await listPartitions(from));
    return rows[0]!.foreign_keys;
  }
  const there = await listTables(to);
  if (JSON.stringify(there) !== JSON.stringify(tables)) {
    throw failedPrecondition(
      'The schemas of the two databases differ: start this version of the service once on the one to be moved.',
    );
  }
  const moved = await readMoved(to);
  if (moved === undefined) await requireEmpty(to);
  else onProgress(`What was moved from there to ${moved.target} earlier is replaced.`);
  await to.query('begin');
  await to.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access exclusive mode`);
  // A service that started meanwhile has written before the lock or waits for it.
  if (moved === undefined) await requireEmpty(to);
  await createPartitions(to, await listPartitions(from));
  const foreignKeys = await prepareLoading(to, tables);
  await to.query(`create schema ${MOVE_SCHEMA}`);
  await to.query(`create table ${MOVE_SCHEMA}.about (source text not null, foreign_keys jsonb not null)`);
  await to.query(
    `create table ${MOVE_SCHEMA}.progress (name text primary key, last_key jsonb, is_copied boolean not null)`,
  );
  await to.query(`insert into ${MOVE_SCHEMA}.about values ($1, $2)`, [identity, JSON.stringify(foreignKeys)]);
  await to.query('commit');
  return foreignKeys;
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const filled = await listFilled(client);
  if (filled.length === 0) return;
  throw failedPrecondition(
    `The database there is not empty: it has rows in ${filled.slice(0, 5).join(', ')}. Take an empty one.`,
  );
}

/** Tells databases apart: when their migrations ran. */
async function identityOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select md5(string_agg(name || timestamp, ',' order by name)) as id from kysely_migration`,
  );
  return rows[0]!.id;
}

/** Values of the columns of a primary key, as text. */
type Key = string[];

async function copyTable(move: Move, table: Table): Promise<void> {
  const { from, to, onProgress, batchRows = BATCH_ROWS } = move;
  const { rows } = await to.query<{ last_key: Key | null; is_copied: boolean }>(
    `select last_key, is_copied from ${MOVE_SCHEMA}.progress where name = $1`,
    [table.name],
  );
  const begun = rows[0];
  if (begun?.is_copied) return;
  const key = await listPrimaryKey(from, table);
  let last = begun?.last_key ?? undefined;
  let copied = 0;
  for (;;) {
    const next =
      key.length === 0 ? undefined : await endOfBatch(from, table, key, { after: last, batchRows });
    const where = [
      ...(last ? [`${rowOf(key)} > ${rowOf(key, last)}`] : []),
      ...(next ? [`${rowOf(key)} <= ${rowOf(key, next)}`] : []),
    ].join(' and ');
    await to.query('begin');
    await writeRows(to, table, readRows(from, table, { where: where || 'true', partBytes: PART_BYTES }));
    await to.query(
      `insert into ${MOVE_SCHEMA}.progress values ($1, $2, $3)
        on conflict (name) do update set last_key = excluded.last_key, is_copied = excluded.is_copied`,
      [table.name, next ? JSON.stringify(next) : null, next === undefined],
    );
    await to.query('commit');
    if (next === undefined) break;
    last = next;
    copied += batchRows;
    if (copied % (10 * batchRows) === 0) onProgress(`${table.name}: ${copied} rows so far`);
  }
}

/** The last key of the batch after a key; undefined if the batch goes to the end of the table. */
async function endOfBatch(
  client: pg.Client,
  table: Table,
  key: readonly KeyColumn[],
  { after, batchRows }: { after: Key | undefined; batchRows: number },
): Promise<Key | undefined> {
  const { rows } = await client.query<{ key: Key }>(
    `select array[${key.map(({ name }) => `${name}::text`).join(', ')}] as key from ${table.name}
      ${after ? `where ${rowOf(key)} > ${rowOf(key, after)}` : ''}
      order by ${key.map(({ name }) => name).join(', ')} limit 1 offset ${batchRows - 1}`,
  );
  return rows[0]?.key;
}

type KeyColumn = Awaited<ReturnType<typeof listPrimaryKey>>[number];

/** A row of the key's columns, or of their values. COPY takes no parameters. */
const rowOf = (key: readonly KeyColumn[], values?: Key): string =>
  `(${key.map(({ name, type }, at) => (values ? `${pg.escapeLiteral(values[at]!)}::${type}` : name)).join(', ')})`;

/** Compares a table by the digest over all of its rows, and copies it again once if it differs. */
async function verifyTable(move: Move, table: Table): Promise<MovedTable> {
  const { from, to, onProgress } = move;
  const wanted = await digest(from, table);
  let found = await digest(to, table);
  if (!isSame(wanted, found)) {
    onProgress(`${table.name} has changed since it was copied, and is copied again.`);
    await to.query('begin');
    await to.query(`truncate ${table.name}`);
    await to.query(`delete from ${MOVE_SCHEMA}.progress where name = $1`, [table.name]);
    await to.query('commit');
    await copyTable(move, table);
    found = await digest(to, table);
  }
  if (!isSame(wanted, found)) {
    throw new Error(`${table.name} differs: it has ${plural(wanted.rows, 'row')}, and ${found.rows} there.`);
  }
  if (found.rows > 0) onProgress(`${table.name}: ${plural(found.rows, 'row')}, the same in both`);
  return { name: table.name, rows: found.rows };
}

async function closeTarget({ from, to, tables }: Move, foreignKeys: ForeignKey[]): Promise<void> {
  await to.query('begin');
  await finishLoading(to, { tables, foreignKeys, sequences: await listSequences(from, tables) });
  await to.query(`drop schema ${MOVE_SCHEMA} cascade`);
  await to.query(`drop table if exists public.${MOVED_TABLE}`);
  await to.query('commit');
}
