import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { openCursor, sealCursor } from '../../../lib/cursor.ts';
import { invalidArgument } from '../../../lib/errors.ts';
import { executionRecord } from '../../../review/run/show-execution.ts';
import { execution } from '../../../shapes/agents/execution-record.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { agentId, documentId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { getExecution, listExecutions } from '../../../store/agents/executions.ts';

export default read({
  path: '/v2/agents/execution/list',
  auth: 'apiKey',
  summary: 'List executions of an agent, on a document, or both; newest first.',
  data: z
    .strictObject({
      agentId: agentId.optional(),
      organizationId: organizationId.optional(),
      documentId: documentId.optional(),
      pageSize: pageSize(100, 20),
      pageToken: pageToken.optional(),
    })
    .refine(
      (data) =>
        (data.organizationId === undefined) === (data.documentId === undefined) &&
        (data.agentId !== undefined || data.documentId !== undefined),
      { ...withOtherProblems, error: 'Give agentId, or organizationId and documentId, or all three.' },
    )
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', pageSize: 20 }] }),
  result: z.object({ executions: z.array(execution), nextPageToken: z.string().optional() }),
  message: 'Executions listed successfully',

  async handle({ pageSize, pageToken, ...filter }, { caller, db, keyring }) {
    const list = ['executions', caller.apiKeyId];
    let after: { startedAt: number; executionId: string } | undefined;
    if (pageToken !== undefined) {
      const [executionId] = openCursor(keyring, list, pageToken);
      after = await getExecution(db, caller, String(executionId));
      if (!after) throw invalidArgument('pageToken points to an execution that was deleted.');
    }
    const rows = await listExecutions(db, caller, filter, pageSize + 1, after);
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    const hasMore = rows.length > pageSize && last !== undefined;
    return {
      executions: page.map((row) => executionRecord(row)),
      ...(hasMore && { nextPageToken: sealCursor(keyring, list, [last.executionId]) }),
    };
  },
});
