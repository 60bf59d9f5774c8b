import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { RunRef } from './execution-leases.ts';

export type PageRow = ExecutionTables['executionPages'];

/** Adds pages to a run's plan, behind those that are there; one planned twice stays once. Answers how many are new. */
export async function planPages(tx: Tx, { apiKeyId, executionId }: RunRef, urls: string[]): Promise<number> {
  if (urls.length === 0) return 0;
  const { count } = await tx
    .selectFrom('executionPages')
    .select(sql<number>`count(*)`.as('count'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  const first = Number(count);
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

/** The run's pages in their order. */
export const listPages = (db: Db, { apiKeyId, executionId }: RunRef): Promise<PageRow[]> =>
  db
    .selectFrom('executionPages')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .orderBy('position')
    .execute();

/** What a run's pages have cost so far, in tokens of a model. */
export async function tokensSpent(db: Db, { apiKeyId, executionId }: RunRef): Promise<number> {
  const { tokens } = await db
    .selectFrom('executionPages')
    .select(sql<number | null>`sum((detail->'usage'->>'totalTokens')::float8)`.as('tokens'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', executionId)
    .executeTakeFirstOrThrow();
  return Number(tokens ?? 0);
}

/** Address and state of the run's pages, without what was found on them. */
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

/** Writes a page's result; false where it has one already. */
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

/** Adds to what a page came to, after it was looked at. */
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

/** How far a run has come. */
export async function countPages(
  db: Db,
  { apiKeyId, executionId }: RunRef,
): Promise<{
  planned: number;
  /** With those that were skipped. */
  processed: number;
  errored: number;
  skipped: number;
  withFindings: number;
  findings: number;
  annotations: number;
}> {
  const row = await db
    .selectFrom('executionPages')
    .select([
      sql<number>`count(*)`.as('planned'),
      sql<number>`count(processed_at)`.as('processed'),
      sql<number>`count(*) filter (where status = 'failed')`.as('errored'),
      sql<number>`count(*) filter (where status = 'skipped')`.as('skipped'),
      sql<number>`count(*) filter (where jsonb_array_length(findings) > 0)`.as('withFindings'),
      sql<number>`coalesce(sum(jsonb_array_length(findings)), 0)`.as('findings'),
      sql<number>`coalesce(sum(annotations_created), 0)`.as('annotations'),
    ])
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

/** What a run found on a page; undefined where it did not get to look at it. */
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
