import type { ClientBase } from 'pg';
import { type ForeignKey, listForeignKeys, type Sequence, type Table } from './tables.ts';

type NamedTable = Pick<Table, 'name'>;

/**
 * Empties the tables and opens them for rows in any order: without foreign keys, which it returns for `finishLoading`, and
 * without triggers, which have run for these rows already.
 */
export async function prepareLoading(
  target: ClientBase,
  tables: readonly NamedTable[],
): Promise<ForeignKey[]> {
  const foreignKeys = await listForeignKeys(target);
  for (const { table, name } of foreignKeys) {
    await target.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const { name } of tables) await target.query(`alter table ${name} disable trigger user`);
  await target.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  return foreignKeys;
}

/** Restores what `prepareLoading` removed, which checks each row against its foreign keys, and sets the sequences. */
export async function finishLoading(
  target: ClientBase,
  {
    tables,
    foreignKeys,
    sequences,
  }: { tables: readonly NamedTable[]; foreignKeys: readonly ForeignKey[]; sequences: readonly Sequence[] },
): Promise<void> {
  for (const { name } of tables) await target.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of foreignKeys) {
    await target.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { name, lastValue, isCalled } of sequences) {
    await target.query('select setval($1::regclass, $2::bigint, $3)', [name, lastValue, isCalled]);
  }
}
