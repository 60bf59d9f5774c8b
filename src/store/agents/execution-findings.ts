import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import type { ExecutionTables } from '../../db/tables/execution-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import { type Finding, severities } from '../../shapes/agents/execution.ts';
import type { RunRef } from './execution-leases.ts';

export type FindingRow = ExecutionTables['executionFindings'];

/** Findings per statement: their bodies have about a kilobyte each. */
const ROWS_AT_ONCE = 1_000;

/** Appends the findings of a page, numbered from `first`. */
export async function insertFindings(
  tx: Tx,
  { apiKeyId, executionId }: RunRef,
  pagePosition: number,
  findings: readonly Finding[],
  first = 0,
): Promise<void> {
  for (let from = 0; from < findings.length; from += ROWS_AT_ONCE) {
    const bodies = findings.slice(from, from + ROWS_AT_ONCE);
    await sql`
      insert into execution_findings
        (api_key_id, execution_id, page_position, number, cause_id, severity, comparison, decision, fingerprint, body)
      select ${apiKeyId}, ${executionId}, cast(${pagePosition} as integer), ${first + from} + item.place - 1,
        item.body ->> 'causeId', item.body ->> 'severity', item.body ->> 'comparison', item.body ->> 'decision',
        coalesce(item.body ->> 'fingerprint', ''), item.body
      from jsonb_array_elements(${json(bodies)}) with ordinality as item(body, place)`.execute(tx);
  }
}

const ofRun = (db: Db, { apiKeyId, executionId }: RunRef) =>
  db.selectFrom('executionFindings').where('apiKeyId', '=', apiKeyId).where('executionId', '=', executionId);

export interface FindingFilter {
  causeId?: string | undefined;
  /** Position of the only page. */
  pagePosition?: number | undefined;
  severity?: Finding['severity'] | undefined;
  comparison?: Finding['comparison'] | undefined;
  /** Only findings that no person has rejected or resolved. */
  open?: boolean | undefined;
  /** Only findings with this field. */
  having?: keyof Finding | undefined;
}

export type FindingPosition = Pick<FindingRow, 'pagePosition' | 'number'>;

/** Findings of a run in the order of its pages, after a position. */
export function listFindings(
  db: Db,
  ref: RunRef,
  filter: FindingFilter,
  limit: number,
  after?: FindingPosition,
): Promise<Pick<FindingRow, 'pagePosition' | 'number' | 'body'>[]> {
  let query = ofRun(db, ref).select(['pagePosition', 'number', 'body']);
  if (filter.causeId !== undefined) query = query.where('causeId', '=', filter.causeId);
  if (filter.pagePosition !== undefined) query = query.where('pagePosition', '=', filter.pagePosition);
  if (filter.severity !== undefined) query = query.where('severity', '=', filter.severity);
  if (filter.comparison !== undefined) query = query.where('comparison', '=', filter.comparison);
  const { having } = filter;
  if (having !== undefined) query = query.where(sql<boolean>`body ->> ${having} is not null`);
  if (filter.open)
    query = query.where((eb) => eb.or([eb('decision', 'is', null), eb('decision', '=', 'accepted')]));
  if (after)
    query = query.where((eb) =>
      eb(eb.refTuple('pagePosition', 'number'), '>', eb.tuple(after.pagePosition, after.number)),
    );
  return query.orderBy('pagePosition').orderBy('number').limit(limit).execute();
}

/** The first findings of each page, up to a number of them a page. */
export const firstFindings = (
  db: Db,
  ref: RunRef,
  pagePositions: readonly number[],
  perPage: number,
): Promise<Pick<FindingRow, 'pagePosition' | 'body'>[]> =>
  ofRun(db, ref)
    .select(['pagePosition', 'body'])
    .where('pagePosition', 'in', [...pagePositions])
    .where('number', '<', perPage)
    .orderBy('pagePosition')
    .orderBy('number')
    .execute();

/** All findings of a page; undefined if the run did not review it. */
export async function findingsOfPage(db: Db, ref: RunRef, url: string): Promise<Finding[] | undefined> {
  const page = await db
    .selectFrom('executionPages')
    .select('position')
    .where('apiKeyId', '=', ref.apiKeyId)
    .where('executionId', '=', ref.executionId)
    .where('urlHash', '=', md5(url))
    .where('status', '=', 'completed')
    .executeTakeFirst();
  if (!page) return undefined;
  const rows = await ofRun(db, ref)
    .select('body')
    .where('pagePosition', '=', page.position)
    .orderBy('number')
    .execute();
  return rows.map(({ body }) => body);
}

/** The gravest findings of a run, up to a number. */
export async function gravestFindings(
  db: Db,
  ref: RunRef,
  limit: number,
  filter: Pick<FindingFilter, 'having'> = {},
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const severity of severities) {
    if (found.length >= limit) break;
    const rows = await listFindings(db, ref, { ...filter, severity }, limit - found.length);
    found.push(...rows.map(({ body }) => body));
  }
  return found;
}

const countsRow = z.object({
  severity: z.enum(severities),
  comparison: z.enum(['new', 'still_there']).nullable(),
  decision: z.enum(['accepted', 'rejected', 'resolved']).nullable(),
  count: z.coerce.number(),
});
export type FindingCounts = z.infer<typeof countsRow>[];

/** Numbers of findings by severity, comparison and decision. */
export const countFindings = (db: Db, { apiKeyId, executionId }: RunRef): Promise<FindingCounts> =>
  rowsOf(
    db,
    countsRow,
    sql`select severity, comparison, decision, count(*) as count from execution_findings
      where api_key_id = ${apiKeyId} and execution_id = ${executionId}
      group by severity, comparison, decision`,
  );

const fieldCountRow = z.object({ value: z.string(), count: z.coerce.number() });

/** Numbers of findings by a field of theirs; findings without it count as `otherwise`. */
export async function countFindingsBy(
  db: Db,
  { apiKeyId, executionId }: RunRef,
  field: keyof Finding,
  otherwise: string,
): Promise<Record<string, number>> {
  const rows = await rowsOf(
    db,
    fieldCountRow,
    sql`select coalesce(body ->> ${field}, ${otherwise}) as value, count(*) as count from execution_findings
      where api_key_id = ${apiKeyId} and execution_id = ${executionId} group by 1 order by 2 desc, 1`,
  );
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]));
}
