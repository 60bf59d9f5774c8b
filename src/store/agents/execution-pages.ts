import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import { insertFindings } from './execution-findings.ts';
import type { RunRef } from './execution-leases.ts';

export type PageRow = ExecutionTables['executionPages'];

/** Appends pages to a run's plan, without duplicates, each at a position of its own. Returns the number added. */
export async function planPages(tx: Tx, { apiKeyId, executionId }: RunRef, urls: string[]): Promise<number> {
  if (urls.length === 0) return 0;
  const { first } = await tx
    .selectFrom('executionPages')
    .select((eb) => eb.fn.coalesce(eb(eb.fn.max('position'), '+', 1), sql.lit(0)).as('first'))
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
          position: first + start + index,
          status: 'planned' as const,
          findingCount: 0,
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

/** A page of a run without the data of its service and the text that pages are compared by, which may be large. */
export type PageOutcome = Omit<PageRow, 'detail'> & {
  detail: Omit<PageRow['detail'], 'data' | 'textToCompare' | 'siteFacts'>;
};

/** All pages of a run, without their large parts. */
export const listOutcomes = (db: Db, { apiKeyId, executionId }: RunRef): Promise<PageOutcome[]> =>
  db
    .selectFrom('executionPages')
    .select([
      ...(['apiKeyId', 'executionId', 'urlHash', 'url', 'position'] as const),
      ...(['status', 'findingCount', 'annotationsCreated', 'processedAt'] as const),
      sql<PageOutcome['detail']>`detail - 'data' - 'textToCompare' - 'siteFacts'`.as('detail'),
    ])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .orderBy('position')
    .execute();

/** Pages of a run in their order, from a position on. */
export const listPagesFrom = (
  db: Db,
  { apiKeyId, executionId }: RunRef,
  position: number,
  limit: number,
): Promise<PageRow[]> =>
  db
    .selectFrom('executionPages')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('position', '>=', position)
    .orderBy('position')
    .limit(limit)
    .execute();

/** Position of a page in a run's plan; undefined if the run does not have it. */
export async function positionOfPage(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  url: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('executionPages')
    .select('position')
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .where('urlHash', '=', md5(url))
    .executeTakeFirst();
  return row?.position;
}

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

export interface PageResult extends Pick<PageRow, 'url' | 'status' | 'annotationsCreated' | 'detail'> {
  findings: readonly Finding[];
}

/** Stores a page's result; false if it has one already. */
export async function writePage(tx: Tx, ref: RunRef, page: PageResult): Promise<boolean> {
  const row = await tx
    .updateTable('executionPages')
    .set({
      status: page.status,
      findingCount: page.findings.length,
      annotationsCreated: page.annotationsCreated,
      detail: json(page.detail),
      processedAt: Date.now(),
    })
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('urlHash', '=', md5(page.url))
    .where('processedAt', 'is', null)
    .returning('position')
    .executeTakeFirst();
  if (row) await insertFindings(tx, ref, row.position, page.findings);
  return row !== undefined;
}

/** Adds findings to a page after its review. */
export async function addFindings(
  tx: Tx,
  ref: RunRef,
  url: string,
  { findings, annotationsCreated, detail }: Pick<PageResult, 'findings' | 'annotationsCreated' | 'detail'>,
): Promise<void> {
  const row = await tx
    .updateTable('executionPages')
    .set((eb) => ({
      findingCount: eb('findingCount', '+', findings.length),
      annotationsCreated: eb('annotationsCreated', '+', annotationsCreated),
      detail: sql`detail || ${json(detail)}`,
    }))
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('urlHash', '=', md5(url))
    .returning(['position', 'findingCount'])
    .executeTakeFirst();
  if (row) await insertFindings(tx, ref, row.position, findings, row.findingCount - findings.length);
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
      const many = eb.fn.countAll<number>();
      return [
        many.as('planned'),
        eb.fn.count<number>('processedAt').as('processed'),
        many.filterWhere('status', '=', 'failed').as('errored'),
        many.filterWhere('status', '=', 'skipped').as('skipped'),
        many.filterWhere('findingCount', '>', 0).as('withFindings'),
        eb.fn.coalesce(eb.fn.sum<number>('findingCount'), sql.lit(0)).as('findings'),
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
