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
 * Adds lines to the log of a run that has not ended; of one that has, the log is whole and stays so. It holds the
 * execution, so that lines get their numbers in the order in which they can be seen: whoever read up to some
 * number has missed none before it.
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

/** What a run noted last, in order. */
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

/** Where in a run's log a line stands; INVALID_ARGUMENT where it has no such line. */
export async function placeOfLine(
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

/** The lines behind a place, in order. */
export const linesAfter = (
  db: Db,
  { apiKeyId, executionId }: RunRef,
  place: number,
  limit: number,
): Promise<LogEvent[]> =>
  db
    .selectFrom('executionLog')
    .select(['lineId as id', 'at', 'level', 'kind', 'message', 'data'])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('seq', '>', place)
    .orderBy('seq')
    .limit(limit)
    .execute();
