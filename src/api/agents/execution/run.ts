import { z } from 'zod';
import { runningUser } from '../../../access/acting-member.ts';
import { write } from '../../../http/endpoint.ts';
import { dispatchRun } from '../../../review/run/dispatch-run.ts';
import { requestOf, requireAllowed } from '../../../review/run/run-request.ts';
import { authField, runFields } from '../../../shapes/agents/run-fields.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { ignoringOthers } from '../../../shapes/field-use.ts';
import { agentId, documentId, organizationId } from '../../../shapes/id-fields.ts';

export default write({
  path: '/v2/agents/execution/run',
  auth: 'apiKey',
  scope: 'review',
  summary: 'Run an agent on a page or on the pages of a site.',
  description: 'Returns immediately. Poll agents/execution/get until the status is no longer `running`.',
  // Loose, because earlier clients send further fields.
  data: ignoringOthers(
    z.looseObject({
      agentId,
      url: z.url({ protocol: /^https?$/ }).max(2000),
      organizationId: organizationId.optional(),
      documentId: documentId.optional().describe('Document on which findings become comment annotations.'),
      ...runFields,
      ...authField,
      trigger: z.enum(['standalone', 'workflow']).default('standalone'),
      workflowExecutionId: z.string().min(1).optional(),
    }),
  )
    .refine((data) => (data.organizationId === undefined) === (data.documentId === undefined), {
      ...withOtherProblems,
      error: 'organizationId and documentId go together.',
      path: ['documentId'],
    })
    .meta({
      examples: [
        {
          agentId: 'broken-links',
          url: 'https://example.com/',
          organizationId: 'acme',
          documentId: 'website',
          crossPageExecute: true,
        },
      ],
    }),
  result: z.object({ executionId: z.string() }),
  message: 'Agent execution created successfully',
  failures: {
    NOT_FOUND: 'The agent or the document does not exist.',
    RESOURCE_EXHAUSTED:
      'Too many executions of the API key are waiting to start, or the rate limit is exceeded.',
    FAILED_PRECONDITION: 'The agent is disabled, or is already running on this document and URL.',
  },

  async handle(data, { caller, tx, jobs, keyring, settings }) {
    requireAllowed(data, settings);
    const request = { ...requestOf(data), workflowExecutionId: data.workflowExecutionId };
    const auth = data.auth && { value: data.auth, keyring };
    const ranBy = runningUser(caller, data.ranBy);
    return { executionId: await dispatchRun(tx, jobs, caller, { ...data, ranBy, request, auth }) };
  },
});
