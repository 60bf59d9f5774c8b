import { z } from 'zod';
import { requireReadableExecution } from '../../../access/readable-executions.ts';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { readCauses } from '../../../review/run/read-execution.ts';
import { causeForUser } from '../../../review/run/show-to-user.ts';
import { cause } from '../../../shapes/agents/execution.ts';
import { executionId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';

export default read({
  path: '/v2/agents/execution/causes',
  auth: 'apiKeyOrUser',
  summary: 'List what the findings of an ended execution come from.',
  description:
    'The gravest causes come first, then those with the most places; causes without an open place come last. A running execution has none yet.',
  data: z
    .strictObject({ executionId, pageSize: pageSize(500, 100), pageToken: pageToken.optional() })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g' }] }),
  result: z.object({ causes: z.array(cause), nextPageToken: z.string().optional() }),
  message: 'Causes fetched successfully',
  failures: { NOT_FOUND: 'The execution does not exist.' },

  async handle({ executionId, pageSize, pageToken }, { caller, db, keyring }) {
    const row = await requireReadableExecution(db, caller, executionId);
    const list = ['execution causes', caller.apiKeyId, executionId];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) => readCauses(db, row, limit, after ? Number(after[0]) + 1 : 0),
      ({ position }) => [position],
    );
    return {
      causes: rows.map(({ record }) => (caller.user ? causeForUser(record) : record)),
      ...(next !== undefined && { nextPageToken: next }),
    };
  },
});
