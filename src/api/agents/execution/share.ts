import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { reportLink } from '../../../review/reviews/serve-report.ts';
import { shareLifetime, sharing } from '../../../shapes/agents/report-link.ts';
import { executionId } from '../../../shapes/id-fields.ts';
import { requireExecution } from '../../../store/agents/executions.ts';

export default read({
  path: '/v2/agents/execution/share',
  ...sharing,
  summary: 'Make a link to the report on an execution, for people without credentials.',
  data: z
    .strictObject({ executionId, validForHours: shareLifetime })
    .meta({ examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', validForHours: 72 }] }),
  failures: { NOT_FOUND: 'The execution does not exist.' },
  audit: {
    action: 'report.shared',
    of: ({ executionId, validForHours }) => ({
      type: 'execution',
      id: executionId,
      after: { validForHours },
    }),
  },

  async handle({ executionId, validForHours }, { caller, db, keyring, origin }) {
    await requireExecution(db, caller, executionId);
    return reportLink(keyring, origin(), { apiKeyId: caller.apiKeyId, id: executionId }, validForHours);
  },
});
