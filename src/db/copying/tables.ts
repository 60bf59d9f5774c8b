import type { ClientBase } from 'pg';
import { MOVED_TABLE } from '../moved.ts';

/** Tables of the migrator, which are equal in both databases already, and the mark of a moved database. */
const NOT_COPIED = [
  'kysely_migration',
  'kysely_migration_lock',
  MOVED_TABLE,
  // Made anew from the judgments where they are needed.
  'judgments_near',
  'judgments_near_sets',
];

/** Tables into which migrations write a row. */
const NEVER_EMPTY = ['public.judgment_deletions_floor'];

interface Column {
  name: string;
  type: string;
  isGenerated: boolean;
}

export interface Table {
  /** Schema and name, quoted if needed. */
  name: string;
  columns: Column[];
}

/** Summary of a table that does not depend on the order of its rows. */
export interface Digest {
  rows: number;
  sum: string;
  widestBytes: number;
}

export interface Sequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

export interface Partition {
  name: string;
  /** The partitioned table. */
  parent: string;
  /** The rows that it holds, as `FOR VALUES …`. */
  bound: string;
}

export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Settings with which both databases print values alike, without a statement timeout. */
export const SESSION = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set jit = off; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`;

/** All tables, including those of the job queue, except those of the migrator. A partitioned table counts once. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: Column[] }>(
    `select format('%I.%I', s.nspname, t.relname) as name,
        json_agg(json_build_object('name', quote_ident(c.attname), 'type', format_type(c.atttypid, c.atttypmod),
          'isGenerated', c.attgenerated <> '') order by c.attname) as columns
      from pg_class t join pg_namespace s on s.oid = t.relnamespace
        join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      where s.nspname in ('public', 'jobs') and t.relkind in ('r', 'p') and not t.relispartition
        and not t.relname = any ($1)
        and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
      group by s.nspname, t.relname order by s.nspname desc, t.relname`,
    [NOT_COPIED],
  );
  return rows;
}

/** Names of tables that another database lacks: all of Redpen's tables are there, so another program made these. */
export const foreignTables = (
  tables: readonly Pick<Table, 'name'>[],
  there: readonly Pick<Table, 'name'>[],
): string[] => {
  const known = new Set(there.map(({ name }) => name));
  return tables.map(({ name }) => name).filter((name) => !known.has(name));
};

/** Names of our tables with rows of a service. The job queue is left out, because it writes rows at its start. */
export async function listFilled(client: ClientBase): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await listTables(client)) {
    if (!name.startsWith('public.') || NEVER_EMPTY.includes(name)) continue;
    const { rows } = await client.query<{ is: boolean }>(`select exists (select from ${name}) as is`);
    if (rows[0]!.is) filled.push(name.slice('public.'.length));
  }
  return filled;
}

/** Columns of the primary key in its order; none if there is no key. */
export async function listPrimaryKey(
  client: ClientBase,
  table: Pick<Table, 'name'>,
): Promise<{ name: string; type: string }[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select quote_ident(c.attname) as name, format_type(c.atttypid, c.atttypmod) as type
      from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, position)
        join pg_attribute c on c.attrelid = i.indrelid and c.attnum = k.attnum
      where i.indrelid = $1::regclass and i.indisprimary order by k.position`,
    [table.name],
  );
  return rows;
}

/**
 * Partitions of the job queue, which has one per day for its counts. Those of our own tables are not copied: each database
 * makes them for itself, and they may begin at other times.
 */
export async function listPartitions(client: ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select format('%I.%I', s.nspname, t.relname) as name, format('%I.%I', ps.nspname, p.relname) as parent,
        pg_get_expr(t.relpartbound, t.oid) as bound
      from pg_class t join pg_namespace s on s.oid = t.relnamespace
        join pg_inherits i on i.inhrelid = t.oid join pg_class p on p.oid = i.inhparent
        join pg_namespace ps on ps.oid = p.relnamespace
      where t.relispartition and t.relkind = 'r' and s.nspname = 'jobs' order by 1`,
  );
  return rows;
}

/** Creates partitions that the target lacks. */
export async function createPartitions(target: ClientBase, partitions: readonly Partition[]): Promise<void> {
  const there = new Set((await listPartitions(target)).map(({ name }) => name));
  for (const { name, parent, bound } of partitions) {
    if (!there.has(name)) await target.query(`create table ${name} partition of ${parent} ${bound}`);
  }
}

const asRow = ({ columns }: Table) => `row(${columns.map((column) => column.name).join(', ')})::text`;

export async function digest(client: ClientBase, table: Table): Promise<Digest> {
  const { rows } = await client.query<{ count: string; sum: string; widest: number }>(
    `select count(*), coalesce(sum(('x' || left(md5(line), 15))::bit(60)::bigint), 0)::text as sum,
        coalesce(max(octet_length(line)), 0) as widest
      from (select ${asRow(table)} as line from ${table.name}) as lines`,
  );
  const { count, sum, widest } = rows[0]!;
  return { rows: Number(count), sum, widestBytes: widest };
}

export const isSame = (a: Digest, b: Digest): boolean => a.rows === b.rows && a.sum === b.sum;

/** Sequences that columns of the tables own. */
export async function listSequences(
  client: ClientBase,
  tables: readonly Pick<Table, 'name'>[],
): Promise<Sequence[]> {
  const { rows: found } = await client.query<{ name: string }>(
    `select format('%I.%I', s.nspname, t.relname) as name
      from pg_class t join pg_namespace s on s.oid = t.relnamespace
        join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = t.oid and d.deptype in ('a', 'i')
        join pg_class owner on d.refclassid = 'pg_class'::regclass and owner.oid = d.refobjid
        join pg_namespace os on os.oid = owner.relnamespace
      where t.relkind = 'S' and format('%I.%I', os.nspname, owner.relname) = any ($1) order by 1`,
    [tables.map(({ name }) => name)],
  );
  const sequences: Sequence[] = [];
  for (const { name } of found) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    );
    sequences.push({ name, lastValue: rows[0]!.last, isCalled: rows[0]!.called });
  }
  return sequences;
}

/** Foreign keys by table. Those that a partition inherits follow those of its parent. */
export async function listForeignKeys(client: ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select format('%I.%I', s.nspname, t.relname) as table, quote_ident(k.conname) as name,
        pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_namespace s on s.oid = t.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and s.nspname in ('public', 'jobs') order by 1, 2`,
  );
  return rows;
}
