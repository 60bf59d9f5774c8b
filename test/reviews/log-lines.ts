import { sql } from 'kysely';
import type { Db } from '../../src/db/tables.ts';
import { newExecutionId } from '../../src/lib/ids.ts';

/** Inserts a run of the API key `key` that began at a time, and returns its id; ended at `endedAt`, by default at its start. */
export async function insertRun(
  db: Db,
  startedAt: number,
  executionId = newExecutionId(startedAt),
  endedAt: number | null = startedAt,
): Promise<string> {
  await sql`insert into executions (api_key_id, execution_id, agent_id, agent_name, agent_version, organization_id,
      document_id, status, seed_url, request, trigger, outcome, started_at, completed_at, lease_until, attempts)
    values ('key', ${executionId}, 'a', 'A', 1, '', '', ${endedAt === null ? 'running' : 'passed'},
      'http://127.0.0.1:9/', '{}', 'standalone', '{}', ${startedAt}, ${endedAt}, 0, 1)`.execute(db);
  return executionId;
}

/** Inserts lines of a kilobyte into the log of a run. */
export async function insertLines(db: Db, executionId: string, count: number): Promise<void> {
  await sql`insert into execution_log (api_key_id, execution_id, line_id, at, level, kind, message, data)
    select 'key', ${executionId}, gen_random_uuid(), 1, 'info', 'note', repeat('x', 1000), '{}'
    from generate_series(1, cast(${count} as int))`.execute(db);
}
