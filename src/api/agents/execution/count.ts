import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { executionStatus } from '../../../shapes/agents/execution-record.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { countExecutions } from '../../../store/agents/executions.ts';

export default read({
  path: '/v2/agents/execution/count',
  auth: 'apiKey',
  summary: 'Count executions, for each of the given agents or in total.',
  data: z
    .strictObject({
      agentIds: z.union([agentId, z.array(agentId).min(1).max(200)]).optional(),
      status: executionStatus.optional(),
    })
    .meta({ examples: [{ agentIds: ['broken-links', 'accessibility-checker'], status: 'failed' }] }),
  result: z.union([z.object({ counts: z.record(z.string(), z.number()) }), z.object({ total: z.number() })]),
  message: 'Agent execution count fetched successfully',

  async handle({ agentIds, status }, { caller, db }) {
    const asked = agentIds === undefined ? undefined : [...new Set([agentIds].flat())];
    const counts = await countExecutions(db, caller, asked, status);
    if (asked) return { counts: Object.fromEntries(asked.map((id) => [id, counts.get(id) ?? 0])) };
    return { total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  },
});
