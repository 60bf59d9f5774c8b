import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { groupId } from '../../../shapes/id-fields.ts';
import { deleteAgentGroup } from '../../../store/agents/agent-groups.ts';

export default write({
  path: '/v2/agents/groups/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete an agent group.',
  description: 'Its agents remain.',
  data: z.strictObject({ groupId }).meta({ examples: [{ groupId: 'group_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ groupId: z.string() }),
  message: 'Agent group deleted successfully',
  failures: { NOT_FOUND: 'The group does not exist.' },
  audit: { action: 'agent_group.deleted', of: ({ groupId }) => ({ id: groupId }) },

  async handle({ groupId }, { tx, caller }) {
    await deleteAgentGroup(tx, caller, groupId);
    return { groupId };
  },
});
