import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { agentId } from '../../shapes/id-fields.ts';
import { deleteAgent } from '../../store/agents/agents.ts';

export default write({
  path: '/v2/agents/delete',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Delete a custom agent with all its versions.',
  description: 'The agent is removed from every group. Groups remain, even if they become empty.',
  data: z.object({ agentId }).meta({ examples: [{ agentId: 'agent_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ agentId: z.string() }),
  message: 'Agent deleted successfully',
  failures: { NOT_FOUND: 'The agent does not exist or is built-in; built-in agents cannot be deleted.' },
  audit: { action: 'agent.deleted', of: ({ agentId }) => ({ id: agentId }) },

  async handle({ agentId }, { tx, caller }) {
    await deleteAgent(tx, caller, agentId);
    return { agentId };
  },
});
