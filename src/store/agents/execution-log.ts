import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db } from '../../db/tables.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { randomId } from '../../lib/ids.ts';
import type { RunRef } from './execution-leases.ts';

export type LogRow = Pick<ExecutionTables['executionLog'], 'at' | 'level' | 'kind' | 'message' | 'data'>;
export type LogEvent = LogRow & { id: string };

const MAX_SHOWN = 2_000;

/**
 * Appends lines to the log of a running execution; the log of an ended one is final. Locks the execution, so that line
 * numbers become visible in order and a reader after a number has missed none.
 */
export async function writeLog(db: Db, { apiKeyId, executionId }: RunRef, lines: LogRow[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ ...line, lineId: `line_${randomId()}` }));
  await sql`
    with held as (
      select execution_id from executions
      where api_key_id = ${apiKeyId} and execution_id = ${executionId} and status = 'running'
      for no key update)
    insert into execution_log (api_key_id, execution_id, line_id, at, level, kind, message, data)
    select ${apiKeyId}, held.execution_id, item."lineId", item.at, item.level, item.kind, item.message, item.data
    from held, rows from (jsonb_to_recordset(${json(rows)})
      as ("lineId" text, at bigint, level text, kind text, message text, data jsonb)) with ordinality
      as item("lineId", at, level, kind, message, data, place)
    order by item.place`.execute(db);
}

/** The last lines of a run's log, in order. */
export async function listLog(db: Db, { apiKeyId, executionId }: RunRef): Promise<LogRow[]> {
  const lines = await db
    .selectFrom('executionLog')
    .select(['at', 'level', 'kind', 'message', 'data'])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .orderBy('seq', 'desc')
    .limit(MAX_SHOWN)
    .execute();
  return lines.reverse();
}

/** Sequence number of a line. Throws INVALID_ARGUMENT if the run has no such line. */
export async function sequenceOfLine(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  lineId: string,
): Promise<number> {
  const row = await db
    .selectFrom('executionLog')
    .select('seq')
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('lineId', '=', lineId)
    .executeTakeFirst();
  if (!row) throw invalidArgument('after is not an event of this execution.');
  return row.seq;
}

/** Lines after a sequence number, in order; of the given kinds or of all. */
export function linesAfter(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  place: number,
  { limit, kinds }: { limit: number; kinds?: readonly LogRow['kind'][] | undefined },
): Promise<LogEvent[]> {
  let query = db
    .selectFrom('executionLog')
    .select(['lineId as id', 'at', 'level', 'kind', 'message', 'data'])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('seq', '>', place);
  if (kinds) query = query.where('kind', 'in', [...kinds]);
  return query.orderBy('seq').limit(limit).execute();
}
