import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { condition, relationExists, rowOf, rowsOf } from '../db/sql-fragments.ts';
import type { Db, Tx } from '../db/tables.ts';
import { ApiError } from '../lib/errors.ts';
import type { JobName } from './job.ts';

/** Schema of pg-boss. */
export const SCHEMA = 'jobs';
const JOBS = sql.raw(`${SCHEMA}.job`);
const WAITS = sql.raw(`state < 'active'`);

const MINUTE_S = 60;
/** Jobs ahead of a job are counted up to this number. */
const MAX_AHEAD = 1_000;

/** Indexes that pg-boss lacks: waiting jobs by API key, open jobs by subject, and ended jobs by API key. */
const INDEXES = {
  job_waiting_of_key: `(name, group_id, priority) where state < 'active'`,
  job_open_of_thing: `(name, singleton_key) where state <= 'active'`,
  job_ended_of_key: `(name, group_id, completed_on) where state > 'active'`,
};

/** Creates the indexes under a lock, because `if not exists` is not safe between processes that start concurrently. */
export async function indexWaitingJobs(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('redpen.job_indexes', 0))`.execute(tx);
    for (const [name, columns] of Object.entries(INDEXES)) {
      // `if not exists` waits for writers even if the index exists.
      if (!(await relationExists(tx, `${SCHEMA}.${name}`)))
        await sql`create index ${sql.raw(name)} on ${JOBS} ${sql.raw(columns)}`.execute(tx);
    }
  });
}

const turnsRow = z.object({ first: z.number().nullable(), last: z.number().nullable(), waiting: z.number() });

/**
 * Priority of a new job such that API keys take turns: the first job of a key goes right behind the next job of all, and
 * each further one a step behind the key's last. This is start-time fair queueing with jobs of equal length. It needs no
 * list of keys and holds over all processes, because it is decided when a job is enqueued. Jobs that are enqueued
 * concurrently may get the same turn and are ordered by their creation. Groups of pg-boss limit how many jobs of a group
 * run, but order jobs by creation.
 *
 * Waiting jobs of the key are counted up to `countUpTo`, because unbounded kinds may have very many.
 */
export async function turnOf(
  tx: Tx,
  name: JobName,
  apiKeyId: string,
  countUpTo = 0,
): Promise<{ priority: number; waiting: number }> {
  const { first, last, waiting } = await rowOf(
    tx,
    turnsRow,
    sql`
    select (select max(priority) from ${JOBS} where name = ${name} and ${WAITS} and not blocked) as first,
      (select min(priority) from ${JOBS} where name = ${name} and group_id = ${apiKeyId} and ${WAITS}) as last,
      (select cast(count(*) as integer) from (select 1 from ${JOBS}
        where name = ${name} and group_id = ${apiKeyId} and ${WAITS}
        order by priority limit ${countUpTo}) as counted) as waiting`,
  );
  return { priority: Math.min(first ?? 0, (last ?? Number.POSITIVE_INFINITY) - 1), waiting };
}

const nextTurnRow = z.object({ first: z.number().nullable() });

/** Priority of a job that had its turn before: ahead of all waiting jobs. */
export async function nextTurn(tx: Tx, name: JobName): Promise<number> {
  const { first } = await rowOf(
    tx,
    nextTurnRow,
    sql`select max(priority) as first from ${JOBS} where name = ${name} and ${WAITS} and not blocked`,
  );
  return (first ?? -1) + 1;
}

const endedRow = z.object({ ended: z.number() });

/** RESOURCE_EXHAUSTED with an estimate of the seconds until one of the key's jobs ends. */
export async function tooManyWaiting(
  tx: Tx,
  name: JobName,
  apiKeyId: string,
  plural: string,
  max: number,
): Promise<ApiError> {
  const { ended } = await rowOf(
    tx,
    endedRow,
    sql`
    select cast(count(*) as integer) as ended from (select 1 from ${JOBS}
      where name = ${name} and group_id = ${apiKeyId} and state > 'active'
        and completed_on > now() - make_interval(secs => ${MINUTE_S})
      order by completed_on desc limit ${MINUTE_S}) as counted`,
  );
  return new ApiError(
    'RESOURCE_EXHAUSTED',
    `Too many ${plural} wait already: an API key may have ${max} that are not begun.`,
    { retryAfterSeconds: Math.ceil(MINUTE_S / Math.max(1, ended)) },
  );
}

/** SQL: true if a job waits for this subject. Jobs that a process has begun, even a dead one, do not wait. */
export const hasWaitingJob = (name: JobName, subject: RawBuilder<string>): RawBuilder<SqlBool> => condition`
  exists (select 1 from ${JOBS} where name = ${name} and singleton_key = ${subject} and ${WAITS})`;

const waitingRow = z.object({ waits: z.boolean() });

/** True if a job waits for this subject. */
export async function isWaiting(db: Db, name: JobName, subject: string): Promise<boolean> {
  const { waits } = await rowOf(
    db,
    waitingRow,
    sql`select ${hasWaitingJob(name, sql.val(subject))} as waits`,
  );
  return waits;
}

/** Deletes the jobs of this subject that a dead process had begun. */
export async function deleteStartedJobs(tx: Tx, name: JobName, subject: string): Promise<void> {
  await sql`delete from ${JOBS} where name = ${name} and singleton_key = ${subject} and state = 'active'`.execute(
    tx,
  );
}

/** Deletes the jobs of this subject that no process has begun. */
export async function deleteWaitingJobs(tx: Tx, name: JobName, subject: string): Promise<void> {
  await sql`delete from ${JOBS} where name = ${name} and singleton_key = ${subject} and ${WAITS}`.execute(tx);
}

const aheadRow = z.object({ ahead: z.number() });

/** Number of jobs, up to MAX_AHEAD, ahead of the job for this subject. Undefined if no job waits for it. */
export async function countAhead(db: Db, name: JobName, subject: string): Promise<number | undefined> {
  const [row] = await rowsOf(
    db,
    aheadRow,
    sql`
    select (select cast(count(*) as integer) from (select priority, created_on from ${JOBS}
        where name = ${name} and ${WAITS} and not blocked and start_after <= now()
        order by priority desc, created_on limit ${MAX_AHEAD}) as other
      where other.priority > mine.priority
        or (other.priority = mine.priority and other.created_on < mine.created_on)) as ahead
    from ${JOBS} as mine where name = ${name} and singleton_key = ${subject} and ${WAITS} limit 1`,
  );
  return row?.ahead;
}

const queueState = z.object({
  name: z.string(),
  /** Due jobs, and the seconds for which the first of them has been due. */
  waiting: z.number(),
  oldestSeconds: z.number(),
  running: z.number(),
});
export type QueueState = z.infer<typeof queueState>;

/** States of all queues that are not empty. */
export const listQueues = (db: Db): Promise<QueueState[]> =>
  rowsOf(
    db,
    queueState,
    sql`
    select name, cast(count(*) filter (where ${WAITS} and start_after <= now()) as integer) as waiting,
      cast(coalesce(extract(epoch from now() - min(greatest(created_on, start_after))
        filter (where ${WAITS} and start_after <= now())), 0) as double precision) as oldest_seconds,
      cast(count(*) filter (where state = 'active') as integer) as running
    from ${JOBS} where state <= 'active' group by name`,
  );

const dueQueue = z.object({ name: z.string() });

/** Names of the queues, among these, that have due jobs. */
export async function listDueQueues(db: Db, names: readonly JobName[]): Promise<JobName[]> {
  const due = await rowsOf(
    db,
    dueQueue,
    sql`
    select name from unnest(${names}::text[]) as queue(name)
    where exists (select 1 from ${JOBS} where job.name = queue.name and ${WAITS} and not blocked
      and start_after <= now())`,
  );
  return due.map(({ name }) => name as JobName);
}
