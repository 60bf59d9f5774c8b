import { sql } from 'kysely';
import { anyOf, json } from '../../db/sql-fragments.ts';
import type { ReviewTables } from '../../db/tables/review-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { notFound, resourceExhausted } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';

export type ScheduleRow = ReviewTables['reviewSchedules'];

export const MAX_SCHEDULES = 100;

const oneSchedule = (db: Db, { apiKeyId }: Scope, scheduleId: string) =>
  db
    .selectFrom('reviewSchedules')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('scheduleId', '=', scheduleId);

const scheduleNotFound = (scheduleId: string) => notFound(`Schedule not found: ${scheduleId}`);

export async function insertSchedule(tx: Tx, row: ScheduleRow): Promise<void> {
  // Serializes creations, so that concurrent ones do not exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`review schedules ${row.apiKeyId}`}, 0))`.execute(
    tx,
  );
  const { count } = await tx
    .selectFrom('reviewSchedules')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', row.apiKeyId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SCHEDULES)
    throw resourceExhausted(`An API key can have at most ${MAX_SCHEDULES} schedules.`);
  await tx
    .insertInto('reviewSchedules')
    .values({ ...row, request: json(row.request) })
    .execute();
}

export async function requireSchedule(db: Db, scope: Scope, scheduleId: string): Promise<ScheduleRow> {
  const row = await oneSchedule(db, scope, scheduleId).executeTakeFirst();
  if (!row) throw scheduleNotFound(scheduleId);
  return row;
}

/** Like `requireSchedule`, and locks the row until the transaction ends. */
export async function lockSchedule(tx: Tx, scope: Scope, scheduleId: string): Promise<ScheduleRow> {
  const row = await oneSchedule(tx, scope, scheduleId).forUpdate().executeTakeFirst();
  if (!row) throw scheduleNotFound(scheduleId);
  return row;
}

/** All schedules of an API key, oldest first. */
export const listSchedules = (db: Db, { apiKeyId }: Scope): Promise<ScheduleRow[]> =>
  db
    .selectFrom('reviewSchedules')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('createdAt')
    .orderBy('scheduleId')
    .execute();

export type ScheduleChange = Partial<
  Omit<ScheduleRow, 'apiKeyId' | 'scheduleId' | 'createdAt' | 'updatedAt'>
>;

export async function changeSchedule(
  tx: Tx,
  { apiKeyId, scheduleId }: Pick<ScheduleRow, 'apiKeyId' | 'scheduleId'>,
  { request, ...change }: ScheduleChange,
  updatedAt: number,
): Promise<ScheduleRow> {
  return await tx
    .updateTable('reviewSchedules')
    .set({ ...change, ...(request && { request: json(request) }), updatedAt })
    .where('apiKeyId', '=', apiKeyId)
    .where('scheduleId', '=', scheduleId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteSchedule(tx: Tx, { apiKeyId }: Scope, scheduleId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('reviewSchedules')
    .where('apiKeyId', '=', apiKeyId)
    .where('scheduleId', '=', scheduleId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw scheduleNotFound(scheduleId);
}

/** A schedule with its workspace. */
export type DueSchedule = ScheduleRow & { workspaceId: string };

/** The schedule that has been due the longest, apart from some, locked until the transaction ends. */
export const lockDueSchedule = (
  tx: Tx,
  now: number,
  apartFrom: readonly Pick<ScheduleRow, 'scheduleId'>[],
): Promise<DueSchedule | undefined> =>
  tx
    .selectFrom('reviewSchedules')
    .innerJoin('apiKeys', 'apiKeys.apiKeyId', 'reviewSchedules.apiKeyId')
    .selectAll('reviewSchedules')
    .select('apiKeys.workspaceId')
    .where('enabled', '=', true)
    .where('nextAt', '<=', now)
    .where(({ not, eb }) => not(eb('scheduleId', '=', anyOf(apartFrom.map(({ scheduleId }) => scheduleId)))))
    .orderBy('nextAt')
    .limit(1)
    .forUpdate('reviewSchedules')
    .skipLocked()
    .executeTakeFirst();

export async function hasDueSchedule(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('reviewSchedules')
    .select('scheduleId')
    .where('enabled', '=', true)
    .where('nextAt', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
