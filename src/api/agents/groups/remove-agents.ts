import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { agentGroup, showGroup } from '../../../shapes/agents/agent-group.ts';
import { agentId, groupId } from '../../../shapes/id-fields.ts';
import { removeGroupAgents } from '../../../store/agents/agent-groups.ts';

export default write({
  path: '/v2/agents/groups/remove-agents',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Remove agents from a group.',
  description: 'Agents that are not members are ignored.',
  data: z
    .strictObject({ groupId, agentIds: z.array(agentId).min(1) })
    .meta({ examples: [{ groupId: 'group_1a2B3cD4eF5gH6jK7mN8', agentIds: ['spell-check'] }] }),
  result: z.object({ group: agentGroup }),
  message: 'Agents removed from group successfully',
  failures: { NOT_FOUND: 'The group does not exist.' },
  audit: {
    action: 'agent_group.updated',
    of: ({ groupId, agentIds }) => ({ id: groupId, after: { removed: agentIds } }),
  },

  handle: async ({ groupId, agentIds }, { tx, caller }) => ({
    group: showGroup(await removeGroupAgents(tx, caller, groupId, agentIds)),
  }),
});
