import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { agentGroup, showGroup } from '../../../shapes/agents/agent-group.ts';
import { groupId } from '../../../shapes/id-fields.ts';
import { requireAgentGroup } from '../../../store/agents/agent-groups.ts';

export default read({
  path: '/v2/agents/groups/get',
  auth: 'apiKey',
  summary: 'Get a group of agents.',
  description:
    'Returns the ids of the members in their order. agents/get with `groupId` returns the agents themselves.',
  data: z.strictObject({ groupId }).meta({ examples: [{ groupId: 'group_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ group: agentGroup }),
  message: 'Agent group fetched successfully',
  failures: { NOT_FOUND: 'The group does not exist.' },

  handle: async ({ groupId }, { db, caller }) => ({
    group: showGroup(await requireAgentGroup(db, caller, groupId)),
  }),
});
