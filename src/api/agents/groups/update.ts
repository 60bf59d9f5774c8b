import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { agentGroup, groupDescription, groupName, showGroup } from '../../../shapes/agents/agent-group.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { groupId } from '../../../shapes/id-fields.ts';
import { updateAgentGroup } from '../../../store/agents/agent-groups.ts';

export default write({
  path: '/v2/agents/groups/update',
  auth: 'apiKey',
  summary: 'Change the name or description of an agent group.',
  description:
    'Fields that are not sent keep their values. Members are changed with agents/groups/add-agents and agents/groups/remove-agents; metadata cannot be changed.',
  data: z
    .strictObject({ groupId, name: groupName.optional(), description: groupDescription.optional() })
    .refine(({ name, description }) => name !== undefined || description !== undefined, {
      ...withOtherProblems,
      error: 'At least one of name and description is required.',
    })
    .meta({ examples: [{ groupId: 'group_1a2B3cD4eF5gH6jK7mN8', name: 'Before each launch' }] }),
  result: z.object({ group: agentGroup }),
  message: 'Agent group updated successfully',
  failures: { NOT_FOUND: 'The group does not exist.' },
  audit: { action: 'agent_group.updated', of: ({ groupId, ...after }) => ({ id: groupId, after }) },

  handle: async ({ groupId, name, description }, { tx, caller }) => ({
    group: showGroup(await updateAgentGroup(tx, caller, groupId, { name, description })),
  }),
});
