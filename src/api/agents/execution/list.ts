import { z } from 'zod';
import { authorizeExecutions } from '../../../access/readable-executions.ts';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { invalidArgument, permissionDenied } from '../../../lib/errors.ts';
import type { Caller } from '../../../lib/scope.ts';
import { executionListed } from '../../../review/run/show-execution.ts';
import { forUser } from '../../../review/run/show-to-user.ts';
import { execution, executionStatus } from '../../../shapes/agents/execution-record.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { agentId, documentId, organizationId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { getExecution } from '../../../store/agents/executions.ts';
import { listExecutions } from '../../../store/agents/list-executions.ts';

const at = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();

/** With any of these, the list may contain the executions of the whole API key. */
const FILTERS = ['scope', 'status', 'startedAfter', 'startedBefore', 'url', 'trigger'] as const;

export default read({
  path: '/v2/agents/execution/list',
  auth: 'apiKeyOrUser',
  summary: 'List executions, newest first: of an agent, on a document, or of the whole API key.',
  description:
    'Give `agentId`, or `organizationId` and `documentId`, or all three. With `scope` or a filter, all of them may be left out. A user lists the executions on a document, as far as they may see their suggestions.',
  data: z
    .strictObject({
      agentId: agentId.optional(),
      organizationId: organizationId.optional(),
      documentId: documentId.optional(),
      scope: z
        .literal('apiKey')
        .optional()
        .describe('Lists the executions of the whole API key, where neither agent nor document is given.'),
      status: z
        .union([executionStatus, z.array(executionStatus).min(1).max(6)])
        .transform((value) => [value].flat())
        .optional()
        .describe('One status, or several.'),
      startedAfter: at.describe('Epoch milliseconds. Only executions that started later.'),
      startedBefore: at.describe('Epoch milliseconds. Only executions that started earlier.'),
      url: z
        .url({ protocol: /^https?$/ })
        .max(2_000)
        .transform((url) => new URL(url).href)
        .optional()
        .describe('Only executions that start on this page or review it.'),
      trigger: execution.shape.trigger.optional(),
      pageSize: pageSize(100, 20),
      pageToken: pageToken.optional(),
    })
    .refine(
      (data) =>
        (data.organizationId === undefined) === (data.documentId === undefined) &&
        (data.agentId !== undefined ||
          data.documentId !== undefined ||
          FILTERS.some((name) => data[name] !== undefined)),
      { ...withOtherProblems, error: 'Give agentId, or organizationId and documentId, or all three.' },
    )
    .meta({ examples: [{ organizationId: 'acme', documentId: 'website', pageSize: 20 }] }),
  result: z.object({ executions: z.array(execution), nextPageToken: z.string().optional() }),
  message: 'Executions listed successfully',
  failures: { PERMISSION_DENIED: 'The user names no document, or has no access to it.' },

  async handle({ pageSize, pageToken, scope: _, ...filter }, { caller, db, keyring }) {
    const publicOnly = await isLimitedToPublic(caller, filter, (place) =>
      authorizeExecutions(db, caller, place),
    );
    const list = ['executions', caller.apiKeyId];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      async ({ after: position, limit }) => {
        const after = position && (await getExecution(db, caller, String(position[0])));
        if (position && !after) throw invalidArgument('pageToken points to an execution that was deleted.');
        return await listExecutions(db, caller, { ...filter, publicOnly }, { limit, after });
      },
      (row) => [row.executionId],
    );
    const records = rows.map(executionListed);
    return {
      executions: caller.user ? records.map(forUser) : records,
      ...(next !== undefined && { nextPageToken: next }),
    };
  },
});

async function isLimitedToPublic(
  { user }: Caller,
  { organizationId, documentId }: { organizationId?: string | undefined; documentId?: string | undefined },
  authorize: (place: { organizationId: string; documentId: string }) => Promise<boolean>,
): Promise<boolean> {
  if (!user) return false;
  if (organizationId === undefined || documentId === undefined)
    throw permissionDenied('A user lists the executions on a document: give organizationId and documentId.');
  return await authorize({ organizationId, documentId });
}
