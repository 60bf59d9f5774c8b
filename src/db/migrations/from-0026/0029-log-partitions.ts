import { type Kysely, sql } from 'kysely';

const WEEK_MS = 7 * 86_400_000;
/** Weeks after the current one that have a partition from the start. */
const AHEAD = 4;

/**
 * Partitions the logs of runs by the week in which the run began, which is part of its id, so that old logs are dropped with
 * their files and every look-up by id reads one partition. The rows stay where they are: the table becomes the first partition.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const week = Math.floor(Date.now() / WEEK_MS);
  const idAt = (index: number) => sql.lit(`exec_${(week + index) * WEEK_MS}`);
  const statements = [
    sql`alter table execution_log rename to execution_log_first`,
    sql`alter index execution_log_pkey rename to execution_log_first_pkey`,
    sql`alter index execution_log_in_order rename to execution_log_first_in_order`,
    sql`create table execution_log (like execution_log_first including defaults, primary key (api_key_id, execution_id, line_id))
      partition by range (execution_id)`,
    sql`alter sequence execution_log_seq_seq owned by execution_log.seq`,
    sql`create unique index execution_log_in_order on execution_log (api_key_id, execution_id, seq)`,
    // Lines of runs with other ids, which no version of the service makes, and of a clock that is far ahead.
    sql`create table execution_log_default partition of execution_log default`,
    ...Array.from({ length: AHEAD }, (_, index) => {
      const firstDay = new Date((week + index + 1) * WEEK_MS).toISOString().slice(0, 10);
      const name = `execution_log_${firstDay.replaceAll('-', '')}`;
      return sql`create table ${sql.table(name)} partition of execution_log
        for values from (${idAt(index + 1)}) to (${idAt(index + 2)})`;
    }),
    sql`with moved as (delete from execution_log_first where execution_id >= ${idAt(1)} returning *)
      insert into execution_log select * from moved`,
    sql`alter table execution_log attach partition execution_log_first for values from (minvalue) to (${idAt(1)})`,
    // Last, because it locks the runs. The key of the first partition becomes part of it without being checked again.
    sql`alter table execution_log add constraint execution_log_api_key_id_execution_id_fkey
      foreign key (api_key_id, execution_id) references executions on delete cascade`,
  ];
  for (const statement of statements) await statement.execute(db);
}
