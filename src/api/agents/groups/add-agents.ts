import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { isBuiltin } from '../../../review/agents/builtin/index.ts';
import { agentGroup, showGroup } from '../../../shapes/agents/agent-group.ts';
import { agentId, groupId } from '../../../shapes/id-fields.ts';
import { addGroupAgents, MAX_GROUP_AGENTS } from '../../../store/agents/agent-groups.ts';

export default write({
  path: '/v2/agents/groups/add-agents',
  auth: 'apiKey',
  summary: 'Append agents to a group.',
  description: 'Existing members keep their positions.',
  data: z
    .strictObject({ groupId, agentIds: z.array(agentId).min(1) })
    .meta({ examples: [{ groupId: 'group_1a2B3cD4eF5gH6jK7mN8', agentIds: ['spell-check'] }] }),
  result: z.object({ group: agentGroup }),
  message: 'Agents added to group successfully',
  failures: {
    NOT_FOUND: 'The group or a custom agent in the list does not exist.',
    RESOURCE_EXHAUSTED: `The group would have more than ${MAX_GROUP_AGENTS} agents.`,
  },
  audit: {
    action: 'agent_group.updated',
    of: ({ groupId, agentIds }) => ({ id: groupId, after: { added: agentIds } }),
  },

  async handle({ groupId, agentIds }, { tx, caller }) {
    const custom = agentIds.filter((id) => !isBuiltin(id));
    return { group: showGroup(await addGroupAgents(tx, caller, groupId, agentIds, custom)) };
  },
});
