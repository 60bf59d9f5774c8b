import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { markForDeletion } from '../knowledge/knowledge-trash.ts';
import { subtractStored } from '../platform/stored-bytes.ts';
import { dropOldLogs } from './old-logs.ts';
import { addTallies, emptyTally, literal, removalOf, type Tally, tallyOf, untilFewer } from './tally.ts';

/** Runs in one transaction. A run may have tens of thousands of rows. */
const RUNS_AT_ONCE = 20;
const REVIEWS_AT_ONCE = 5;
const FINDINGS_AT_ONCE = 2_000;

/** Tables whose rows belong to a run, before that of the runs themselves. */
const TABLES_OF_RUN = [
  'execution_log',
  'execution_findings',
  'execution_causes',
  'execution_site_words',
  'execution_pages',
  'artifacts',
  'executions',
];

const keyRow = z.object({ apiKeyId: z.string(), id: z.string(), at: z.number() });
type Key = z.infer<typeof keyRow>;

/** Ended runs that are older than a time: those on their own, and those of reviews that are as old. */
const oldRuns = (before: number): RawBuilder<unknown> => sql`
  select run.api_key_id, run.execution_id, run.completed_at as at
  from executions run left join reviews review
    on review.api_key_id = run.api_key_id and review.review_id = run.review_id
  where run.completed_at < ${literal(before)} and run.status <> 'running'
    and (review.review_id is null or (review.status = 'ended' and review.completed_at < ${literal(before)}))`;

/** Ended runs that are older than a time, whatever review they belong to. */
const endedRuns = (before: number): RawBuilder<unknown> => sql`
  select run.api_key_id, run.execution_id, run.completed_at as at from executions run
  where run.completed_at < ${literal(before)} and run.status <> 'running'`;

/** Ended reviews that are older than a time. */
const endedReviews = (before: number): RawBuilder<unknown> => sql`
  select review.api_key_id, review.review_id, review.completed_at as at from reviews review
  where review.completed_at < ${literal(before)} and review.status = 'ended'`;

/** The same, if none of their runs is kept. */
const oldReviews = (before: number): RawBuilder<unknown> => sql`
  ${endedReviews(before)}
    and not exists (select from executions run where run.api_key_id = review.api_key_id
      and run.review_id = review.review_id
      and (run.status = 'running' or run.completed_at is null or run.completed_at >= ${literal(before)}))`;

/** Findings over all runs without suggestion and decision. A run in progress may need its own. */
const oldFindings = (before: number): RawBuilder<unknown> => sql`
  select found.api_key_id, found.finding_id, greatest(found.last_seen_at, coalesce(found.fixed_at, 0)) as at
  from finding_records found
  where greatest(found.last_seen_at, coalesce(found.fixed_at, 0)) < ${literal(before)}
    and found.annotation_id is null and found.decision is null
    and not exists (select from executions run where run.api_key_id = found.api_key_id
      and run.execution_id in (found.last_execution_id, found.fixed_execution_id) and run.status = 'running')`;

const keysIn = (keys: readonly Key[], id: string): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${json(keys)}) as old("apiKeyId" text, id text) where target.api_key_id = old."apiKeyId"
    and ${sql.ref(`target.${id}`)} = old.id`;

/** Counts what `removeOldRuns` would remove. */
export async function countOldRuns(db: Db, before: number): Promise<Tally> {
  const ofRuns = TABLES_OF_RUN.map((table) =>
    tallyOf(
      db,
      sql`with run as materialized (${oldRuns(before)})
        select count(*) as rows, ${
          table === 'artifacts'
            ? sql`count(*) as files, coalesce(sum(target.size_bytes), 0) as bytes, null as oldest_at`
            : sql`0 as files, 0 as bytes, min(run.at) as oldest_at`
        } from run join ${sql.table(table)} target using (api_key_id, execution_id)`,
    ),
  );
  const others = [oldReviews(before), oldFindings(before)].map((old) =>
    tallyOf(db, sql`select count(*) as rows, min(at) as oldest_at from (${old}) old`),
  );
  return addTallies(...(await Promise.all([...ofRuns, ...others])));
}

/**
 * Removes ended runs and reviews that are older than a time, a review with all of its runs at once, and findings over all
 * runs that nothing else refers to. Files are marked for deletion.
 */
export async function removeOldRuns(db: Db, before: number, signal: AbortSignal): Promise<Tally> {
  return addTallies(
    await dropOldLogs(db, before, oldRuns(before)),
    await removeReviews(db, before, signal),
    await removeRuns(db, before, signal),
    await removeFindings(db, before, signal),
  );
}

const removeReviews = (db: Db, before: number, signal: AbortSignal): Promise<Tally> => {
  let after: Key | undefined;
  return untilFewer(REVIEWS_AT_ONCE, signal, async () => {
    const found = await nextOf(db, endedReviews(before), 'review_id', after, REVIEWS_AT_ONCE);
    after = found.at(-1) ?? after;
    const removed = await db.transaction().execute((tx) => removeWithRuns(tx, found, before));
    return { found: found.length, removed };
  });
};

const runOfReview = z.object({
  ...{ apiKeyId: z.string(), id: z.string(), at: z.number().nullable() },
  ...{ reviewId: z.string(), isRunning: z.boolean() },
});

/** Removes reviews with their runs, except a review with a run that is kept. */
async function removeWithRuns(tx: Tx, found: readonly Key[], before: number): Promise<Tally> {
  const runs = await rowsOf(
    tx,
    runOfReview,
    sql`select target.api_key_id, target.execution_id as id, target.completed_at as at, target.review_id,
        target.status = 'running' as is_running
      from executions target, ${keysIn(found, 'review_id')} order by 1, 2 for update of target`,
  );
  const nameOf = (apiKeyId: string, reviewId: string) => JSON.stringify([apiKeyId, reviewId]);
  const kept = new Set(
    runs
      .filter(({ isRunning, at }) => isRunning || at === null || at >= before)
      .map(({ apiKeyId, reviewId }) => nameOf(apiKeyId, reviewId)),
  );
  const reviews = found.filter(({ apiKeyId, id }) => !kept.has(nameOf(apiKeyId, id)));
  if (reviews.length === 0) return emptyTally();
  const old = runs.flatMap(({ apiKeyId, reviewId, id, at }) =>
    kept.has(nameOf(apiKeyId, reviewId)) || at === null ? [] : [{ apiKeyId, id, at }],
  );
  const ofRuns = await removeParts(tx, old, TABLES_OF_RUN);
  await sql`update review_schedules target set last_review_id = null
    from ${keysIn(reviews, 'last_review_id')}`.execute(tx);
  const own = await tallyOf(
    tx,
    sql`with gone as (delete from reviews target using ${keysIn(reviews, 'review_id')}
        returning target.completed_at)
      select count(*) as rows, min(completed_at) as oldest_at from gone`,
  );
  return addTallies(ofRuns, own);
}

const removeRuns = (db: Db, before: number, signal: AbortSignal): Promise<Tally> =>
  ofOldRuns(db, oldRuns(before), signal, (tx, runs) => removeParts(tx, runs, TABLES_OF_RUN));

const removeFindings = (db: Db, before: number, signal: AbortSignal): Promise<Tally> =>
  untilFewer(FINDINGS_AT_ONCE, signal, () =>
    removalOf(
      db,
      sql`with old as materialized (${oldFindings(before)}
          order by at limit ${sql.lit(FINDINGS_AT_ONCE)} for update of found skip locked),
        gone as (delete from finding_records target using old
          where target.api_key_id = old.api_key_id and target.finding_id = old.finding_id returning 1)
        select (select count(*) from old) as found, (select count(*) from gone) as rows,
          (select min(at) from old) as oldest_at`,
    ),
  );

/** Ended runs that are older than a time and have rows in a table. Without those that are to be removed as a whole. */
const runsWith = (table: string, before: number, runsBefore: number | undefined): RawBuilder<unknown> => sql`
  select run.api_key_id, run.execution_id, run.completed_at as at from executions run
  where run.completed_at < ${literal(before)} and run.status <> 'running'
    and exists (select from ${sql.table(table)} part
      where part.api_key_id = run.api_key_id and part.execution_id = run.execution_id)
    ${
      runsBefore === undefined
        ? sql``
        : sql`and not exists (select from (${oldRuns(runsBefore)}) gone
            where gone.api_key_id = run.api_key_id and gone.execution_id = run.execution_id)`
    }`;

/** Counts the files of old runs that would be removed after the runs that end before `runsBefore`. */
export const countOldFiles = (db: Db, before: number, runsBefore: number | undefined): Promise<Tally> =>
  tallyOf(
    db,
    sql`with run as materialized (${runsWith('artifacts', before, runsBefore)})
      select count(*) as rows, count(*) as files, coalesce(sum(size_bytes), 0) as bytes, min(at) as oldest_at
      from run join artifacts using (api_key_id, execution_id)`,
  );

/** Removes screenshots and other files of old runs, which then look like runs without screenshots. */
export const removeOldFiles = (db: Db, before: number, signal: AbortSignal): Promise<Tally> =>
  ofOldRuns(db, runsWith('artifacts', before, undefined), signal, async (tx, runs) => {
    await sql`update execution_pages target set detail = detail - 'screenshot'
      from ${keysIn(runs, 'execution_id')} and detail ? 'screenshot'`.execute(tx);
    return await removeParts(tx, runs, ['artifacts']);
  });

/** Counts the log lines of old runs that would be removed after the runs that end before `runsBefore`. */
export const countOldLogs = (db: Db, before: number, runsBefore: number | undefined): Promise<Tally> =>
  tallyOf(
    db,
    sql`with run as materialized (${runsWith('execution_log', before, runsBefore)})
      select count(*) as rows, min(run.at) as oldest_at
      from run join execution_log target using (api_key_id, execution_id)`,
  );

export const removeOldLogs = async (db: Db, before: number, signal: AbortSignal): Promise<Tally> =>
  addTallies(
    await dropOldLogs(db, before, endedRuns(before)),
    await ofOldRuns(db, runsWith('execution_log', before, undefined), signal, (tx, runs) =>
      removeParts(tx, runs, ['execution_log']),
    ),
  );

/** The next entries of a query in the order of their times. */
const nextOf = (db: Db, old: RawBuilder<unknown>, id: string, after: Key | undefined, limit: number) =>
  rowsOf(
    db,
    keyRow,
    sql`select api_key_id, ${sql.ref(id)} as id, at from (${old}) old
      ${after ? sql`where (at, api_key_id, ${sql.ref(id)}) > (${literal(after.at)}, ${after.apiKeyId}, ${after.id})` : sql``}
      order by at, api_key_id, ${sql.ref(id)} limit ${sql.lit(limit)}`,
  );

/** Does something to runs, each batch in a transaction of its own that locks them. */
function ofOldRuns(
  db: Db,
  old: RawBuilder<unknown>,
  signal: AbortSignal,
  change: (tx: Tx, runs: readonly Key[]) => Promise<Tally>,
): Promise<Tally> {
  let after: Key | undefined;
  return untilFewer(RUNS_AT_ONCE, signal, async () => {
    const found = await nextOf(db, old, 'execution_id', after, RUNS_AT_ONCE);
    after = found.at(-1) ?? after;
    const removed = await db.transaction().execute(async (tx) => {
      const runs = await rowsOf(
        tx,
        keyRow,
        sql`select target.api_key_id, target.execution_id as id, target.completed_at as at
          from executions target, ${keysIn(found, 'execution_id')}
          order by 1, 2 for update of target`,
      );
      return runs.length === 0 ? emptyTally() : await change(tx, runs);
    });
    return { found: found.length, removed };
  });
}

/** Deletes the rows of runs in some tables, and their files if these are among the tables. */
async function removeParts(tx: Tx, runs: readonly Key[], tables: readonly string[]): Promise<Tally> {
  if (runs.length === 0) return emptyTally();
  let sum = { ...emptyTally(), oldestAt: Math.min(...runs.map(({ at }) => at)) };
  for (const table of tables) {
    if (table === 'artifacts') {
      sum = { ...addTallies(sum, await removeArtifacts(tx, runs)), oldestAt: sum.oldestAt };
      continue;
    }
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} target
      using ${keysIn(runs, 'execution_id')}`.execute(tx);
    sum.rows += Number(numAffectedRows);
  }
  return sum;
}

const artifactRow = z.object({ apiKeyId: z.string(), bytes: z.coerce.number() });

/** Deletes the artifacts of runs, and marks their files for deletion. */
async function removeArtifacts(tx: Tx, runs: readonly Key[]): Promise<Tally> {
  const gone = await rowsOf(
    tx,
    artifactRow,
    sql`delete from artifacts target using ${keysIn(runs, 'execution_id')}
      returning target.api_key_id, target.size_bytes as bytes`,
  );
  for (const [apiKeyId, ofKey] of Map.groupBy(runs, (run) => run.apiKeyId)) {
    // The folder of a run also has files that no row refers to, if a process died before it had written a page.
    const folders = ofKey.map(({ id }) => `${apiKeyId}/${id}/`);
    await markForDeletion(tx, { apiKeyId }, folders, Date.now());
  }
  const sizes = new Map<string, number>();
  for (const { apiKeyId, bytes } of gone) sizes.set(apiKeyId, (sizes.get(apiKeyId) ?? 0) + bytes);
  await subtractStored(tx, sizes);
  const bytes = gone.reduce((sum, one) => sum + one.bytes, 0);
  return { rows: gone.length, files: gone.length, bytes, oldestAt: null };
}
