import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { cancelRun } from '../../../review/run/cancel-run.ts';
import { readFirstCauses } from '../../../review/run/read-execution.ts';
import { reportEnd } from '../../../review/run/report-run.ts';
import { executionRecord } from '../../../review/run/show-execution.ts';
import { execution } from '../../../shapes/agents/execution-record.ts';
import { executionId } from '../../../shapes/id-fields.ts';

export default write({
  path: '/v2/agents/execution/cancel',
  auth: 'apiKey',
  scope: 'review',
  availableWhenFull: true,
  summary: 'Cancel a running execution.',
  description:
    'The execution ends with the status `error` and the error code `CANCELLED`. Findings and suggestions of the pages that are already done remain.',
  data: z
    .strictObject({
      executionId,
      reason: z.string().trim().min(1).max(500).optional().describe('Appended to the error message.'),
    })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', reason: 'Started by mistake.' }] }),
  result: z.object({ execution }),
  message: 'Execution cancelled successfully',
  failures: {
    NOT_FOUND: 'The execution does not exist.',
    FAILED_PRECONDITION: 'The execution has already ended.',
  },

  async handle({ executionId, reason }, { caller, tx, afterCommit }) {
    const { execution, ended } = await cancelRun(tx, caller, executionId, reason);
    afterCommit((log) => reportEnd(log, ended));
    return { execution: executionRecord(execution, { causes: await readFirstCauses(tx, execution) }) };
  },
});
