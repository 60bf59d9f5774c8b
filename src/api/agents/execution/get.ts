import { z } from 'zod';
import { requireReadableExecution } from '../../../access/readable-executions.ts';
import type { Db } from '../../../db/tables.ts';
import { read } from '../../../http/endpoint.ts';
import { countAhead } from '../../../jobs/waiting.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { permissionDenied } from '../../../lib/errors.ts';
import { artifactLinks } from '../../../review/run/artifact-links.ts';
import { readFirstCauses, readPages } from '../../../review/run/read-execution.ts';
import { executionRecord, heldBackBy, pageRecord } from '../../../review/run/show-execution.ts';
import { artifactsForUser, forUser, pageForUser } from '../../../review/run/show-to-user.ts';
import { artifact, execution, logLine, pageResult } from '../../../shapes/agents/execution-record.ts';
import { executionId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { listArtifacts } from '../../../store/agents/artifacts.ts';
import { listLog } from '../../../store/agents/execution-log.ts';
import { countPages } from '../../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../../store/agents/executions.ts';
import { reviewersOf } from '../../../store/memory/judgments.ts';

export default read({
  path: '/v2/agents/execution/get',
  auth: 'apiKeyOrUser',
  summary: 'Get an execution, optionally with the findings of each page.',
  description:
    'A user gets executions on documents that they may read, without the output of the agent and what its findings are based on, and with links to the stored files. The results of a large run come in parts: send `nextPageToken` as `pageToken` until it is absent. A part has up to `pageSize` pages, and fewer if they have more than 500 findings together.',
  data: z
    .object({
      executionId,
      includeResults: z
        .boolean()
        .default(false)
        .describe('Includes the findings of each page, and the stored files.'),
      includeLog: z.boolean().default(false).describe('Includes the log of the run.'),
      pageSize: pageSize(1_000, 200).describe('Maximum number of pages in `results`.'),
      pageToken: pageToken.optional(),
    })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', includeResults: true }] }),
  result: z.object({
    execution,
    results: z.array(pageResult).optional(),
    nextPageToken: z.string().optional().describe('Absent if there are no more results.'),
    artifacts: z
      .array(artifact)
      .optional()
      .describe('Stored files; only with the first part of the results.'),
    log: z.array(logLine).optional(),
  }),
  message: 'Execution fetched successfully',
  failures: {
    NOT_FOUND: 'The execution does not exist.',
    PERMISSION_DENIED: 'A user asks for the log; agents/execution/events returns the part for users.',
  },

  async handle({ executionId, includeResults, includeLog, ...asked }, { caller, db, keyring, origin }) {
    if (caller.user && includeLog) throw permissionDenied('includeLog is not for users.');
    const row = await requireReadableExecution(db, caller, executionId);
    const ref = { apiKeyId: caller.apiKeyId, executionId };
    const list = ['execution results', caller.apiKeyId, executionId];
    const from = asked.pageToken === undefined ? 0 : Number(openCursor(keyring, list, asked.pageToken)[0]);
    const { pages, next } = includeResults
      ? await readPages(db, row, asked.pageSize, from)
      : { pages: [], next: undefined };
    const reviewers = await reviewersOf(db, caller, heldBackBy(pages.map(({ page }) => page)));
    const isWaiting = row.status === 'running' && row.leaseOwner === null;
    const ahead = isWaiting ? await jobsAhead(db, row) : undefined;
    const progress = row.status === 'running' ? await countPages(db, ref) : undefined;
    const queuePosition = ahead === undefined ? undefined : ahead + 1;
    const causes = await readFirstCauses(db, row);
    const record = executionRecord(row, { progress, queuePosition, causes });
    const results = pages.flatMap(({ page, findings }) => pageRecord(row, page, findings, reviewers) ?? []);
    const artifacts = includeResults && from === 0 && (await listArtifacts(db, ref));
    const links = caller.user && artifactLinks(keyring, origin, caller.apiKeyId);
    return {
      execution: links ? forUser(record) : record,
      ...(includeResults && { results: links ? results.map(pageForUser(links)) : results }),
      ...(artifacts && { artifacts: links ? artifactsForUser(artifacts, links) : artifacts }),
      ...(next !== undefined && { nextPageToken: sealCursor(keyring, list, [next]) }),
      ...(includeLog && { log: await listLog(db, ref) }),
    };
  },
});

const jobsAhead = (db: Db, { executionId, reviewId }: ExecutionRow): Promise<number | undefined> =>
  reviewId === null ? countAhead(db, 'agent.run', executionId) : countAhead(db, 'review.run', reviewId);
