import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { RunRef } from './execution-leases.ts';

export type PageRow = ExecutionTables['executionPages'];

/** Appends pages to a run's plan, without duplicates. Returns the number added. */
export async function planPages(tx: Tx, { apiKeyId, executionId }: RunRef, urls: string[]): Promise<number> {
  if (urls.length === 0) return 0;
  const { count } = await tx
    .selectFrom('executionPages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  let added = 0;
  for (let start = 0; start < urls.length; start += 500) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('executionPages')
      .values(
        urls.slice(start, start + 500).map((url, index) => ({
          apiKeyId,
          executionId,
          urlHash: md5(url),
          url,
          position: count + start + index,
          status: 'planned' as const,
          findings: json<Finding[]>([]),
          annotationsCreated: 0,
          detail: json({}),
          processedAt: null,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows ?? 0n);
  }
  return added;
}

export const listPages = (db: Db, { apiKeyId, executionId }: RunRef): Promise<PageRow[]> =>
  db
    .selectFrom('executionPages')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .orderBy('position')
    .execute();

/** Tokens spent on a run's pages so far. */
export async function tokensSpent(db: Db, { apiKeyId, executionId }: RunRef): Promise<number> {
  const { tokens } = await db
    .selectFrom('executionPages')
    .select((eb) => eb.fn.sum<number | null>(sql`(detail -> 'usage' ->> 'totalTokens')::float8`).as('tokens'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  return Number(tokens ?? 0);
}

/** URL and state of a run's pages, without findings. */
export const listPlan = (
  db: Db,
  { apiKeyId, executionId }: RunRef,
): Promise<Pick<PageRow, 'url' | 'status'>[]> =>
  db
    .selectFrom('executionPages')
    .select(['url', 'status'])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .orderBy('position')
    .execute();

/** Stores a page's result; false if it has one already. */
export async function writePage(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  page: Pick<PageRow, 'url' | 'status' | 'findings' | 'annotationsCreated' | 'detail'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('executionPages')
    .set({
      status: page.status,
      findings: json(page.findings),
      annotationsCreated: page.annotationsCreated,
      detail: json(page.detail),
      processedAt: Date.now(),
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('urlHash', '=', md5(page.url))
    .where('processedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Adds findings to a page after its review. */
export async function addFindings(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  url: string,
  { findings, annotationsCreated, detail }: Pick<PageRow, 'findings' | 'annotationsCreated' | 'detail'>,
): Promise<void> {
  await tx
    .updateTable('executionPages')
    .set((eb) => ({
      findings: sql`findings || ${json(findings)}`,
      annotationsCreated: eb('annotationsCreated', '+', annotationsCreated),
      detail: sql`detail || ${json(detail)}`,
    }))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('urlHash', '=', md5(url))
    .execute();
}

/** Progress of a run. */
export async function countPages(
  db: Db,
  { apiKeyId, executionId }: RunRef,
): Promise<{
  planned: number;
  /** Including skipped pages. */
  processed: number;
  errored: number;
  skipped: number;
  withFindings: number;
  findings: number;
  annotations: number;
}> {
  const row = await db
    .selectFrom('executionPages')
    .select((eb) => {
      const found = eb.fn<number>('jsonb_array_length', ['findings']);
      const many = eb.fn.countAll<number>();
      return [
        many.as('planned'),
        eb.fn.count<number>('processedAt').as('processed'),
        many.filterWhere('status', '=', 'failed').as('errored'),
        many.filterWhere('status', '=', 'skipped').as('skipped'),
        many.filterWhere(found, '>', 0).as('withFindings'),
        eb.fn.coalesce(eb.fn.sum<number>(found), sql.lit(0)).as('findings'),
        eb.fn.coalesce(eb.fn.sum<number>('annotationsCreated'), sql.lit(0)).as('annotations'),
      ];
    })
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  return {
    planned: Number(row.planned),
    processed: Number(row.processed),
    errored: Number(row.errored),
    skipped: Number(row.skipped),
    withFindings: Number(row.withFindings),
    findings: Number(row.findings),
    annotations: Number(row.annotations),
  };
}

/** Findings of a page; undefined if it was not reviewed. */
export async function findingsOf(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  url: string,
): Promise<Finding[] | undefined> {
  const row = await db
    .selectFrom('executionPages')
    .select('findings')
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('urlHash', '=', md5(url))
    .where('status', '=', 'completed')
    .executeTakeFirst();
  return row?.findings;
}
