import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { FindingRecordRow } from './finding-records.ts';

const MOST_RUNS = 50;

/** The latest runs that saw a finding, newest first. */
export const historyOf = (db: Db, { apiKeyId, fingerprint, organizationId, documentId }: FindingRecordRow) =>
  db
    .selectFrom('executionFindings')
    .innerJoin('executions', (join) =>
      join
        .onRef('executions.apiKeyId', '=', 'executionFindings.apiKeyId')
        .onRef('executions.executionId', '=', 'executionFindings.executionId'),
    )
    .select([
      'executions.executionId',
      'executions.startedAt',
      'executions.agentVersion',
      'executionFindings.severity',
      'executionFindings.decision',
      'executionFindings.comparison',
    ])
    .where('executionFindings.apiKeyId', '=', apiKeyId)
    .where('executionFindings.fingerprint', '=', fingerprint)
    .where('executions.organizationId', '=', organizationId ?? '')
    .where('executions.documentId', '=', documentId ?? '')
    .orderBy('executions.startedAt', 'desc')
    .orderBy('executions.executionId', 'desc')
    .limit(MOST_RUNS)
    .execute();

/** The picture of the page in the last run that saw a finding. */
export async function screenshotOf(
  db: Db,
  { apiKeyId, lastExecutionId, body }: FindingRecordRow,
): Promise<PageScreenshot | undefined> {
  const row = await db
    .selectFrom('executionPages')
    .select(sql<PageScreenshot | null>`detail -> 'screenshot'`.as('screenshot'))
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', '=', lastExecutionId)
    .where('urlHash', '=', md5(body.sourceUrl))
    .executeTakeFirst();
  return row?.screenshot ?? undefined;
}
