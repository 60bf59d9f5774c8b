import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { isBuiltin } from '../../../review/agents/builtin/index.ts';
import { agentGroup, groupDescription, groupName, showGroup } from '../../../shapes/agents/agent-group.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { insertAgentGroup, MAX_GROUP_AGENTS, MAX_GROUPS } from '../../../store/agents/agent-groups.ts';

export default write({
  path: '/v2/agents/groups/create',
  auth: 'apiKey',
  summary: 'Create a group of agents.',
  description:
    'An agent may be in several groups, and duplicate ids count once. Names need not be unique: repeating the request creates another group.',
  data: z
    .strictObject({
      name: groupName,
      description: groupDescription.optional(),
      agentIds: z.array(agentId).max(MAX_GROUP_AGENTS).default([]),
      metadata: z.record(z.string(), z.unknown()).default({}).describe('Cannot be changed later.'),
    })
    .meta({ examples: [{ name: 'Before a launch', agentIds: ['broken-links', 'accessibility-checker'] }] }),
  result: z.object({ group: agentGroup }),
  message: 'Agent group created successfully',
  failures: {
    NOT_FOUND: 'A custom agent in the list does not exist.',
    RESOURCE_EXHAUSTED: `The API key already has ${MAX_GROUPS} groups.`,
  },
  audit: {
    action: 'agent_group.created',
    of: ({ name, agentIds }, { group }) => ({ id: group.id, after: { name, agentIds } }),
  },

  async handle({ name, description, agentIds, metadata }, { tx, caller }) {
    const custom = agentIds.filter((id) => !isBuiltin(id));
    return {
      group: showGroup(await insertAgentGroup(tx, caller, { name, description, agentIds, metadata }, custom)),
    };
  },
});
