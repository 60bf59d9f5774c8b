import { type RawBuilder, sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { DELETED_USER, erasePeople, tracesOf } from '../../lib/erase-people.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';

const BATCH = 500;

export type Key = (string | number)[];
type Row = Fields;

export interface ErasedUsers extends Scope {
  userIds: string[];
}

/**
 * A step of erasing users: does a bounded part of the work. Returns the key to continue after, or undefined at the
 * end.
 */
export interface Step {
  name: string;
  run(tx: Tx, erased: ErasedUsers, organizationId: string, after: Key | undefined): Promise<Key | undefined>;
}

/** The scan of a table for users, in key order. */
export interface Pass {
  table: string;
  /** Primary key columns after those of the tenant and the organization. */
  key: Record<string, 'text' | 'bigint'>;
  inOrganization: boolean;
  /** jsonb columns that may mention users. */
  columns: string[];
  /** Column of the owner's user id. */
  owner?: string;
  /** Deletes what may go of the users' own rows. Returns the rows that stay; without it, all stay. */
  remove?(tx: Tx, erased: ErasedUsers, organizationId: string, rows: Row[]): Promise<Row[]>;
  /** Called with the changed rows. */
  follow?(tx: Tx, erased: ErasedUsers, organizationId: string, rows: Row[]): Promise<void>;
}

/**
 * Erases users from the next rows of a table, in one transaction. Returns the key to continue after, or undefined at
 * the end. Only rows that contain a trace of them are read whole.
 */
export async function erasePage(
  tx: Tx,
  erased: ErasedUsers,
  organizationId: string,
  pass: Pass,
  after: Key | undefined,
): Promise<Key | undefined> {
  const names = Object.keys(pass.key);
  const key = sql.join(names.map((name) => sql.ref(name)));
  const written = sql.join(
    pass.columns.map((column) => sql`coalesce(${sql.ref(column)}::text, '')`),
    sql` || `,
  );
  const userIds = json(erased.userIds);
  const owned = pass.owner ? sql`jsonb_exists(${userIds}, ${sql.ref(pass.owner)})` : sql`false`;
  const behind = after ? sql`and (${key}) > (${sql.join(after.map(typed))})` : sql``;
  const { rows } = await sql<{ key: Key; traced: boolean }>`
    select jsonb_build_array(${key}) as key, ${owned} or exists (
        select 1 from jsonb_array_elements_text(${json(tracesOf(erased.userIds))}) as trace(text)
        where strpos(whole.written, trace.text) > 0) as traced
    from ${sql.table(pass.table)} cross join lateral (select ${written} as written offset 0) as whole
    where ${placeOf(erased, organizationId, pass)} ${behind}
    order by ${key} limit ${BATCH}`.execute(tx);
  const traced = rows.filter((row) => row.traced).map((row) => row.key);
  if (traced.length > 0) await eraseRows(tx, erased, organizationId, pass, traced);
  return rows.length < BATCH ? undefined : rows.at(-1)!.key;
}

async function eraseRows(
  tx: Tx,
  erased: ErasedUsers,
  organizationId: string,
  pass: Pass,
  keys: Key[],
): Promise<void> {
  const names = Object.keys(pass.key);
  const kept = [...pass.columns, ...(pass.owner ? [pass.owner] : [])];
  const picked = sql.join([...names, ...kept].map((name) => sql`${sql.lit(name)}, ${sql.ref(name)}`));
  const wanted = keys.map((key) => Object.fromEntries(names.map((name, index) => [name, key[index]])));
  const same = sql.join(
    names.map((name) => sql`${sql.ref(`${pass.table}.${name}`)} = ${sql.ref(`item.${name}`)}`),
    sql` and `,
  );
  const place = placeOf(erased, organizationId, pass);
  const { rows } = await sql<{ row: Row }>`
    select jsonb_build_object(${picked}) as row from ${sql.table(pass.table)}
    where ${place} and (${sql.join(names.map((name) => sql.ref(name)))}) in
      (select ${sql.join(names.map((name) => sql.ref(`item.${name}`)))} from ${recordset(wanted, pass.key)})
    order by ${sql.join(names.map((name) => sql.ref(name)))} for update`.execute(tx);
  const theirs = (row: Row) => pass.owner !== undefined && erased.userIds.includes(row[pass.owner] as string);
  const found = rows.map(({ row }) => row);
  const [owned, others] = [found.filter(theirs), found.filter((row) => !theirs(row))];
  const left = pass.remove && owned.length > 0 ? await pass.remove(tx, erased, organizationId, owned) : owned;
  const changed = [...left, ...others].map((row) => ({
    ...row,
    ...Object.fromEntries(pass.columns.map((column) => [column, erasePeople(row[column], erased.userIds)])),
    ...(pass.owner && theirs(row) && { [pass.owner]: DELETED_USER.userId }),
  }));
  if (changed.length === 0) return;
  const shape = {
    ...pass.key,
    ...Object.fromEntries(pass.columns.map((column) => [column, 'jsonb'])),
    ...(pass.owner && { [pass.owner]: 'text' }),
  };
  const set = sql.join(
    kept.map((name) =>
      pass.columns.includes(name)
        ? // jsonb_to_recordset turns SQL null into JSON null.
          sql`${sql.ref(name)} = nullif(${sql.ref(`item.${name}`)}, 'null')`
        : sql`${sql.ref(name)} = ${sql.ref(`item.${name}`)}`,
    ),
  );
  await sql`
    update ${sql.table(pass.table)} set ${set} from ${recordset(changed, shape)}
    where ${placeOf(erased, organizationId, pass)} and ${same}`.execute(tx);
  await pass.follow?.(tx, erased, organizationId, changed);
}

/** Given rows as a table expression. */
const recordset = (rows: Row[], shape: Record<string, string>): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${json(rows)}) as item(${sql.join(
    Object.entries(shape).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`),
  )})`;

const placeOf = ({ apiKeyId }: Scope, organizationId: string, { table, inOrganization }: Pass) =>
  inOrganization
    ? sql`${sql.ref(`${table}.api_key_id`)} = ${apiKeyId}
        and ${sql.ref(`${table}.organization_id`)} = ${organizationId}`
    : sql`${sql.ref(`${table}.api_key_id`)} = ${apiKeyId}`;

const typed = (value: string | number) =>
  typeof value === 'number' ? sql`cast(${value} as bigint)` : sql`${value}`;
