import { sql } from 'kysely';
import { z } from 'zod';
import { rowOf, rowsOf } from '../sql-fragments.ts';
import type { Db } from '../tables.ts';
import { KEY_COLUMN, type Placement, placementOf } from './placement.ts';

/** Something in the schema that Citus would not accept. */
export interface Refusal {
  table: string;
  /** Such as `foreign key annotations_to_documents`. */
  what: string;
  /** A sentence. */
  why: string;
}

export interface Step {
  table: string;
  placement: Exclude<Placement, 'local'>;
  /** The statement that distributes or copies the table. */
  statement: string;
}

export interface DistributionPlan {
  /** Statements for the connection, before all others. */
  settings: string[];
  /** Tables that do not lie where they should, each after those that it refers to. */
  steps: Step[];
  /** Statements, for all tables, that remove rows on the coordinator that Citus has copied; a second time, they find none. */
  cleaning: string[];
  /** Tables that already lie where they should. */
  done: string[];
  local: string[];
  refusals: Refusal[];
}

const FIRST_VERSION = 11;

/**
 * Otherwise a new reference table makes Citus adopt all tables around it that have foreign keys, as local tables, and such a
 * table cannot be distributed while another refers to it.
 */
const SETTINGS = ['set citus.enable_local_reference_table_foreign_keys to off'];

const installedRow = z.object({ isThere: z.boolean() });
const versionRow = z.object({ version: z.string() });

/** Version of Citus in this database, such as `13.0.1`; undefined without the extension. */
export async function citusVersion(db: Db): Promise<string | undefined> {
  const { isThere } = await rowOf(
    db,
    installedRow,
    sql`select to_regprocedure('citus_version()') is not null as is_there`,
  );
  if (!isThere) return undefined;
  const { version } = await rowOf(db, versionRow, sql`select citus_version() as version`);
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}

const tableRow = z.object({ name: z.string(), columns: z.array(z.string()) });
const indexRow = z.object({ table: z.string(), name: z.string(), columns: z.array(z.string()) });
const keyRow = z.object({
  ...{ table: z.string(), name: z.string(), target: z.string() },
  ...{ columns: z.array(z.string()), targetColumns: z.array(z.string()) },
  /** Actions as `pg_constraint` has them: a, r, c, n or d. */
  ...{ onUpdate: z.string(), onDelete: z.string() },
});
type ForeignKey = z.infer<typeof keyRow>;
const replicasRow = z.object({ replicas: z.string().nullable() });
const triggerRow = z.object({ table: z.string(), name: z.string() });
const placedRow = z.object({ name: z.string(), type: z.string() });

const namesOf = (relation: string, numbers: string) =>
  sql.raw(`to_jsonb(array(select attname::text from unnest(${numbers}) with ordinality as k(attnum, place)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.attnum order by place))`);

const OURS = sql.raw(`t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
  and not t.relispartition and t.relname not like 'kysely\\_%'
  and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')`);

/** Reads the schema, and plans how its tables are placed on a cluster. The version is that of Citus. */
export async function planDistribution(db: Db, version: string): Promise<DistributionPlan> {
  const tables = await rowsOf(
    db,
    tableRow,
    sql`select t.relname as name, to_jsonb(array(select attname::text from pg_attribute
        where attrelid = t.oid and attnum > 0 and not attisdropped)) as columns
      from pg_class t where ${OURS} order by 1`,
  );
  const placements = new Map(tables.map(({ name, columns }) => [name, placementOf(name, columns)]));
  const foreignKeys = await rowsOf(
    db,
    keyRow,
    sql`select t.relname as "table", c.conname as name, target.relname as target,
        ${namesOf('c.conrelid', 'c.conkey')} as columns, ${namesOf('c.confrelid', 'c.confkey')} as target_columns,
        c.confupdtype::text as on_update, c.confdeltype::text as on_delete
      from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class target on target.oid = c.confrelid
      where c.contype = 'f' and c.conparentid = 0 and ${OURS} order by 1, 2`,
  );
  const placed = new Map(
    (
      await rowsOf(
        db,
        placedRow,
        sql`select t.relname as name, c.citus_table_type as type from citus_tables c
          join pg_class t on t.oid = c.table_name where ${OURS}`,
      )
    ).map(({ name, type }) => [name, type]),
  );
  const ordered = inOrder([...placements.keys()], foreignKeys);
  const wanted = ordered.filter((table) => placements.get(table) !== 'local');
  const left = wanted.filter((table) => placed.get(table) !== placements.get(table));
  const steps = ['reference' as const, 'distributed' as const].flatMap((placement) =>
    left
      .filter((table) => placements.get(table) === placement)
      .map((table) => ({ table, placement, statement: statementOf(table, placement, wanted, placements) })),
  );
  return {
    settings: SETTINGS,
    steps,
    cleaning: wanted.map((table) => `select truncate_local_data_after_distributing_table('${table}')`),
    done: wanted.filter((table) => !left.includes(table)),
    local: ordered.filter((table) => placements.get(table) === 'local').sort(),
    refusals: [
      ...refusalOfVersion(version),
      ...(await refusalOfReplicas(db)),
      ...left.filter((table) => placed.has(table)).map((table) => misplaced(table, placed.get(table)!)),
      ...foreignKeys.flatMap((key) => refusalsOfKey(key, placements)),
      ...(await refusedIndexes(db, placements)),
      ...(await refusedTriggers(db, placements)),
    ],
  };
}

function statementOf(
  table: string,
  placement: Step['placement'],
  wanted: readonly string[],
  placements: ReadonlyMap<string, Placement>,
): string {
  if (placement === 'reference') return `select create_reference_table('${table}')`;
  const first = wanted.find((each) => placements.get(each) === 'distributed')!;
  const group = table === first ? 'none' : first;
  return `select create_distributed_table('${table}', '${KEY_COLUMN}', colocate_with => '${group}')`;
}

/** Tables after those that they refer to, otherwise by name. */
function inOrder(tables: readonly string[], keys: readonly ForeignKey[]): string[] {
  const ordered = new Set<string>();
  const add = (table: string, above: readonly string[]) => {
    for (const { target } of keys.filter((key) => key.table === table)) {
      if (target !== table && !above.includes(target)) add(target, [...above, table]);
    }
    ordered.add(table);
  };
  for (const table of tables) add(table, []);
  return [...ordered];
}

const refusalOfVersion = (version: string): Refusal[] =>
  Number.parseInt(version, 10) >= FIRST_VERSION
    ? []
    : [
        {
          table: '',
          what: `Citus ${version}`,
          why: `Version ${FIRST_VERSION} or later is needed.`,
        },
      ];

async function refusalOfReplicas(db: Db): Promise<Refusal[]> {
  const { replicas } = await rowOf(
    db,
    replicasRow,
    sql`select current_setting('citus.shard_replication_factor', true) as replicas`,
  );
  if (replicas === null || replicas === '1') return [];
  const why = 'It must be 1, since foreign keys hold only in tables without replicas.';
  return [{ table: '', what: `citus.shard_replication_factor = ${replicas}`, why }];
}

const misplaced = (table: string, type: string): Refusal => ({
  table,
  what: `it is a ${type} table`,
  why: `Undo that first with: select undistribute_table('${table}')`,
});

const CHANGES = new Set(['c', 'n', 'd']);

function refusalsOfKey(key: ForeignKey, placements: ReadonlyMap<string, Placement>): Refusal[] {
  const [from, to] = [placements.get(key.table)!, placements.get(key.target) ?? 'local'];
  const refuse = (why: string): Refusal[] => [{ table: key.table, what: `foreign key ${key.name}`, why }];
  if (from === 'local' && to === 'local') return [];
  if (from === 'reference' && to === 'reference') return [];
  if (from !== 'distributed' || to === 'local') {
    return refuse(`A ${from} table cannot refer to the ${to} table ${key.target}.`);
  }
  const [own, other] = [key.columns.indexOf(KEY_COLUMN), key.targetColumns.indexOf(KEY_COLUMN)];
  if (to === 'distributed' && (own < 0 || own !== other)) {
    return refuse(`It must contain ${KEY_COLUMN} at one place on both sides.`);
  }
  const setsColumns = key.onDelete === 'n' || key.onDelete === 'd';
  if (own < 0 || !(setsColumns || CHANGES.has(key.onUpdate))) return [];
  const actions = [
    ...(CHANGES.has(key.onUpdate) ? ['have no action on update'] : []),
    ...(setsColumns ? ['set no columns on delete'] : []),
  ];
  return refuse(`It contains ${KEY_COLUMN}, so it must ${actions.join(', and ')}.`);
}

async function refusedIndexes(db: Db, placements: ReadonlyMap<string, Placement>): Promise<Refusal[]> {
  const indexes = await rowsOf(
    db,
    indexRow,
    sql`select t.relname as "table", i.relname as name, ${namesOf('x.indrelid', 'x.indkey::smallint[]')} as columns
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where (x.indisunique or x.indisexclusion) and ${OURS} order by 1, 2`,
  );
  return indexes
    .filter(({ table, columns }) => placements.get(table) === 'distributed' && !columns.includes(KEY_COLUMN))
    .map(({ table, name }) => ({
      table,
      what: `unique index ${name}`,
      why: `It must contain ${KEY_COLUMN}, since each server checks only its own rows.`,
    }));
}

async function refusedTriggers(db: Db, placements: ReadonlyMap<string, Placement>): Promise<Refusal[]> {
  const triggers = await rowsOf(
    db,
    triggerRow,
    sql`select t.relname as "table", g.tgname as name from pg_trigger g join pg_class t on t.oid = g.tgrelid
      where not g.tgisinternal and ${OURS} order by 1, 2`,
  );
  return triggers
    .filter(({ table }) => placements.get(table) !== 'local')
    .map(({ table, name }) => ({
      table,
      what: `trigger ${name}`,
      why: 'Only tables on the coordinator can have triggers.',
    }));
}
