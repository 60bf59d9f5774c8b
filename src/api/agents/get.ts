import { z } from 'zod';
import { read } from '../../http/endpoint.ts';

import { type AgentFilter, showOneAgent, summarizeAgents } from '../../review/agents/show-agent.ts';
import { agent, agentSummary } from '../../shapes/agents/agent.ts';
import { withOtherProblems } from '../../shapes/all-problems.ts';
import { agentId, groupId } from '../../shapes/id-fields.ts';

const FILTERS: readonly unknown[] = ['defaultOnly', 'customOnly', undefined] satisfies (
  | AgentFilter
  | undefined
)[];

export default read({
  path: '/v2/agents/get',
  auth: 'apiKey',
  summary: 'Get an agent, or list agents.',
  description:
    'With `agentId`: the agent with its behavior; secrets are returned as `__redacted__`. Without `agentId`: built-in agents, then custom agents, newest first; with `groupId`, the members of the group in their order.',
  data: z
    .object({
      agentId: agentId.optional(),
      filter: z
        .unknown()
        .meta({ enum: ['defaultOnly', 'customOnly'] })
        .optional()
        .describe('Ignored if agentId is sent.'),
      groupId: groupId.optional().describe('Ignored if agentId is sent.'),
    })
    .refine(({ agentId, filter }) => agentId !== undefined || FILTERS.includes(filter), {
      ...withOtherProblems,
      path: ['filter'],
      error: 'filter must be defaultOnly or customOnly.',
    })
    .meta({ examples: [{ agentId: 'broken-links' }] }),
  result: z.union([z.object({ agent }), z.object({ agents: z.array(agentSummary) })]),
  message: (result) => ('agent' in result ? 'Agent fetched successfully' : 'Agents fetched successfully'),
  failures: { NOT_FOUND: 'The agent or the group does not exist.' },

  async handle({ agentId, filter, groupId }, { db, caller }) {
    if (agentId === undefined) {
      return {
        agents: await summarizeAgents(db, caller, { filter: filter as AgentFilter | undefined, groupId }),
      };
    }
    return { agent: await showOneAgent(db, caller, agentId) };
  },
});
