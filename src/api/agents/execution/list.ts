import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { invalidArgument } from '../../../lib/errors.ts';
import { executionListed } from '../../../review/run/show-execution.ts';
import { execution } from '../../../shapes/agents/execution-record.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { agentId, documentId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { getExecution, listExecutions } from '../../../store/agents/executions.ts';

export default read({
  path: '/v2/agents/execution/list',
  auth: 'apiKey',
  summary: 'List the executions of an agent, on a document, or both, newest first.',
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
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      async ({ after, limit }) => {
        const last = after && (await getExecution(db, caller, String(after[0])));
        if (after && !last) throw invalidArgument('pageToken points to an execution that was deleted.');
        return await listExecutions(db, caller, filter, limit, last);
      },
      (row) => [row.executionId],
    );
    return {
      executions: rows.map(executionListed),
      ...(next !== undefined && { nextPageToken: next }),
    };
  },
});
