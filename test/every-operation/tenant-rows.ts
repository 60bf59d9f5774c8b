import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { randomId } from '../../src/lib/ids.ts';
import { atWorkerEnd } from '../run/at-end.ts';
import { testApp } from '../service/harness.ts';

interface Table {
  name: string;
  /** The column that identifies the owner of a row. */
  owner: 'api_key_id' | 'workspace_id' | 'account_id';
  /** Writable columns, that is, all but generated ones. */
  columns: string[];
  /** Columns that are compared. */
  compared: string[];
  /** The primary key. */
  key: string[];
  parents: string[];
}

export interface Tenant {
  workspaceId: string;
  apiKeyId: string;
  /** The account of the owner in the console. */
  accountId?: string;
}

/** A hash for each table of each tenant, by the key `table tenant`. */
export type Fingerprint = ReadonlyMap<string, string>;

let tablesPromise: Promise<Table[]> | undefined;

/**
 * `judgment_deletions` records deletions, so restoring rows adds to it; a timer writes `stored_bytes` and `workspace_bytes`;
 * nothing can be restored in the audit log, which takes no deletion.
 */
const NOT_COMPARED = ['judgment_deletions', 'stored_bytes', 'workspace_bytes', 'audit_log', 'audit_heads'];
/** Columns that note the use of a credential. */
const USES = ['last_used_at', 'last_seen_at'];
/** Type of columns that hold the transaction that last wrote the row. */
const TRANSACTION = 'xid8';

/** All tables with rows of tenants, parents before children. */
export const tenantTables = (): Promise<Table[]> => (tablesPromise ??= discover());

async function discover(): Promise<Table[]> {
  const { deps } = await testApp();
  const { rows: columns } = await sql<{ table: string; column: string; generated: string; type: string }>`
    select table_name as "table", column_name as "column", is_generated as "generated", udt_name as "type"
    from information_schema.columns where table_schema = current_schema()
      and table_name not in (select relname from pg_class where relispartition) order by table_name, ordinal_position
  `.execute(deps.db);
  const { rows: keys } = await sql<{ table: string; column: string }>`
    select conrelid::regclass::text as "table", attname as "column" from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any (conkey) where contype = 'p'
  `.execute(deps.db);
  const { rows: links } = await sql<{ child: string; parent: string }>`
    select conrelid::regclass::text as "child", confrelid::regclass::text as "parent"
    from pg_constraint where contype = 'f' and conrelid <> confrelid
  `.execute(deps.db);
  const tables = [...Map.groupBy(columns, ({ table }) => table)].flatMap(([name, of]) => {
    // API keys belong to the workspace. Every other row with an API key belongs to the key, whatever else it refers to.
    const ids =
      name === 'api_keys'
        ? (['workspace_id'] as const)
        : (['api_key_id', 'workspace_id', 'account_id'] as const);
    const owner = ids.find((id) => of.some(({ column }) => column === id));
    const writable = of.filter(({ generated }) => generated === 'NEVER').map(({ column }) => column);
    const compared = of
      .filter(({ type, column }) => type !== TRANSACTION && !USES.includes(column))
      .map(({ column }) => column);
    const key = keys.filter(({ table }) => table === name).map(({ column }) => column);
    const parents = links.filter(({ child }) => child === name).map(({ parent }) => parent);
    return owner && !NOT_COMPARED.includes(name)
      ? [{ name, owner, columns: writable, compared, key, parents }]
      : [];
  });
  return inOrder(tables);
}

function inOrder(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const ready = rest.filter(({ parents }) =>
      parents.every((parent) => !rest.some(({ name }) => name === parent)),
    );
    if (ready.length === 0) throw new Error('Tables refer to each other in a cycle.');
    ordered.push(...ready);
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

const owners = ({ owner }: Table, tenants: readonly Tenant[]): string[] =>
  tenants.map(
    ({ workspaceId, apiKeyId, accountId = '' }) =>
      ({ workspace_id: workspaceId, api_key_id: apiKeyId, account_id: accountId })[owner],
  );

/** Hashes of all rows of these tenants, by table and tenant; only of the tables in `names`, if given. */
export async function fingerprint(
  tenants: readonly Tenant[],
  names?: readonly string[],
): Promise<Fingerprint> {
  const { deps } = await testApp();
  const tables = (await tenantTables()).filter(({ name }) => names === undefined || names.includes(name));
  if (tables.length === 0) return new Map();
  const parts = tables.map(
    (table) => sql`
      select ${sql.lit(table.name)} as "table", ${sql.ref(table.owner)} as "tenant",
        md5(string_agg(row, e'\n' order by row)) as "hash"
      from (
        select ${sql.ref(table.owner)}, row(${sql.join(table.compared.map((column) => sql.ref(column)))})::text as row
        from ${sql.table(table.name)} where ${sql.ref(table.owner)} in (${sql.join(owners(table, tenants))})
      ) t group by 2`,
  );
  const { rows } = await sql<{ table: string; tenant: string; hash: string }>`${sql.join(
    parts,
    sql` union all `,
  )}`.execute(deps.db);
  return new Map(rows.map(({ table, tenant, hash }) => [`${table} ${tenant}`, hash]));
}

/** The keys (`table tenant`) in which two fingerprints differ. */
export const differences = (before: Fingerprint, after: Fingerprint): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .sort();

/** Number of statements so far that may have written to each table of tenants; absent means 0. */
export type Writes = ReadonlyMap<string, number>;

let counting: Promise<void> | undefined;

/** Makes the database count writes with triggers, in sequences: these neither block nor roll back. */
async function startCounting(): Promise<void> {
  const { deps } = await testApp();
  const tables = await tenantTables();
  await deps.db.transaction().execute(async (tx) => {
    await sql`create or replace function count_write() returns trigger language plpgsql as
      $$begin perform nextval('write_counts.all_writes'), nextval(tg_argv[0]::regclass); return null; end$$`.execute(
      tx,
    );
    // Not among the sequences of the service, which other tests copy.
    await sql`create schema if not exists write_counts`.execute(tx);
    await sql`create sequence if not exists write_counts.all_writes`.execute(tx);
    for (const { name } of tables) {
      const counter = `write_counts.writes_of_${name}`;
      await sql`create sequence if not exists ${sql.table(counter)}`.execute(tx);
      await sql`create or replace trigger count_write after insert or update or delete
        on ${sql.table(name)} execute function count_write(${sql.lit(counter)})`.execute(tx);
    }
  });
}

let latest: { total: number | null; writes: Writes } = { total: -1, writes: new Map() };

/** Far cheaper than a fingerprint, above all if nothing was written since the last call. */
export async function writesSoFar(): Promise<Writes> {
  const { deps } = await testApp();
  counting ??= startCounting();
  await counting;
  const counted = await sql<{ total: number | null }>`
    select pg_sequence_last_value('write_counts.all_writes') as total`.execute(deps.db);
  const { total } = counted.rows[0]!;
  if (total === latest.total) return latest.writes;
  const { rows } = await sql<{ table: string; writes: number | null }>`
    select substr(relname, 11) as "table", pg_sequence_last_value(oid) as writes
    from pg_class where relkind = 'S' and starts_with(relname, 'writes_of_')`.execute(deps.db);
  const writes = new Map(rows.map(({ table, writes }) => [table, writes ?? 0]));
  latest = { total, writes };
  return writes;
}

/** The tables that may have been written to between two snapshots. */
export const writtenBetween = (before: Writes, after: Writes): string[] =>
  [...after].filter(([table, writes]) => writes !== before.get(table)).map(([table]) => table);

/** A copied token would authenticate one tenant as the other. */
const NOT_COPIED = ['api_key_tokens'];

/** Copies the rows of a tenant to another one, with their ids, also generated ones; existing rows stay. */
export async function copyRows(from: Tenant, to: Tenant): Promise<void> {
  const { deps } = await testApp();
  for (const { name, owner, columns } of await tenantTables()) {
    if (owner !== 'api_key_id' || NOT_COPIED.includes(name)) continue;
    const list = refs(columns);
    const own: Record<string, string> = { api_key_id: to.apiKeyId, workspace_id: to.workspaceId };
    const copied = sql.join(
      columns.map((column) => (own[column] === undefined ? sql.ref(column) : sql`${own[column]}::text`)),
    );
    await sql`insert into ${sql.table(name)} (${list}) overriding system value
      select ${copied} from ${sql.table(name)} where api_key_id = ${from.apiKeyId}
      on conflict do nothing`.execute(deps.db);
  }
}

export interface SavedRows {
  /** Keys (`table tenant`) of changed rows; only in `tables`, if given. */
  changes(tables?: readonly string[]): Promise<string[]>;
  /** Restores the rows of the reported changes. */
  restore(changes: readonly string[]): Promise<void>;
}

const refs = (columns: readonly string[], of?: string) =>
  sql.join(columns.map((column) => sql.ref(of === undefined ? column : `${of}.${column}`)));

let restoring: Promise<pg.Client> | undefined;

/** A connection on which no trigger fires, so that tables can be restored in any order, each by itself. */
async function openRestoring(): Promise<pg.Client> {
  const url = new URL(inject('databases').admin);
  url.pathname = new URL(process.env.DATABASE_URL!).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  atWorkerEnd(() => client.end());
  await client.query('set session_replication_role = replica');
  return client;
}

/** Copies all rows of these tenants into a separate schema. */
export async function saveRows(tenants: readonly Tenant[]): Promise<SavedRows> {
  const { deps } = await testApp();
  const tables = await tenantTables();
  const copies = `saved_${randomId(8).toLowerCase()}`;
  const copyOf = ({ name }: Table) => sql.table(`${copies}.${name}`);
  const isOwned = (table: Table) =>
    sql`now_.${sql.ref(table.owner)} in (${sql.join(owners(table, tenants))})`;
  const isSame = ({ key }: Table) =>
    sql.join(
      key.map((column) => sql`now_.${sql.ref(column)} = saved.${sql.ref(column)}`),
      sql` and `,
    );
  /** The rows of the service that are not among the saved ones, or differ from theirs in these columns. */
  const others = (table: Table, columns: readonly string[]) => sql`${isOwned(table)} and not exists (
    select from ${copyOf(table)} saved where ${isSame(table)}
      and record_image_eq(row(${refs(columns, 'now_')}), row(${refs(columns, 'saved')})))`;
  const isMissing = (table: Table) =>
    sql`not exists (select from ${sql.table(table.name)} now_ where ${isSame(table)})`;

  await sql`create schema ${sql.id(copies)}`.execute(deps.db);
  for (const table of tables) {
    if (table.key.length === 0) throw new Error(`The table ${table.name} has no primary key.`);
    await sql`create table ${copyOf(table)} as select * from ${sql.table(table.name)}
      where ${sql.ref(table.owner)} in (${sql.join(owners(table, tenants).map((id) => sql.lit(id)))})`.execute(
      deps.db,
    );
    await sql`create index on ${copyOf(table)} (${refs(table.key)})`.execute(deps.db);
    await sql`analyze ${copyOf(table)}`.execute(deps.db);
  }
  return {
    async changes(names) {
      const asked = tables.filter(({ name }) => names === undefined || names.includes(name));
      if (asked.length === 0) return [];
      const parts = asked.map(
        (table) => sql`
          select ${sql.lit(table.name)} || ' ' || now_.${sql.ref(table.owner)} as change
            from ${sql.table(table.name)} now_ where ${others(table, table.compared)}
          union select ${sql.lit(table.name)} || ' ' || saved.${sql.ref(table.owner)}
            from ${copyOf(table)} saved where ${isMissing(table)}`,
      );
      const { rows } = await sql<{ change: string }>`${sql.join(parts, sql` union all `)}`.execute(deps.db);
      return rows.map(({ change }) => change).sort();
    },
    async restore(changes) {
      const names = new Set(changes.map((key) => key.slice(0, key.indexOf(' '))));
      restoring ??= openRestoring();
      const client = await restoring;
      const run = async (statement: RawBuilder<unknown>) => {
        const compiled = statement.compile(deps.db);
        await client.query(compiled.sql, [...compiled.parameters]);
      };
      await client.query('begin');
      for (const table of tables.filter(({ name }) => names.has(name))) {
        const list = refs(table.columns);
        await run(sql`delete from ${sql.table(table.name)} now_ where ${others(table, table.columns)}`);
        await run(sql`insert into ${sql.table(table.name)} (${list}) overriding system value
          select ${list} from ${copyOf(table)} saved where ${isMissing(table)}`);
      }
      await client.query('commit');
    },
  };
}
