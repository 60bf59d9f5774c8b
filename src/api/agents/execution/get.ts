import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { countAhead } from '../../../jobs/waiting.ts';
import { executionRecord, heldBackBy, pageRecord } from '../../../review/run/show-execution.ts';
import { artifact, execution, logLine, pageResult } from '../../../shapes/agents/execution-record.ts';
import { executionId } from '../../../shapes/id-fields.ts';
import { listArtifacts } from '../../../store/agents/artifacts.ts';
import { listLog } from '../../../store/agents/execution-log.ts';
import { countPages, listPages } from '../../../store/agents/execution-pages.ts';
import { requireExecution } from '../../../store/agents/executions.ts';
import { reviewersOf } from '../../../store/memory/judgments.ts';

export default read({
  path: '/v2/agents/execution/get',
  auth: 'apiKey',
  summary: 'Get an execution, optionally with the findings of each page.',
  data: z
    .object({
      executionId,
      includeResults: z
        .boolean()
        .default(false)
        .describe('Includes the findings of each page, and the stored files.'),
      includeLog: z.boolean().default(false).describe('Includes the log of the run.'),
    })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', includeResults: true }] }),
  result: z.object({
    execution,
    results: z.array(pageResult).optional(),
    artifacts: z.array(artifact).optional(),
    log: z.array(logLine).optional(),
  }),
  message: 'Execution fetched successfully',
  failures: { NOT_FOUND: 'The execution does not exist.' },

  async handle({ executionId, includeResults, includeLog }, { caller, db }) {
    const row = await requireExecution(db, caller, executionId);
    const ref = { apiKeyId: caller.apiKeyId, executionId };
    const pages = includeResults ? await listPages(db, ref) : [];
    const reviewers = await reviewersOf(db, caller, heldBackBy(pages));
    const isWaiting = row.status === 'running' && row.leaseOwner === null;
    const ahead = isWaiting ? await countAhead(db, 'agent.run', executionId) : undefined;
    const progress = row.status === 'running' ? await countPages(db, ref) : undefined;
    return {
      execution: executionRecord(row, progress, ahead === undefined ? undefined : ahead + 1),
      ...(includeResults && {
        results: pages.flatMap((page) => pageRecord(row, page, reviewers) ?? []),
        artifacts: await listArtifacts(db, ref),
      }),
      ...(includeLog && { log: await listLog(db, ref) }),
    };
  },
});
