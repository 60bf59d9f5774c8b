import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { executionStatus } from '../../../shapes/agents/execution-record.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { countExecutions } from '../../../store/agents/executions.ts';

const counts = z.object({ counts: z.record(z.string(), z.number()).describe('Keyed by agent id.') });
const total = z.object({ total: z.number() });

export default read({
  path: '/v2/agents/execution/count',
  auth: 'apiKey',
  summary: 'Count executions, for each of the given agents or in total.',
  description:
    'An agent without executions, or an unknown one, has the count 0. Executions of deleted agents count too.',
  data: z
    .strictObject({
      agentIds: z
        .union([agentId, z.array(agentId).min(1).max(200)])
        .optional()
        .describe('With it, `shape` is `counts`; otherwise `total`.'),
      status: executionStatus.optional(),
    })
    .meta({ examples: [{ agentIds: ['broken-links', 'accessibility-checker'], status: 'failed' }] }),
  result: z.union([counts, total]),
  shapes: {
    counts: { when: 'With `agentIds`.', data: counts },
    total: { when: 'Without `agentIds`.', data: total },
  },
  shapeOf: (_, { agentIds }) => (agentIds === undefined ? 'total' : 'counts'),
  message: 'Agent execution count fetched successfully',

  async handle({ agentIds, status }, { caller, db }) {
    const asked = agentIds === undefined ? undefined : [...new Set([agentIds].flat())];
    const counts = await countExecutions(db, caller, asked, status);
    if (asked) return { counts: Object.fromEntries(asked.map((id) => [id, counts.get(id) ?? 0])) };
    return { total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  },
});
